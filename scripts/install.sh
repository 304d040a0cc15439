#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Copies a release build to DESTDIR/PREFIX. The worker is built here with the C compiler alone: it starts faster than
# the one that the package manager links to the Swift runtime.
#
#   PREFIX=/usr/local DESTDIR= scripts/install.sh
set -eu
cd "$(dirname "$0")/.."

prefix=${PREFIX:-/usr/local}
root=${DESTDIR-}$prefix
build=.build/release
version=$(sed -n 's/^## \[\([0-9][0-9.]*\)\].*/\1/p' CHANGELOG.md | head -n 1)
abi=$(sed -n 's/^#define KIT_ABI_MAJOR[[:space:]]*\([0-9]*\).*/\1/p' Sources/PluginABI/include/kitshell/*.h | head -n 1)
[ -x "$build/kitshell" ] || { echo "install: no release build; run 'make build' first" >&2; exit 1; }

install -d "$root/bin" "$root/libexec/kitshell" "$root/lib/kitshell/builtin" "$root/lib/pkgconfig" \
  "$root/share/kitshell/schemas" "$root/share/kitshell/feed" "$root/include/kitshell"
install -m 755 "$build/kitshell" "$root/bin/kitshell"
"${CC:-cc}" -std=c11 -O2 -D_GNU_SOURCE -ISources/PluginABI/include -ISources/Host/WorkerWire/include \
  -o "$root/libexec/kitshell/kit-worker" Sources/Host/Worker/*.c -lseccomp
scripts/builtins.sh | while read -r id; do
  install -m 755 "$build/lib$id.so" "$root/lib/kitshell/builtin/$id.so"
done
install -m 644 Media/demo.mp4 "$root/share/kitshell/demo.mp4"
install -m 644 Media/feed/* "$root/share/kitshell/feed/"
install -m 644 Sources/PluginABI/include/kitshell/*.h "$root/include/kitshell/"
find Sources -name '*.schema.json' -exec install -m 644 {} "$root/share/kitshell/schemas/" \;
cat >"$root/lib/pkgconfig/kitshell-plugin.pc" <<END
prefix=$prefix
includedir=\${prefix}/include

Name: kitshell-plugin
Description: Header of the plugin ABI of kitshell, major ${abi:-1}
Version: ${version:-0.1.0}
Cflags: -I\${includedir}
END
printf 'installed to %s\n' "$root"
