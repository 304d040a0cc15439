// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import Testing

/// Files that lie beside the tests.
enum Fixture {
    static func text(_ name: String) throws -> String {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures"))
        return try String(contentsOf: url, encoding: .utf8)
    }

    /// A report, by its name without extension.
    static func report(_ name: String) throws -> JSONValue {
        try JSONReader().read(try text("\(name).report.json"))
    }
}
