// SPDX-License-Identifier: Apache-2.0

/// Options that help shows together.
package struct OptionGroup<Options>: Sendable {
    /// nil: the only group of its command.
    package var title: String?
    package var rows: [OptionRow<Options>]

    package init(_ title: String? = nil, rows: [OptionRow<Options>]) {
        self.title = title
        self.rows = rows
    }
}
