// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The built-in plugins of this build, laid out as an installation has them.
package struct StagedBuiltins {
    private let directory: TemporaryDirectory

    package init(_ ids: String...) throws {
        directory = try TemporaryDirectory()
        // The root package's dynamic products are built beside the test bundle.
        let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        for id in ids {
            try FileManager.default.copyItem(
                atPath: products.appending(path: "lib\(id).so").path, toPath: directory.file("\(id).so"))
        }
    }

    package var path: String { directory.path }
}
