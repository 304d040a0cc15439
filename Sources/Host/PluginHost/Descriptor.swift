// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file descriptor above the standard ones, closed when its last owner lets go of it.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes over what a system call returned.
    init(_ result: Int32) throws(SystemFailure) {
        guard result >= 0 else { throw .last() }
        // A program that was started without standard descriptors would get one of their numbers here.
        if result > STDERR_FILENO {
            number = result
            return
        }
        number = fcntl(result, F_DUPFD_CLOEXEC, STDERR_FILENO + 2)
        let failure = SystemFailure.last()
        close(result)
        guard number >= 0 else { throw failure }
    }

    deinit {
        close(number)
    }

    /// Takes over the two descriptors that a system call makes.
    static func pair(
        _ make: (UnsafeMutablePointer<Int32>) -> Int32
    ) throws(SystemFailure) -> (Descriptor, Descriptor) {
        var ends: [Int32] = [-1, -1]
        let status = unsafe ends.withUnsafeMutableBufferPointer { ends in
            unsafe ends.baseAddress.map { unsafe make($0) } ?? -1
        }
        guard status == 0 else { throw .last() }
        let first: Descriptor
        do throws(SystemFailure) {
            first = try Descriptor(ends[0])
        } catch {
            close(ends[1])
            throw error
        }
        return (first, try Descriptor(ends[1]))
    }
}
