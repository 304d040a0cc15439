#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes Media/demo.mp4: five seconds of moving picture and a tone. The same ffmpeg gives the same bytes.
set -eu

command -v ffmpeg >/dev/null 2>&1 || { echo "make-demo-clip: no ffmpeg here; Debian's package is 'ffmpeg'" >&2; exit 1; }
out=${1:-$(cd "$(dirname "$0")/.." && pwd)/Media/demo.mp4}

ffmpeg -hide_banner -loglevel error -nostdin -y \
  -f lavfi -i testsrc2=size=640x360:rate=25:duration=5 \
  -f lavfi -i sine=frequency=440:sample_rate=48000:duration=5 \
  -map 0:v -map 1:a -map_metadata -1 \
  -c:v libx264 -threads 1 -preset slow -profile:v high -pix_fmt yuv420p -crf 30 -bf 2 -g 50 \
  -c:a aac -b:a 48k -ac 1 \
  -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -movflags +faststart \
  "$out"
