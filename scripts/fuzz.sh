#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Gives hostile input to the real thing, case after case, each from a number that makes it again.
#
#   scripts/fuzz.sh media|wire|config [--seconds N] [--seed S] [--count N] [--sanitizer address|thread]
#
# media:  damaged copies of the engine's fixtures are played, with seeks on the way. A file that crashes the player, hangs it or has it
#         tell nonsense is kept in .build/fuzz-media; the first part of its name is its seed.
# wire:   the host feeds and asks workers that break the protocol at random.
# config: damaged texts are given to the reader of configuration files.
set -eu
cd "$(dirname "$0")/.."

usage() { sed -n 's/^#   //p' "$0" >&2; exit 2; }

case ${1-} in
  media) tests=PlayerEngineTests.MutationTests ;;
  wire) tests=PluginWorkerTests.HostileWorkerTests ;;
  config) tests=JSONTextTests.JSON5FuzzTests ;;
  *) usage ;;
esac
what=$1
shift
seconds=60 seed=$(date +%s) count=1000000000 sanitizer=
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || usage
  case $1 in
    --seconds) seconds=$2 ;;
    --seed) seed=$2 ;;
    --count) count=$2 ;;
    --sanitizer) sanitizer=$2 ;;
    *) usage ;;
  esac
  shift 2
done

KIT_FUZZ_SECONDS=$seconds KIT_FUZZ_SEED=$seed KIT_FUZZ_COUNT=$count KIT_FUZZ_DIRECTORY=$PWD/.build/fuzz-$what
export KIT_FUZZ_SECONDS KIT_FUZZ_SEED KIT_FUZZ_COUNT KIT_FUZZ_DIRECTORY
echo "fuzz: $what, seed $seed, $seconds s" >&2
if [ -n "$sanitizer" ]; then
  exec scripts/sanitize.sh "$sanitizer" --filter "$tests"
fi
swift build --build-tests
exec swift test --skip-build --filter "$tests"
