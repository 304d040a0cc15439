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
case $sanitizer in
  # Swift has no such sanitizer on Linux; the C and C++ parts trap, which needs no run-time library.
  undefined)
    flags=
    for flag in -fsanitize=undefined -fsanitize-trap=undefined; do flags="$flags -Xcc $flag -Xcxx $flag"; done
    ;;
  *) flags="--sanitize $sanitizer" ;;
esac

# shellcheck disable=SC2086 # a list of flags
swift build --build-tests --scratch-path "$scratch" $flags
scripts/stage.sh "$scratch/debug"
# shellcheck disable=SC2086
swift test --skip-build --scratch-path "$scratch" $flags "$@"
