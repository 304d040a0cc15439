// SPDX-License-Identifier: Apache-2.0

import Foundation

extension [UInt8] {
    /// The content of a file.
    package init(contentsOf path: String) throws {
        self = [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// Makes a file of it.
    package func write(to path: String) throws {
        try Data(self).write(to: URL(filePath: path))
    }
}
