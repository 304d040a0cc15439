#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Prints the ids of the built-in strategies, one a line, from the one list that there is: the manifest.
set -eu
sed -n 's/^builtin("\([a-z0-9-]*\)".*/\1/p' "$(dirname "$0")/../Package.swift"
