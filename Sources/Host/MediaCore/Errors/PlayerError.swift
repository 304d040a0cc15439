// SPDX-License-Identifier: Apache-2.0

/// Names a kind of failure. An open set; the number's thousands are its family, which is also the first part of the name.
///
/// 1xxx misc, 2xxx I/O, 3xxx container, 4xxx decode, 5xxx output, 6xxx plugin.
public struct ErrorCode: Hashable, Sendable {
    public var rawValue: Int32
    /// Dotted, lower case: `container.truncated`.
    public var name: String

    public init(rawValue: Int32, name: String) {
        self.rawValue = rawValue
        self.name = name
    }

    public static func == (left: ErrorCode, right: ErrorCode) -> Bool { left.rawValue == right.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    public static let invalidSource = ErrorCode(rawValue: 1001, name: "misc.invalid_source")
    public static let noResolver = ErrorCode(rawValue: 1002, name: "misc.no_resolver")
    public static let noPlayer = ErrorCode(rawValue: 1003, name: "misc.no_player")
    public static let illegalState = ErrorCode(rawValue: 1004, name: "misc.illegal_state")
    public static let cancelled = ErrorCode(rawValue: 1005, name: "misc.cancelled")
    public static let outOfMemory = ErrorCode(rawValue: 1006, name: "misc.out_of_memory")
    public static let poolRefused = ErrorCode(rawValue: 1007, name: "misc.pool_refused")
    public static let staleLease = ErrorCode(rawValue: 1008, name: "misc.stale_lease")
    public static let factoryFailed = ErrorCode(rawValue: 1009, name: "misc.factory_failed")
    public static let outOfRange = ErrorCode(rawValue: 1010, name: "misc.out_of_range")

    public static let notFound = ErrorCode(rawValue: 2001, name: "io.not_found")
    public static let notPermitted = ErrorCode(rawValue: 2002, name: "io.not_permitted")
    public static let isDirectory = ErrorCode(rawValue: 2003, name: "io.is_directory")
    public static let emptySource = ErrorCode(rawValue: 2004, name: "io.empty")
    public static let readFailed = ErrorCode(rawValue: 2005, name: "io.read_failed")
    public static let timedOut = ErrorCode(rawValue: 2006, name: "io.timed_out")
    public static let connectFailed = ErrorCode(rawValue: 2007, name: "io.connect_failed")
    public static let httpStatus = ErrorCode(rawValue: 2008, name: "io.http_status")
    public static let unsupportedProtocol = ErrorCode(rawValue: 2009, name: "io.unsupported_protocol")

    public static let notMedia = ErrorCode(rawValue: 3001, name: "container.not_media")
    public static let truncated = ErrorCode(rawValue: 3002, name: "container.truncated")
    public static let corrupt = ErrorCode(rawValue: 3003, name: "container.corrupt")
    public static let nothingToPlay = ErrorCode(rawValue: 3004, name: "container.nothing_to_play")

    public static let noDecoder = ErrorCode(rawValue: 4001, name: "decode.no_decoder")
    public static let decoderFailed = ErrorCode(rawValue: 4002, name: "decode.failed")
    public static let firstFrameMissing = ErrorCode(rawValue: 4003, name: "decode.first_frame_missing")
    public static let badData = ErrorCode(rawValue: 4004, name: "decode.bad_data")

    public static let sinkFailed = ErrorCode(rawValue: 5001, name: "output.sink_failed")

    public static let pluginRefused = ErrorCode(rawValue: 6001, name: "plugin.refused")
    public static let pluginFailed = ErrorCode(rawValue: 6002, name: "plugin.failed")
}

/// A failure: what failed on what (`message`), what to do next (`hint`), and the underlying cause.
public struct PlayerError: Error, Hashable, Sendable, CustomStringConvertible {
    public var code: ErrorCode
    /// One sentence that names the thing it happened to. No secrets, no line feeds.
    public var message: String
    /// One sentence that says what to try; empty if there is nothing.
    public var hint: String
    /// What the layer below said, empty if nothing.
    public var cause: String

    public init(_ code: ErrorCode, _ message: String, hint: String = "", cause: String = "") {
        self.code = code
        self.message = message
        self.hint = hint
        self.cause = cause
    }

    public var description: String {
        var text = "\(message) [\(code.name) \(code.rawValue)]"
        if !cause.isEmpty { text += " (\(cause))" }
        if !hint.isEmpty { text += ". \(hint)" }
        return text
    }
}
