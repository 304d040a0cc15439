#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every plugin that was built exports its entry and nothing else.
#
#   scripts/check-exports.sh FILE.so…
set -eu

[ $# -gt 0 ] || { echo "usage: scripts/check-exports.sh FILE.so…" >&2; exit 2; }
status=0
for file in "$@"; do
  symbols=$(nm -D --extern-only --defined-only --format=posix "$file" | awk '{print $1}' | sort)
  if [ "$symbols" != kit_plugin_entry_v1 ]; then
    printf 'exports: %s must export kit_plugin_entry_v1 and nothing else; it exports:\n%s\n' \
      "$file" "${symbols:-nothing}" >&2
    status=1
  fi
done
exit "$status"
