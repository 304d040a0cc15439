// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import Synchronization

/// Which calls into strangers' plugins of this process are running, kept where it outlives the process: a file mapped into memory, so
/// that a note costs no system call. If this process dies inside one of them the next one can say so.
///
/// The file is locked as long as its process lives, which is how others know.
///
/// Thread: any.
final class CallJournal: Sendable {
    /// In the order of the words of an entry.
    enum Call: Int, CaseIterable {
        case load
        case create
        case events
        case decide
        case destroy

        /// - Parameter name: as faults have it.
        init?(_ name: String) {
            switch name {
            case "load": self = .load
            case "create": self = .create
            case "on_events": self = .events
            case "decide": self = .decide
            case "destroy": self = .destroy
            default: return nil
            }
        }

        var name: String { self == .events ? "on_events" : "\(self)" }
    }

    /// A head, then entries: a word for each call, the id, the path.
    enum Layout {
        static let magic = Array("KITCALLS".utf8)
        static let head = 64
        static let entry = 1024
        static let entries = 63
        static let size = head + entries * entry
        static let id = 32..<192
        static let path = 192..<1024
    }

    private enum State {
        case unused
        case open(Mapping)
        /// It cannot be written, or its time is over.
        case closed
    }

    private struct Mapping {
        var name: String
        var descriptor: Descriptor
        /// Mapped until the process ends: a lane that hangs may come back at any time.
        var address: UInt
        var used = 0
    }

    private static let journals = Atomic<Int>(0)
    private static let attempts = 3

    private let directory: StateDirectory
    private let state = Mutex(State.unused)

    init(_ directory: StateDirectory) {
        self.directory = directory
    }

    /// A place for one plugin; nil if the journal cannot be written or is full.
    func entry(id: String, path: String) -> JournalEntry? {
        state.withLock { state in
            if case .unused = state { state = map().map { .open($0) } ?? .closed }
            guard case .open(var mapping) = state, mapping.used < Layout.entries else { return nil }
            let address = mapping.address + UInt(Layout.head + mapping.used * Layout.entry)
            mapping.used += 1
            state = .open(mapping)
            return JournalEntry(address: address, lock: mapping.descriptor, id: id, path: path)
        }
    }

    /// Removes the file: whatever is still running, the process did not die of it.
    func remove() {
        let name = state.withLock { state -> String? in
            defer { state = .closed }
            guard case .open(let mapping) = state else { return nil }
            return mapping.name
        }
        if let name { directory.remove(name, from: .journal) }
    }

    private func map() -> Mapping? {
        for _ in 0..<CallJournal.attempts {
            let number = CallJournal.journals.wrappingAdd(1, ordering: .relaxed).newValue
            let name = "\(WallTime.now().compact)-\(getpid())-\(number)"
            guard let descriptor = directory.makeLocked(name, in: .journal, size: Layout.size) else { continue }
            guard
                let address = unsafe mmap(nil, Layout.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number, 0),
                unsafe address != MAP_FAILED
            else { return nil }
            unsafe address.copyMemory(from: Layout.magic, byteCount: Layout.magic.count)
            return Mapping(name: name, descriptor: descriptor, address: UInt(bitPattern: address))
        }
        return nil
    }

    // MARK: Reading

    /// Where processes ended that are gone, as in `com.example.x (/opt/x.so), create`, and forgets it.
    static func takeLastWords(from directory: StateDirectory) -> [String] {
        directory.names(in: .journal).flatMap { name -> [String] in
            let bytes = directory.takeUnlocked(name, from: .journal, size: Layout.size) ?? []
            return running(in: bytes)
        }
    }

    private static func running(in bytes: [UInt8]) -> [String] {
        guard bytes.count == Layout.size, bytes.starts(with: Layout.magic) else { return [] }
        return (0..<Layout.entries).flatMap { index -> [String] in
            let entry = bytes[(Layout.head + index * Layout.entry)...].prefix(Layout.entry)
            let calls = Call.allCases.enumerated().filter { number, _ in
                entry.dropFirst(4 * number).prefix(4).contains { $0 != 0 }
            }.map(\.element.name)
            guard !calls.isEmpty else { return [] }
            let (id, path) = (text(entry, Layout.id), text(entry, Layout.path))
            return ["\(id) (\(path)), \(calls.joined(separator: " or "))"]
        }
    }

    private static func text(_ entry: ArraySlice<UInt8>, _ range: Range<Int>) -> String {
        let bytes = entry.dropFirst(range.lowerBound).prefix(range.count).prefix { $0 != 0 }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}

/// The place of one plugin in the journal: how many calls into it are running.
///
/// Thread: any.
final class JournalEntry: Sendable {
    private let address: UInt
    /// The file stays locked as long as anybody may write to it.
    private let lock: Descriptor

    fileprivate init(address: UInt, lock: Descriptor, id: String, path: String) {
        self.address = address
        self.lock = lock
        for (text, range) in [(id, CallJournal.Layout.id), (path, CallJournal.Layout.path)] {
            // The last byte stays zero.
            let bytes = Array(text.utf8.prefix(range.count - 1))
            unsafe UnsafeMutableRawPointer(bitPattern: address + UInt(range.lowerBound))?
                .copyMemory(from: bytes, byteCount: bytes.count)
        }
    }

    /// A call begins.
    func enter(_ call: CallJournal.Call) { unsafe clinux_add32(word(call), 1) }

    /// A call came back, or is waited for no more.
    func leave(_ call: CallJournal.Call) { unsafe clinux_add32(word(call), -1) }

    private func word(_ call: CallJournal.Call) -> UnsafeMutablePointer<UInt32>? {
        unsafe UnsafeMutablePointer(bitPattern: address + UInt(4 * call.rawValue))
    }
}
