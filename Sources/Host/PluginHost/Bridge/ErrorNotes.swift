// SPDX-License-Identifier: Apache-2.0

internal import Glibc
import Synchronization

/// What a plugin said through `report_error`, until the call that failed returns and takes it.
///
/// A note belongs to the thread it came from, or to the instance if the plugin called from a thread of its own. The last one counts.
///
/// Thread: any.
final class ErrorNotes: Sendable {
    private struct Note {
        var thread: UInt
        /// The instance pointer as a number, 0 for none.
        var instance: UInt
        var text: String

        func isAbout(thread: UInt, instance: UInt) -> Bool {
            self.thread == thread || (instance != 0 && self.instance == instance)
        }
    }

    private static let capacity = 64
    private let notes = Mutex<[Note]>([])

    func add(instance: UInt, text: String) {
        let thread = ErrorNotes.currentThread
        notes.withLock { notes in
            notes.removeAll { $0.isAbout(thread: thread, instance: instance) }
            if notes.count == ErrorNotes.capacity { notes.removeFirst() }
            notes.append(Note(thread: thread, instance: instance, text: text))
        }
    }

    /// Removes and returns what was said during the call that ran on this thread for this instance; empty if nothing.
    func take(instance: UInt) -> String {
        let thread = ErrorNotes.currentThread
        return notes.withLock { notes in
            guard !notes.isEmpty else { return "" }
            let text = notes.last { $0.isAbout(thread: thread, instance: instance) }?.text ?? ""
            notes.removeAll { $0.isAbout(thread: thread, instance: instance) }
            return text
        }
    }

    private static var currentThread: UInt { UInt(pthread_self()) }
}
