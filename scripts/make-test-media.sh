#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the media that the engine's tests play. The results are committed; with nothing missing this does nothing.
#
# usage: scripts/make-test-media.sh [--force]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
out="$root/Tests/PlayerEngineTests/Fixtures"
names="audio-only.m4a clip.mkv clip.mp4 clip.ts clip-hevc.mp4 clip-vp9.webm cut-head.mp4 cut-tail.mkv cut-tail.mp4 damaged.mp4 empty.mp4 languages.mkv
  languages.mp4 long.flv long.mkv long.mp4 long.ts long-fragmented.mp4 long-no-cues.mkv open-gop.mp4 parameters.mp4 parameters-change.mp4 subtitles.mkv text.mp4 trimmed.mp4 variants.m3u8 unknown-codec.mp4 unknown-video.mp4 video-only.mp4"

missing=
for name in $names; do
  [ -e "$out/$name" ] || missing="$missing $name"
done
if [ -z "$missing" ] && [ "${1:-}" != --force ]; then
  exit 0
fi
if ! command -v ffmpeg >/dev/null || ! command -v ffprobe >/dev/null; then
  echo "make-test-media: ffmpeg and ffprobe are needed to make$missing (Debian: apt-get install ffmpeg)" >&2
  exit 1
fi

mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

av() {
  ffmpeg -nostdin -v error -y "$@"
}
exact="-fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1"
picture="-f lavfi -i testsrc=size=160x120:rate=25:duration=2"
sound="-f lavfi -i sine=frequency=440:sample_rate=48000:duration=2"
h264="-c:v libx264 -preset medium -crf 30 -threads 1 -g 25 -bf 2 -pix_fmt yuv420p"
aac="-c:a aac -b:a 32k -ac 1"

# 50 pictures with B-frames, and sound.
# shellcheck disable=SC2086
av $picture $sound $h264 $aac $exact -movflags +faststart "$out/clip.mp4"
# shellcheck disable=SC2086
av -i "$out/clip.mp4" -map 0 -c copy $exact "$out/clip.mkv"
# Time stamps that begin at 1.4 s.
# shellcheck disable=SC2086
av -i "$out/clip.mp4" -map 0:v -c copy -muxdelay 0.7 $exact -t 1 "$out/clip.ts"
# shellcheck disable=SC2086
av -i "$out/clip.mp4" -map 0:v -c copy $exact -movflags +faststart "$out/video-only.mp4"
# shellcheck disable=SC2086
av -i "$out/clip.mp4" -map 0:a -c copy $exact "$out/audio-only.m4a"
# An edit list that begins between two keyframes: 10 pictures to decode and not to show.
# shellcheck disable=SC2086
av -ss 1.4 -i "$out/video-only.mp4" -c copy $exact "$out/trimmed.mp4"

# 150 pictures in three groups of 50 with B-frames, and sound, in every container that is seeked in its own way.
long="-f lavfi -i testsrc=size=128x96:rate=25:duration=6 -f lavfi -i sine=frequency=440:sample_rate=48000:duration=6"
# shellcheck disable=SC2086
av $long -c:v libx264 -preset medium -crf 38 -threads 1 -g 50 -keyint_min 50 -sc_threshold 0 -bf 2 -pix_fmt yuv420p \
  -c:a aac -b:a 24k -ac 1 $exact -movflags +faststart "$out/long.mp4"
# shellcheck disable=SC2086
av -i "$out/long.mp4" -map 0 -c copy $exact "$out/long.mkv"
# A pipe cannot be gone back in, so the index is left out.
# shellcheck disable=SC2086
av -i "$out/long.mp4" -map 0 -c copy $exact -f matroska pipe:1 >"$out/long-no-cues.mkv"
# shellcheck disable=SC2086
av -i "$out/long.mp4" -map 0 -c copy $exact -t 4.5 "$out/long.ts"
# shellcheck disable=SC2086
av -i "$out/long.mp4" -map 0 -c copy $exact "$out/long.flv"
# shellcheck disable=SC2086
av -i "$out/long.mp4" -map 0 -c copy $exact -movflags +frag_keyframe+empty_moov+default_base_moof "$out/long-fragmented.mp4"
# Groups that are not closed: pictures before a keyframe need the group before.
# shellcheck disable=SC2086
av $picture -c:v libx264 -preset medium -crf 34 -threads 1 -g 12 -sc_threshold 0 -bf 3 -x264-params open-gop=1 \
  -pix_fmt yuv420p $exact -movflags +faststart "$out/open-gop.mp4"
