#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Rules on files: the licence banner, length, no marks of unfinished work or of a merge, spelling (where codespell is installed).
set -eu
cd "$(dirname "$0")/.."
status=0

report() { # TITLE LINES
  [ -z "$2" ] || { printf 'files: %s\n%s\n' "$1" "$2" >&2; status=1; }
}

# What git knows or would know; generated and ignored files are none of our business.
code() {
  git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
    [ ! -f "$file" ] || printf '%s\n' "$file"
  done
}

report 'no SPDX-License-Identifier in the first three lines' "$(
  code '*.swift' '*.c' '*.cpp' '*.h' '*.sh' '*.map' Makefile '*/Makefile' .ci/run | while read -r file; do
    head -n 3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || printf '%s\n' "$file"
  done
)"

report 'more than 600 lines: split it' "$(
  code '*.swift' '*.c' '*.cpp' '*.h' '*.sh' | while read -r file; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 600 ] || printf '%s: %s lines\n' "$file" "$lines"
  done
)"

# The marks are put together here so that this file does not carry them.
marks="TO""DO|FIX""ME|XX""X"
report 'unfinished work is finished or written down as an issue, not marked in the code' "$(
  code '*.swift' '*.c' '*.cpp' '*.h' '*.sh' Makefile '*/Makefile' | while read -r file; do
    grep -HnwE "$marks" "$file" || true
  done
)"

report 'a merge left its marks: choose one of the texts' "$(
  git grep -nIE '^(<{7} |={7}$|>{7} )' || true
)"

if command -v codespell >/dev/null 2>&1; then
  code '*.swift' '*.c' '*.cpp' '*.h' '*.sh' '*.md' Makefile | xargs codespell || status=1
fi
if command -v shellcheck >/dev/null 2>&1; then
  code '*.sh' .ci/run | xargs shellcheck || status=1
fi
exit "$status"
