#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds and runs the benchmarks; prints JSON. Needs a release build of kitshell (`make build`), and ffmpeg for the clip
# of the first-frame benchmark, which is left out otherwise.
set -eu
cd "$(dirname "$0")/.."

work=.build/bench
mkdir -p "$work"
swift build -c release --package-path Benchmarks >&2
# shellcheck disable=SC2046 # a list of flags
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Werror -IBenchmarks/Sources/CFirstFrame/include -o "$work/first_frame" \
  Benchmarks/baseline/first_frame.c Benchmarks/Sources/CFirstFrame/first_frame.c \
  $(pkg-config --cflags --libs libavformat libavcodec libavutil)

"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -shared -fPIC -fvisibility=hidden -ISources/PluginABI/include \
  -o "$work/strategies.so" Benchmarks/plugin/strategies.c

# As it is installed: by the C compiler alone, beside the program.
"${CC:-cc}" -std=c11 -O2 -D_GNU_SOURCE -ISources/PluginABI/include -ISources/Host/WorkerWire/include \
  -o Benchmarks/.build/release/kit-worker Sources/Host/Worker/*.c -lseccomp

# make_clip FILE PICTURE SECONDS [SOUND]
make_clip() {
  [ ! -f "$1" ] && command -v ffmpeg >/dev/null 2>&1 || return 0
  sound=
  [ -z "${4:-}" ] || sound="-f lavfi -t $3 -i $4"
  # shellcheck disable=SC2086 # a list of options
  ffmpeg -hide_banner -loglevel error -nostdin -y -f lavfi -t "$3" -i "$2" $sound \
    -c:a aac -c:v libx264 -preset medium -pix_fmt yuv420p -g 50 -movflags +faststart "$1"
}
make_clip "$work/720p.mp4" testsrc2=size=1280x720:rate=25 4 sine=frequency=440:sample_rate=48000
make_clip "$work/720p-long.mp4" testsrc2=size=1280x720:rate=25,noise=all_strength=5:all_flags=t 20 sine=frequency=440:sample_rate=48000
make_clip "$work/720p30.mp4" testsrc2=size=1280x720:rate=30 10
# Figures are those of the product, not of somebody's settings.
export KITSHELL_CONFIG=none
exec Benchmarks/.build/release/bench --kitshell .build/release/kitshell --builtins .build/release/builtin \
  --baseline "$work/first_frame" --clip "$work/720p.mp4" --long-clip "$work/720p-long.mp4" \
  --steady-clip "$work/720p30.mp4" --plugin "$work/strategies.so" "$@"
