#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs tests that are built (`make debug plugins`) once more as a user without rights, if this one is root: what keeps plugins in must
# not lean on what only root may do. Elsewhere the tests run that way anyhow, and this does nothing.
#
#   scripts/unprivileged.sh FILTER    as `swift test --filter` takes it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

filter=${1:?usage: scripts/unprivileged.sh FILTER}
if [ "$(id -u)" -ne 0 ]; then
  echo "unprivileged: this user is not root, so all tests run without its rights"
  exit 0
fi
tests=$(echo .build/debug/*.xctest)
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
nobody=(--reuid=65534 --regid=65534 --clear-groups)
if setpriv "${nobody[@]}" test -r "$tests" -a -r Tests; then
  chown 65534:65534 "$home"
else
  echo "unprivileged: $PWD cannot be read by others, so it is root without any of its capabilities"
  nobody=(--inh-caps=-all --bounding-set=-all --no-new-privs)
fi
setpriv "${nobody[@]}" env HOME="$home" TMPDIR="$home" "$tests" --testing-library swift-testing --filter "$filter"
