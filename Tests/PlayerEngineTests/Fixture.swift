// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The media that `scripts/make-test-media.sh` makes.
enum Fixture {
    static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)").path
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: path(name))))
    }
}
