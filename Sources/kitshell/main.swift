// SPDX-License-Identifier: Apache-2.0

internal import Glibc

exit(Kitshell.run(Array(CommandLine.arguments.dropFirst())).rawValue)
