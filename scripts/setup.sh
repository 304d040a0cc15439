#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes sure that the compiler and the libraries are there. Installs with apt what is missing, and nothing else;
# once all of it is there it touches neither the network nor apt.
#
#   scripts/setup.sh          install what is missing
#   scripts/setup.sh --tests  the same, and what some tests talk to
#   scripts/setup.sh --check  only tell; exit 1 if something is missing
set -eu

required_swift=6.3

say() { printf '%s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# What is needed: a probe, and the Debian package that brings it.
needs='
command:make          make
command:git           git
command:cc            gcc
command:c++           g++
command:pkg-config    pkg-config
library:libavformat   libavformat-dev
library:libavcodec    libavcodec-dev
library:libavutil     libavutil-dev
library:libswscale    libswscale-dev
library:libswresample libswresample-dev
library:libcurl       libcurl4-gnutls-dev
library:libelf        libelf-dev
library:jansson       libjansson-dev
library:libseccomp    libseccomp-dev
library:libsystemd    libsystemd-dev
'

# What tests need besides; they are skipped without it.
test_needs='
command:ip            iproute2
command:dbus-daemon   dbus-daemon
python:dbusmock       python3-dbusmock
python:prometheus_client python3-prometheus-client
'

# Without pkg-config the package database answers for a library.
is_there() {
  case $1 in
    python:*) /usr/bin/python3 -c "import ${1#python:}" >/dev/null 2>&1 ;;
    command:*) command -v "${1#command:}" >/dev/null 2>&1 ;;
    library:*)
      if command -v pkg-config >/dev/null 2>&1; then
        pkg-config --exists "${1#library:}"
      else
        dpkg-query -W -f='${Status}' "$2" 2>/dev/null | grep -q 'install ok installed'
      fi
      ;;
  esac
}

missing_packages() {
  printf '%s' "$needs" | while read -r probe package; do
    [ -n "$probe" ] || continue
    is_there "$probe" "$package" || printf '%s ' "$package"
  done
}

check_swift() {
  command -v swift >/dev/null 2>&1 || fail "no 'swift' on the PATH. Install a Swift $required_swift toolchain \
(https://www.swift.org/install/linux) and put its usr/bin on the PATH, then run this again."
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
  [ -n "$version" ] || fail "'swift --version' does not tell a version. Is $(command -v swift) a Swift toolchain?"
  lowest=$(printf '%s\n%s\n' "$required_swift" "$version" | sort -V | head -n 1)
  [ "$lowest" = "$required_swift" ] || fail "Swift $version is too old: this package needs $required_swift or later. \
Install a newer toolchain (https://www.swift.org/install/linux) and put its usr/bin first on the PATH."
}

install_packages() {
  command -v apt-get >/dev/null 2>&1 || fail "missing, by their Debian names: $*
There is no apt here to install them. Install the same with this system's package manager (the development files of \
FFmpeg's libraries, libcurl, elfutils' libelf, jansson, libseccomp and libsystemd, a C and a C++ compiler, make, git and pkg-config), then run this again."
  if [ "$(id -u)" -eq 0 ]; then
    as_root=
  elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
  else
    fail "missing: $*
Installing needs root and there is no sudo. As root, run: apt-get install --no-install-recommends $*"
  fi
  say "setup: installing with apt${as_root:+ (through sudo)}: $*"
  $as_root apt-get update -q
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

case ${1-} in
  '' | --check) ;;
  --tests) needs="$needs$test_needs" ;;
  *) fail "unknown option '$1'. Usage: scripts/setup.sh [--tests | --check]" ;;
esac

check_swift
missing=$(missing_packages)
[ -n "$missing" ] || exit 0
[ "${1-}" != --check ] || fail "missing, by their Debian names: $missing"

# shellcheck disable=SC2086 # a list of package names
install_packages $missing
missing=$(missing_packages)
[ -z "$missing" ] || fail "still missing after the installation: $missing"
