#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Lays the built-in strategies, the demo clip and the demo feed beside a built kitshell, where it looks for them:
# builtin/<id>.so, share/demo.mp4 and share/feed.
#
#   scripts/stage.sh DIRECTORY    the directory that holds kitshell: .build/debug, .build/release
set -eu

[ -d "${1-}" ] || { echo "usage: scripts/stage.sh DIRECTORY (of a built kitshell)" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
bin=$1

mkdir -p "$bin/builtin" "$bin/share/feed"
rm -f "$bin"/builtin/*.so
"$root/scripts/builtins.sh" | while read -r id; do
  ln -f "$bin/lib$id.so" "$bin/builtin/$id.so"
done
cp "$root/Media/demo.mp4" "$bin/share/demo.mp4"
cp "$root"/Media/feed/* "$bin/share/feed/"
