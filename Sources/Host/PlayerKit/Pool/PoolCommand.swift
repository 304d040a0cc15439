// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import Sessions

/// One thing to do to a pool, as a script or an event log says it.
enum PoolCommand: Hashable, Sendable {
    case max(Int64)
    case acquire(id: String, name: String)
    /// `id`: under another id than the lease's.
    case recycle(name: String, id: String?, force: Bool)
    case play(name: String)
    case lend(from: String, to: String)
    case giveBack(name: String)
    case reclaim(name: String)
    case preload(Int64)
    case clear
    case pressure(isCritical: Bool)
    case idle
    case upcoming([UpcomingItem])
    case failFactoryAfter(Int64)
    case counts

    /// How each command is written, by its first word.
    static let forms: [(word: String, form: String)] = [
        ("acquire", "acquire ID as NAME"), ("recycle", "recycle NAME [id ID] [force]"), ("play", "play NAME"),
        ("lend", "lend NAME to NAME"), ("return", "return NAME"), ("reclaim", "reclaim NAME"), ("max", "max N"),
        ("preload", "preload N"), ("clear", "clear"), ("pressure", "pressure moderate|critical"), ("idle", "idle"),
        ("upcoming", "upcoming ID:DISTANCE…"), ("fail-factory-after", "fail-factory-after N"), ("counts", "counts"),
    ]

    /// What is wrong with a line.
    struct Malformed: Error, Hashable {
        /// One sentence without a full stop.
        var message: String
        var hint: String
        /// The word that was not understood; nil if the command is known.
        var unknown: String?
    }

    /// Reads one line of a script.
    ///
    /// - Returns: nil for a blank line and for one that is a comment.
    init?(line: String) throws(Malformed) {
        let words = PoolCommand.words(of: line)
        guard let word = words.first else { return nil }
        let rest = Array(words.dropFirst())
        guard let form = PoolCommand.forms.first(where: { $0.word == word })?.form else {
            throw Malformed(
                message: "unknown command '\(word.prefix(64))'",
                hint: "valid: \(PoolCommand.forms.map(\.word).joined(separator: ", "))", unknown: word)
        }
        guard let command = try PoolCommand.parse(word, rest) else {
            throw Malformed(message: "'\(word)' is not followed by what it needs", hint: "write: \(form)")
        }
        self = command
    }

    /// The words up to a `#` that begins one.
    private static func words(of line: String) -> [String] {
        let all = line.split(whereSeparator: \.isWhitespace).map(String.init)
        return Array(all.prefix { !$0.hasPrefix("#") })
    }

    /// nil if the words after the first are not those of its form.
    private static func parse(_ word: String, _ rest: [String]) throws(Malformed) -> PoolCommand? {
        switch (word, rest.count) {
        case ("acquire", 3) where rest[1] == "as": return .acquire(id: rest[0], name: rest[2])
        case ("recycle", 1...4): return recycle(rest)
        case ("play", 1): return .play(name: rest[0])
        case ("lend", 3) where rest[1] == "to": return .lend(from: rest[0], to: rest[2])
        case ("return", 1): return .giveBack(name: rest[0])
        case ("reclaim", 1): return .reclaim(name: rest[0])
        case ("max", 1): return .max(try number(rest[0], of: word))
        case ("preload", 1): return .preload(try number(rest[0], of: word))
        case ("fail-factory-after", 1): return .failFactoryAfter(try number(rest[0], of: word))
        case ("clear", 0): return .clear
        case ("idle", 0): return .idle
        case ("counts", 0): return .counts
        case ("pressure", 1) where ["moderate", "critical"].contains(rest[0]):
            return .pressure(isCritical: rest[0] == "critical")
        case ("upcoming", _):
            var items: [UpcomingItem] = []
            for item in rest { items.append(try upcoming(item)) }
            return .upcoming(items)
        default: return nil
        }
    }

    private static func recycle(_ rest: [String]) -> PoolCommand? {
        var (id, force) = (String?.none, false)
        var words = rest.dropFirst()
        while let word = words.popFirst() {
            switch word {
            case "force" where !force: force = true
            case "id" where id == nil:
                guard let value = words.popFirst() else { return nil }
                id = value
            default: return nil
            }
        }
        return .recycle(name: rest[0], id: id, force: force)
    }

    private static func number(_ text: String, of word: String) throws(Malformed) -> Int64 {
        guard let number = Int64(text), number.magnitude <= PoolCommand.largest else {
            throw Malformed(
                message: "'\(word)' is followed by '\(text.prefix(64))', which is no such number",
                hint: "write a whole number up to \(PoolCommand.largest)")
        }
        return number
    }

    /// So many players nobody makes; they are made of memory.
    private static let largest: Int64 = 100_000

    /// Reads `ID:DISTANCE`; the id may hold colons.
    private static func upcoming(_ text: String) throws(Malformed) -> UpcomingItem {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let distance = Int32(text[text.index(after: colon)...])
        else {
            throw Malformed(
                message: "'\(text.prefix(64))' is no item with its distance",
                hint: "for example B:1, or A:-1 for what is behind")
        }
        return UpcomingItem(uniqueID: String(text[..<colon]), distance: distance)
    }
}

extension PoolCommand {
    /// Of the lease of a recorded operation that gave none.
    static let noName = ""

    /// What a recorded operation asked for; leases go by their numbers.
    ///
    /// - Returns: nil where nothing was asked that another pool could be asked.
    init?(_ record: PoolRecord) {
        let lease = record.lease.map { "\($0)" }
        switch (record.operation, lease) {
        case (.acquire(let id, _), _): self = .acquire(id: id, name: lease ?? PoolCommand.noName)
        case (.recycle(let id, let force), let lease?): self = .recycle(name: lease, id: id, force: force)
        case (.lend(let borrower?), let lease?): self = .lend(from: lease, to: "\(borrower)")
        case (.reclaim, let lease?): self = .reclaim(name: lease)
        // Whoever was to have the player has none; the next acquire is theirs as well.
        case (.lose, let lease?): self = .recycle(name: lease, id: nil, force: true)
        case (.preload(let count), _): self = .preload(Swift.min(Swift.max(count, 0), PoolCommand.largest))
        case (.clear, _): self = .clear
        case (.resize(let size), _): self = .max(size)
        case (.pressure(let isCritical), _): self = .pressure(isCritical: isCritical)
        case (.idle, _): self = .idle
        case (.upcoming(let items), _): self = .upcoming(items)
        case (.recycle, nil), (.lend, _), (.reclaim, nil), (.lose, nil): return nil
        }
    }
}
