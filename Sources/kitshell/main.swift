// SPDX-License-Identifier: Apache-2.0

internal import Glibc

// All output has been written. What a plugin in this process registered for exit, or holds of the loader's lock, is not waited for.
_exit(Kitshell.run(Array(CommandLine.arguments.dropFirst())).rawValue)
