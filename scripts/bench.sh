#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds and runs the benchmarks; prints JSON. Needs a release build of kitshell (`make build`), and ffmpeg for the clip
# of the first-frame benchmark, which is left out otherwise.
set -eu
cd "$(dirname "$0")/.."

work=.build/bench
clip=$work/720p.mp4
mkdir -p "$work"
swift build -c release --package-path Benchmarks >&2
# shellcheck disable=SC2046 # a list of flags
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Werror -o "$work/first_frame" Benchmarks/baseline/first_frame.c \
  $(pkg-config --cflags --libs libavformat libavcodec libavutil)
if [ ! -f "$clip" ] && command -v ffmpeg >/dev/null 2>&1; then
  ffmpeg -hide_banner -loglevel error -nostdin -y \
    -f lavfi -i testsrc2=size=1280x720:rate=25:duration=4 \
    -f lavfi -i sine=frequency=440:sample_rate=48000:duration=4 \
    -c:v libx264 -preset medium -pix_fmt yuv420p -g 50 -c:a aac -movflags +faststart "$clip"
fi
exec Benchmarks/.build/release/bench --kitshell .build/release/kitshell --baseline "$work/first_frame" --clip "$clip" "$@"
