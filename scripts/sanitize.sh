#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests under a sanitizer, in a build directory of its own.
#
#   scripts/sanitize.sh address|thread [ARGUMENTS OF swift test…]
set -eu
cd "$(dirname "$0")/.."

sanitizer=${1:?usage: scripts/sanitize.sh address|thread}
shift
scratch=.build/sanitize-$sanitizer
LSAN_OPTIONS=suppressions=$PWD/scripts/lsan.supp:print_suppressions=0
export LSAN_OPTIONS
# The plugins find the functions of the sanitizer in the executable that loads them.
flags="--sanitize $sanitizer -Xlinker --export-dynamic"
if [ "$sanitizer" = address ]; then
  # Undefined behaviour too: the C and C++ parts trap, which needs no run-time library; Swift checks itself.
  for flag in -fsanitize=undefined -fsanitize-trap=undefined; do flags="$flags -Xcc $flag -Xcxx $flag"; done
fi

if [ "$sanitizer" = thread ]; then
  # A copy of the tree whose every module has a Mutex that this sanitizer can see.
  copy=.build/sanitize-source
  rm -rf "$copy"
  mkdir -p "$copy"
  git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$copy"
  for folder in "$copy"/Sources/Host/* "$copy"/Sources/kitshell "$copy"/Sources/Plugins/* "$copy"/Tests/*; do
    ! grep -rqs --include='*.swift' 'Mutex[<(]' "$folder" || cp scripts/tsan/Mutex.swift "$folder/"
  done
  scratch=$PWD/$scratch
  cd "$copy"
fi

# shellcheck disable=SC2086 # a list of flags
swift build --build-tests --scratch-path "$scratch" $flags
scripts/stage.sh "$scratch/debug"
# shellcheck disable=SC2086
swift test --skip-build --scratch-path "$scratch" $flags "$@"
