// SPDX-License-Identifier: Apache-2.0

/// An open file, pipe or device that something is written to, and what a person calls it. Its maker closes it.
///
/// For a pipe whose reader may go away, the process ignores SIGPIPE.
public struct OutputDescriptor: Hashable, Sendable {
    public var descriptor: Int32
    /// For messages: a path, or `standard output`.
    public var name: String

    public init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }
}
