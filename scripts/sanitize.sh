#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests under a sanitizer, in a build directory of its own.
#
#   scripts/sanitize.sh address|thread|undefined [ARGUMENTS OF swift test…]
set -eu
cd "$(dirname "$0")/.."

sanitizer=${1:?usage: scripts/sanitize.sh address|thread|undefined}
shift
scratch=.build/sanitize-$sanitizer
swift build --build-tests --sanitize "$sanitizer" --scratch-path "$scratch"
scripts/stage.sh "$scratch/debug"
swift test --skip-build --sanitize "$sanitizer" --scratch-path "$scratch" "$@"
