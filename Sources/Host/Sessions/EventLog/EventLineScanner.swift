// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Reads the lines that most of a log consists of, as `EventLogWriter` writes them, without a JSON tree.
///
/// Only this shape is known: `{"t_ms":N,"event":"NAME"` and keys of that event, no spaces, no escapes, no objects, no texts but short
/// ones. What it takes means exactly what `EventLineParser` makes of it; anything else, right or wrong, is left to that.
struct EventLineScanner {
    /// A key that a type of event has; its names are a range of `words`.
    private struct Slot {
        var key: PackedWord
        var kind: EventSchema.Kind.Plain
        var index: Int
        var names: Range<Int>
    }

    /// A type of event: what it is before any key was read, and its keys, a range of `slots`.
    private struct Entry {
        var name: PackedWord
        /// Whether its lines are of the shape that is known here.
        var isPlain: Bool
        var event: PlayerEvent
        var slots: Range<Int>
        var flag: (key: PackedWord, flag: EventFlags)?
    }

    /// A value as it stands.
    private enum Value {
        case null
        case flag(Bool)
        /// Divided by a power of ten, 0 to 3.
        case number(Int64, decimals: Int)
        case word(PackedWord)
    }

    private static let tableSize = 256

    private var entries: [Entry] = []
    private var slots: [Slot] = []
    private var words: [PackedWord] = []
    /// Places in `entries` by name, open addressing; -1 is free.
    private var table = [Int16](repeating: -1, count: EventLineScanner.tableSize)

    private let session = PackedWord("session")
    private let controller = PackedWord("controller")
    private let position = PackedWord("at_ms")
    private let replayed = PackedWord("replayed")

    init() {
        for schema in EventSchema.all {
            if let name = PackedWord(schema.name) { add(schema, name) }
        }
    }

    private mutating func add(_ schema: EventSchema, _ name: PackedWord) {
        let first = slots.count
        var event = PlayerEvent(schema.type)
        var isPlain = if case .none = schema.text { true } else { false }
        for slot in schema.slots {
            let firstWord = words.count
            // A name that is too long keeps its place, and is left to the parser.
            for word in slot.kind.names { words.append(PackedWord(word) ?? PackedWord()) }
            event.values[slot.index] = slot.absent
            guard let key = PackedWord(slot.key) else {
                isPlain = false
                continue
            }
            slots.append(Slot(key: key, kind: slot.kind.plain, index: slot.index, names: firstWord..<words.count))
        }
        var place = EventLineScanner.place(of: name)
        while table[place] >= 0 { place = (place + 1) % EventLineScanner.tableSize }
        table[place] = Int16(entries.count)
        entries.append(
            Entry(
                name: name, isPlain: isPlain, event: event, slots: first..<slots.count,
                flag: schema.flag.flatMap { flag in PackedWord(flag.key).map { (key: $0, flag: flag.flag) } }))
    }

    /// - Returns: nil for a line of another shape.
    func scan(_ text: Span<UInt8>) -> PlayerEvent? {
        var cursor = Cursor()
        guard cursor.take(EventLineScanner.head, in: text),
            case .number(let time, let decimals)? = cursor.value(in: text),
            let time = EventLineScanner.thousandths(time, decimals),
            cursor.take(EventLineScanner.name, in: text), let name = cursor.word(in: text),
            let entry = entry(of: name), entries[entry].isPlain
        else { return nil }
        var event = entries[entry].event
        event.time = EventTime(microseconds: time)
        let (slots, flag) = (entries[entry].slots, entries[entry].flag)
        var seen: UInt32 = 0
        while cursor.take(UInt8(ascii: ","), in: text) {
            guard cursor.take(UInt8(ascii: "\""), in: text), let key = cursor.word(in: text),
                cursor.take(UInt8(ascii: ":"), in: text), let value = cursor.value(in: text),
                let bit = put(value, key, slots, flag, into: &event), seen & bit == 0
            else { return nil }
            seen |= bit
        }
        return cursor.take(UInt8(ascii: "}"), in: text) && cursor.isAtEnd(of: text) ? event : nil
    }

    private static let head = Array("{\"t_ms\":".utf8)
    private static let name = Array(",\"event\":\"".utf8)

    // MARK: Keys

    private static func place(of name: PackedWord) -> Int { Int(name.mixed >> 56) }

    private func entry(of name: PackedWord) -> Int? {
        var place = EventLineScanner.place(of: name)
        while table[place] >= 0 {
            let index = Int(table[place])
            if entries[index].name == name { return index }
            place = (place + 1) % EventLineScanner.tableSize
        }
        return nil
    }

