#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests, and says again at the end what failed: of a log of a thousand tests that is what is looked for.
#
#   scripts/test.sh [ARGUMENTS OF swift test…]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
"${SWIFT:-swift}" test "$@" 2>&1 | tee "$log" || status=$?
if [ "$status" -ne 0 ]; then
  printf '\nWhat failed:\n'
  grep -aE -A 12 'recorded an issue|Fatal error|ERROR: |error: ' "$log" | cut -c 1-1000 | head -n 200 || true
  grep -aE '^✘ Test run' "$log" || true
fi
exit "$status"
