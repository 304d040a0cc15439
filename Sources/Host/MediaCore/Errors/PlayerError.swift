// SPDX-License-Identifier: Apache-2.0

/// Names a kind of failure. An open set; the number's thousands are its family, which is also the first part of the name.
///
/// 1xxx misc, 2xxx I/O, 3xxx container, 4xxx decode, 5xxx output, 6xxx plugin.
public struct ErrorCode: Hashable, Sendable {
    /// Its family in the thousands; numbers are never used again for something else.
    public var rawValue: Int32
    /// Dotted, lower case: `container.truncated`.
    public var name: String

    /// - Parameters:
    ///   - rawValue: 1000 times its family, and its number in it.
    ///   - name: its family, a dot and its own name.
    public init(rawValue: Int32, name: String) {
        self.rawValue = rawValue
        self.name = name
    }

    /// The number alone counts: a log may spell the name of a later version.
    public static func == (left: ErrorCode, right: ErrorCode) -> Bool { left.rawValue == right.rawValue }
    /// Of the number alone, as `==`.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// A source lacks a part that its kind needs.
    public static let invalidSource = ErrorCode(rawValue: 1001, name: "misc.invalid_source")
    /// A video id was given and nobody is there who turns it into a URL.
    public static let noResolver = ErrorCode(rawValue: 1002, name: "misc.no_resolver")
    /// A controller without a player was told to do something with it.
    public static let noPlayer = ErrorCode(rawValue: 1003, name: "misc.no_player")
    /// A command means nothing in the state it came in.
    public static let illegalState = ErrorCode(rawValue: 1004, name: "misc.illegal_state")
    /// It was given up because somebody stopped it.
    public static let cancelled = ErrorCode(rawValue: 1005, name: "misc.cancelled")
    /// The machine had no memory left.
    public static let outOfMemory = ErrorCode(rawValue: 1006, name: "misc.out_of_memory")
    /// The lifecycle strategy or the bound of the pool gave no player.
    public static let poolRefused = ErrorCode(rawValue: 1007, name: "misc.pool_refused")
    /// The player was taken away from whoever wanted to use it.
    public static let staleLease = ErrorCode(rawValue: 1008, name: "misc.stale_lease")
    /// The player factory made no player.
    public static let factoryFailed = ErrorCode(rawValue: 1009, name: "misc.factory_failed")
    /// A value is not one of those that are taken.
    public static let outOfRange = ErrorCode(rawValue: 1010, name: "misc.out_of_range")
    /// A setting of the player's configuration cannot be put in force.
    public static let invalidConfiguration = ErrorCode(rawValue: 1011, name: "misc.invalid_configuration")

    /// There is no such file.
    public static let notFound = ErrorCode(rawValue: 2001, name: "io.not_found")
    /// The file may not be read.
    public static let notPermitted = ErrorCode(rawValue: 2002, name: "io.not_permitted")
    /// The path is that of a directory.
    public static let isDirectory = ErrorCode(rawValue: 2003, name: "io.is_directory")
    /// The source holds no bytes.
    public static let emptySource = ErrorCode(rawValue: 2004, name: "io.empty")
    /// Reading failed after the source was open.
    public static let readFailed = ErrorCode(rawValue: 2005, name: "io.read_failed")
    /// The source did not answer in time.
    public static let timedOut = ErrorCode(rawValue: 2006, name: "io.timed_out")
    /// No connection came about.
    public static let connectFailed = ErrorCode(rawValue: 2007, name: "io.connect_failed")
    /// The server answered with a status that is no success.
    public static let httpStatus = ErrorCode(rawValue: 2008, name: "io.http_status")
    /// The scheme of the URL is none that can be read.
    public static let unsupportedProtocol = ErrorCode(rawValue: 2009, name: "io.unsupported_protocol")
    /// The name service knows no host of that name, or did not answer.
    public static let hostNotFound = ErrorCode(rawValue: 2010, name: "io.host_not_found")
    /// The connection could not be made secure.
    public static let tlsFailed = ErrorCode(rawValue: 2011, name: "io.tls_failed")
    /// A redirect led to where it is not followed, or was one too many.
    public static let redirectRefused = ErrorCode(rawValue: 2012, name: "io.redirect_refused")
    /// The answer of the server is no HTTP, or contradicts itself or the request.
    public static let badAnswer = ErrorCode(rawValue: 2013, name: "io.bad_answer")
    /// What is there now is not what was there when the source was opened.
    public static let sourceChanged = ErrorCode(rawValue: 2014, name: "io.source_changed")
    /// The process, or the machine, may open no more files.
    public static let tooManyOpenFiles = ErrorCode(rawValue: 2015, name: "io.too_many_open_files")
    /// This machine lacks what it takes to ask a server.
    public static let networkUnavailable = ErrorCode(rawValue: 2016, name: "io.network_unavailable")

    /// No container was recognised.
    public static let notMedia = ErrorCode(rawValue: 3001, name: "container.not_media")
    /// The container ends before what it promises.
    public static let truncated = ErrorCode(rawValue: 3002, name: "container.truncated")
    /// The container contradicts itself.
    public static let corrupt = ErrorCode(rawValue: 3003, name: "container.corrupt")
    /// There is no track of video or audio.
    public static let nothingToPlay = ErrorCode(rawValue: 3004, name: "container.nothing_to_play")
    /// The source cannot be played from another place than it is at.
    public static let notSeekable = ErrorCode(rawValue: 3005, name: "container.not_seekable")

    /// No track has a decoder here.
    public static let noDecoder = ErrorCode(rawValue: 4001, name: "decode.no_decoder")
    /// A decoder could not be opened, or gave up.
    public static let decoderFailed = ErrorCode(rawValue: 4002, name: "decode.failed")
    /// A decoder took everything and never gave a frame.
    public static let firstFrameMissing = ErrorCode(rawValue: 4003, name: "decode.first_frame_missing")
    /// A packet could not be decoded.
    public static let badData = ErrorCode(rawValue: 4004, name: "decode.bad_data")

    /// What was to be written could not be.
    public static let sinkFailed = ErrorCode(rawValue: 5001, name: "output.sink_failed")

    /// A plugin was not loaded.
    public static let pluginRefused = ErrorCode(rawValue: 6001, name: "plugin.refused")
    /// A plugin that was loaded failed.
    public static let pluginFailed = ErrorCode(rawValue: 6002, name: "plugin.failed")
}

/// A failure: what failed on what (`message`), what to do next (`hint`), and the underlying cause.
public struct PlayerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is; what to switch on.
    public var code: ErrorCode
    /// One sentence that names the thing it happened to. No secrets, no line feeds.
    public var message: String
    /// One sentence that says what to try; empty if there is nothing.
    public var hint: String
    /// What the layer below said, empty if nothing.
    public var cause: String
    /// What a server answered, 100 to 599; nil if that is not what failed, or it is not known.
    public var httpStatus: Int?

    /// - Parameters: as the properties of the same names.
    public init(
        _ code: ErrorCode, _ message: String, hint: String = "", cause: String = "", httpStatus: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.cause = cause
        self.httpStatus = httpStatus
    }

    /// All of it in one line: message, code, cause, hint.
    public var description: String {
        var text = "\(message) [\(code.name) \(code.rawValue)]"
        if !cause.isEmpty { text += " (\(cause))" }
        if !hint.isEmpty { text += ". \(hint)" }
        return text
    }
}
