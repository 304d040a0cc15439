// SPDX-License-Identifier: Apache-2.0

/// Reads one JSON5 document (json5.org, 1.0.0) and keeps where everything stands in it.
///
/// Beyond JSON it takes comments, trailing commas, keys without quotes, single quotes, hexadecimal numbers and the other freedoms of
/// JSON5. Stricter than JSON5 it is where two readers could understand two things: a repeated key, a number that has no 64-bit
/// form, half a surrogate pair and a NUL are errors.
///
/// Thread: any.
package struct JSON5Reader: Sendable {
    /// What was read.
    package struct Document: Sendable {
        /// nil if the text ends or goes wrong somewhere that nothing can be made of.
        package var root: JSON5Value?
        /// In the order of the text; not empty if there is no root. The reader goes on where it can, so there may be several.
        package var errors: [JSON5Error]
    }

    /// Arrays and objects inside each other, at most.
    package var maximumDepth: Int

    /// - Parameter maximumDepth: 1 to 500.
    package init(maximumDepth: Int = 64) {
        self.maximumDepth = min(max(maximumDepth, 1), 500)
    }

    /// - Parameter bytes: UTF-8, with or without a byte order mark.
    package func read(_ bytes: [UInt8]) -> Document {
        let scanner: JSON5Scanner
        do throws(JSON5Error) {
            scanner = try JSON5Scanner(bytes)
        } catch {
            return Document(root: nil, errors: [error])
        }
        var parser = JSON5Parser(scanner, maximumDepth: maximumDepth)
        do throws(JSON5Error) {
            let root = try parser.document()
            return Document(root: root, errors: parser.errors)
        } catch {
            return Document(root: nil, errors: parser.errors + [error])
        }
    }
}
