// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport

// Builds the fixtures of the hostile corpus, tries each in every place and compares with the table. Exit status: 0 if all is as
// expected, 1 if something differs, 2 if it cannot be run.

do {
    exit(try Corpus(arguments: Array(CommandLine.arguments.dropFirst())).run() ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("corpus: \(error)\n".utf8))
    exit(2)
}