# Other codecs.
# shellcheck disable=SC2086
av $picture -t 1 -c:v libx265 -preset medium -crf 34 -x265-params log-level=error:pools=1:frame-threads=1:info=0 -tag:v hvc1 \
  -pix_fmt yuv420p $exact -movflags +faststart "$out/clip-hevc.mp4"
# shellcheck disable=SC2086
av $picture -t 1 -c:v libvpx-vp9 -crf 50 -b:v 0 -threads 1 -g 25 -pix_fmt yuv420p $exact "$out/clip-vp9.webm"
# Parameters that stand in front only; and the same ones in front, with others among the pictures later on.
for cabac in 1 0; do
  # shellcheck disable=SC2086
  av $picture -t 1 -c:v libx264 -preset medium -profile:v main -crf 34 -threads 1 -g 25 -bf 0 -pix_fmt yuv420p \
    -x264-params cabac=$cabac:no-info=1 $exact "$work/$cabac.mp4"
  av -i "$work/$cabac.mp4" -c copy -bsf:v h264_mp4toannexb "$work/$cabac.h264"
done
# shellcheck disable=SC2086
av -i "$work/1.mp4" -c copy $exact -movflags +faststart "$out/parameters.mp4"
cat "$work/1.h264" "$work/0.h264" >"$work/both.h264"
# shellcheck disable=SC2086
av -r 25 -i "$work/both.h264" -c copy $exact -movflags +faststart "$out/parameters-change.mp4"
# Sound in two languages, and pictures in two sizes.
for container in mkv mp4; do
  # shellcheck disable=SC2086
  av $picture -f lavfi -i testsrc=size=80x60:rate=25:duration=2 $sound \
    -f lavfi -i sine=frequency=880:sample_rate=48000:duration=2 -map 0 -map 1 -map 2 -map 3 $h264 $aac $exact \
    -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu -disposition:v:0 default -disposition:v:1 0 \
    -disposition:a:0 default -disposition:a:1 0 "$out/languages.$container"
done

# A playlist of two variants, one file each.
(
  cd "$out"
  # shellcheck disable=SC2086
  av $picture -f lavfi -i testsrc=size=80x60:rate=25:duration=2 -map 0 -map 1 $h264 -b:v:0 200k -b:v:1 50k $exact \
    -f hls -hls_time 1 -hls_playlist_type vod -hls_flags single_file -var_stream_map "v:0 v:1" \
    -master_pl_name variants.m3u8 variant-%v.m3u8
)

# Ends in the middle of its pictures; lacks its index.
size=$(wc -c <"$out/clip.mp4")
head -c $((size * 2 / 3)) "$out/clip.mp4" >"$out/cut-tail.mp4"
size=$(wc -c <"$out/clip.mkv")
head -c $((size / 2)) "$out/clip.mkv" >"$out/cut-tail.mkv"
# shellcheck disable=SC2086
av -i "$out/clip.mp4" -c copy $exact "$work/index-last.mp4"
head -c 8000 "$work/index-last.mp4" >"$out/cut-head.mp4"

# One picture whose length field says nonsense, of those that no other needs.
place=$(ffprobe -v error -select_streams v -show_entries packet=pos,flags,size -of csv=p=0 "$out/video-only.mp4" |
  sort -t, -k1 -n | head -n 1 | cut -d, -f2)
cp "$out/video-only.mp4" "$out/damaged.mp4"
printf '\177\377\377\377' | dd of="$out/damaged.mp4" bs=1 seek="$place" conv=notrunc 2>/dev/null

# Pictures in a codec that nobody has, with sound and without.
LC_ALL=C sed 's/avc1/zzz1/g' "$out/clip.mp4" >"$out/unknown-codec.mp4"
LC_ALL=C sed 's/avc1/zzz1/g' "$out/video-only.mp4" >"$out/unknown-video.mp4"

printf '1\n00:00:00,000 --> 00:00:01,000\nNothing to see\n' >"$work/text.srt"
# shellcheck disable=SC2086
av -i "$work/text.srt" $exact "$out/subtitles.mkv"
printf 'This is no film, whatever its name says.\n' >"$out/text.mp4"
: >"$out/empty.mp4"
