#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The import rules of docs/architecture.md that the compiler does not enforce by itself.
set -eu
cd "$(dirname "$0")/.."
status=0

# Every import of a Swift file as "path module"; access words, attributes and import kinds are cut off.
imports=$(find Sources -name '*.swift' -exec awk '
  /^[[:space:]]*(@[A-Za-z_()]+[[:space:]]+)*((public|package|internal|fileprivate|private)[[:space:]]+)?import[[:space:]]/ {
    sub(/^.*import[[:space:]]+/, "")
    sub(/^(class|enum|func|let|protocol|struct|typealias|var)[[:space:]]+/, "")
    sub(/[.;[:space:]].*$/, "")
    print FILENAME, $0
  }' {} +)

# only MODULE-PATTERN PATH-PATTERN REASON: the modules may be imported by files under the paths, and by no other.
only() {
  wrong=$(printf '%s\n' "$imports" | grep -E " ($1)\$" | grep -Ev "^($2)" || true)
  [ -z "$wrong" ] || { printf 'imports: %s\n%s\n' "$3" "$wrong" >&2; status=1; }
}

only 'Foundation|FoundationEssentials|FoundationNetworking' '-' 'no Foundation in Sources (start-up time)'
only 'Dispatch' 'Sources/Host/PlayerRuntime/' 'Dispatch is for PlayerRuntime only'
only 'CLibAV' 'Sources/Host/PlayerEngine/' 'libav is known to PlayerEngine only'
only 'CCurl' 'Sources/Host/PlayerEngine/Network/' 'libcurl is known to PlayerEngine/Network only'
only 'CElf' 'Sources/Host/PluginHost/Inspect/' 'libelf is known to PluginHost/Inspect only'
only 'CJansson' 'Sources/Host/JSONText/' 'jansson is known to JSONText only'
only 'CSystemd' 'Sources/Host/MachineNetwork/' 'the message bus is known to MachineNetwork only'
only 'FaultGuard|WorkerWire' 'Sources/Host/PluginHost/' 'a plugin is called by PluginHost only'
only 'PlayerKit' 'Sources/kitshell/' 'only the command knows PlayerKit'
only 'PlayerEngine|PlayerRuntime|PluginHost|Sessions|JSONText|MachineNetwork|MediaCore|CLinux' 'Sources/(Host|kitshell)/' \
  'a plugin never imports a host module'
only 'PluginStrategies|PluginSupport|[A-Za-z]*Note' 'Sources/Plugins/' 'the host never imports a plugin module'

# C libraries stay out of every interface.
wrong=$(grep -rnE '^[[:space:]]*(public|package)[[:space:]]+import[[:space:]]+(CLibAV|CCurl|CElf|CJansson|CLinux|CSystemd)' \
  --include='*.swift' Sources || true)
[ -z "$wrong" ] || { printf 'imports: a C library is imported with "internal import"\n%s\n' "$wrong" >&2; status=1; }

exit "$status"
