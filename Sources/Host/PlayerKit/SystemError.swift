// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A failed system call's errno.
struct SystemError: Error, CustomStringConvertible {
    var number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    var description: String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }
}