    /// - Returns: a bit that stands for the key; nil if key or value are left to the parser.
    private func put(
        _ value: Value, _ key: PackedWord, _ slots: Range<Int>, _ flag: (key: PackedWord, flag: EventFlags)?,
        into event: inout PlayerEvent
    ) -> UInt32? {
        if key == session || key == controller {
            guard case .number(let number, decimals: 0) = value, number >= 1,
                number <= Int64(EventLimits.largestNumber)
            else { return nil }
            if key == session {
                event.session = SessionID(rawValue: UInt32(number))
                return 1
            }
            event.controller = ControllerID(rawValue: UInt32(number))
            return 2
        }
        if key == position {
            guard case .number(let number, let decimals) = value,
                let position = EventLineScanner.thousandths(number, decimals)
            else { return nil }
            event.positionMicroseconds = position
            return 4
        }
        if key == replayed {
            guard case .flag(true) = value else { return nil }
            event.flags.insert(.replayed)
            return 8
        }
        if let flag, key == flag.key {
            guard case .flag(true) = value else { return nil }
            event.flags.insert(flag.flag)
            return 16
        }
        for index in slots where self.slots[index].key == key {
            guard let number = number(value, self.slots[index]) else { return nil }
            event.values[self.slots[index].index] = number
            return 32 << UInt32(index - slots.lowerBound)
        }
        return nil
    }

    // MARK: Values

    private func number(_ value: Value, _ slot: Slot) -> Int64? {
        switch (value, slot.kind) {
        case (.null, _): PlayerEvent.unknown
        case (.number(let number, let decimals), .thousandths): EventLineScanner.thousandths(number, decimals)
        case (.number(let number, decimals: 0), _): EventLimits.holds(number) ? number : nil
        case (.flag(let flag), .flag): flag ? 1 : 0
        case (.word(let word), .name): slot.names.first { words[$0] == word }.map { Int64($0 - slot.names.lowerBound) }
        case (.word(let word), .eventName): entry(of: word).map { Int64(entries[$0].event.type.rawValue) }
        default: nil
        }
    }

    private static func thousandths(_ number: Int64, _ decimals: Int) -> Int64? {
        // At most 15 digits were read, so this does not overflow.
        let scaled = decimals == 0 ? number * 1000 : decimals == 1 ? number * 100 : decimals == 2 ? number * 10 : number
        return EventLimits.holds(scaled) ? scaled : nil
    }

    /// A place in a line.
    private struct Cursor {
        private static let mostDigits = 15

        private var index = 0

        func isAtEnd(of text: Span<UInt8>) -> Bool { index == text.count }

        /// The byte at the place; 0 at the end.
        private func next(in text: Span<UInt8>) -> UInt8 { index < text.count ? text[index] : 0 }

        /// Goes past an expected byte; stays where it is if it is not there.
        mutating func take(_ expected: UInt8, in text: Span<UInt8>) -> Bool {
            guard next(in: text) == expected else { return false }
            index += 1
            return true
        }

        mutating func take(_ expected: [UInt8], in text: Span<UInt8>) -> Bool {
            for byte in expected where !take(byte, in: text) { return false }
            return true
        }

        /// The rest of a short text, and its closing quote.
        mutating func word(in text: Span<UInt8>) -> PackedWord? {
            var word = PackedWord()
            var count = 0
            while index < text.count {
                let byte = text[index]
                index += 1
                if byte == UInt8(ascii: "\"") { return count > 0 ? word : nil }
                guard byte >= 0x20, byte < 0x7f, byte != UInt8(ascii: "\\"), count < PackedWord.longest else {
                    return nil
                }
                word.put(byte, at: count)
                count += 1
            }
            return nil
        }

        mutating func value(in text: Span<UInt8>) -> Value? {
            switch next(in: text) {
            case UInt8(ascii: "\""):
                index += 1
                return word(in: text).map { .word($0) }
            case UInt8(ascii: "t"): return take(Cursor.true, in: text) ? .flag(true) : nil
            case UInt8(ascii: "f"): return take(Cursor.false, in: text) ? .flag(false) : nil
            case UInt8(ascii: "n"): return take(Cursor.null, in: text) ? .null : nil
            default: return number(in: text)
            }
        }

        private static let `true` = Array("true".utf8)
        private static let `false` = Array("false".utf8)
        private static let null = Array("null".utf8)

        private mutating func number(in text: Span<UInt8>) -> Value? {
            let isNegative = take(UInt8(ascii: "-"), in: text)
            let start = index
            var number: Int64 = 0
            digits(of: text, into: &number)
            let whole = index - start
            guard whole > 0, whole == 1 || text[start] != UInt8(ascii: "0") else { return nil }
            var decimals = 0
            if take(UInt8(ascii: "."), in: text) {
                let first = index
                digits(of: text, into: &number)
                decimals = index - first
                guard 1...3 ~= decimals else { return nil }
            }
            guard whole + decimals <= Cursor.mostDigits, next(in: text) | 0x20 != UInt8(ascii: "e") else { return nil }
            return .number(isNegative ? -number : number, decimals: decimals)
        }

        /// Digits beyond those that a number may have are passed over; the caller counts.
        private mutating func digits(of text: Span<UInt8>, into number: inout Int64) {
            while index < text.count {
                let digit = text[index] &- UInt8(ascii: "0")
                guard digit < 10 else { return }
                number = number &* 10 &+ Int64(digit)
                index += 1
            }
        }
    }
}

extension EventSchema.Kind {
    /// What a number means, without its names.
    fileprivate enum Plain {
        case thousandths
        case integer
        case flag
        case name
        case eventName
    }

    fileprivate var plain: Plain {
        switch self {
        case .thousandths, .moment: .thousandths
        case .integer: .integer
        case .flag: .flag
        case .name: .name
        case .eventName: .eventName
        }
    }

    fileprivate var names: [String] {
        if case .name(let names) = self { names } else { [] }
    }
}
