#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Takes pictures of an HTML report in light and dark, on a desk and on a phone, with a headless Chromium.
#
#   scripts/screenshots.sh REPORT.html DIRECTORY
#
# Chromium is the only thing needed (apt install chromium); CHROMIUM names another one.
set -eu

[ $# -eq 2 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ -f "$1" ] || { echo "screenshots: there is no file $1" >&2; exit 1; }
report=$(realpath "$1")
directory=$2
chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$chromium" ] || { echo "no Chromium found: apt install chromium, or set CHROMIUM" >&2; exit 1; }
mkdir -p "$directory"
directory=$(realpath "$directory")
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

# take NAME WIDTH HEIGHT SCALE [OPTION…]
take() {
    name=$1 width=$2 height=$3 scale=$4
    shift 4
    "$chromium" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile" \
        --force-device-scale-factor="$scale" --window-size="$width,$height" \
        --screenshot="$directory/$name.png" "$@" "file://$report" >"$directory/$name.log" 2>&1 ||
        { cat "$directory/$name.log" >&2; exit 1; }
    rm "$directory/$name.log"
    echo "$directory/$name.png"
}

take light 1100 2400 1
take dark 1100 2400 1 --blink-settings=preferredColorScheme=0
take phone-light 390 3600 1
take phone-dark 390 3600 1 --blink-settings=preferredColorScheme=0
