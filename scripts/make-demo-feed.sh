#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes Media/feed: five clips of three seconds, each with a picture and a tone of its own, and the list of them. The same ffmpeg
# gives the same bytes.
set -eu

command -v ffmpeg >/dev/null 2>&1 || { echo "make-demo-feed: no ffmpeg here; Debian's package is 'ffmpeg'" >&2; exit 1; }
out=${1:-$(cd "$(dirname "$0")/.." && pwd)/Media/feed}
mkdir -p "$out"

clip() {
  ffmpeg -hide_banner -loglevel error -nostdin -y \
    -f lavfi -i "$2" -f lavfi -i "sine=frequency=$3:sample_rate=48000:duration=3" \
    -map 0:v -map 1:a -map_metadata -1 -t 3 \
    -c:v libx264 -threads 1 -preset slow -profile:v high -pix_fmt yuv420p -crf 34 -bf 2 -g 50 \
    -c:a aac -b:a 32k -ac 1 \
    -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -movflags +faststart \
    "$out/$1.mp4"
  echo "$1.mp4" >>"$out/feed.txt"
}

echo "# The demo feed: one source a line, relative to this file." >"$out/feed.txt"
clip bars "smptebars=size=180x320:rate=25:duration=3" 330
clip counter "testsrc=size=180x320:rate=25:duration=3" 392
clip waves "gradients=size=180x320:rate=25:duration=3:speed=0.05:seed=1:nb_colors=3" 440
clip blocks "testsrc2=size=180x320:rate=25:duration=3" 494
clip spiral "gradients=size=180x320:rate=25:duration=3:speed=0.1:seed=2:type=spiral" 554
