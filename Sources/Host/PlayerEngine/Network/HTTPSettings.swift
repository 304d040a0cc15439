// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// What every HTTP request of one source says besides its address, checked. Values may be secrets.
struct HTTPSettings: Sendable {
    let userAgent: String
    let referer: String?
    /// `Name: value`, without line ends.
    let headerLines: [String]
    /// Microseconds that one network operation may take.
    let timeout: Int64

    /// What the player says about itself unless it is told otherwise.
    private static let ownAgent = "PlayerKit"
    /// Headers that requests of the player depend on, in lower case.
    private static let reserved: Set<String> = [
        "accept-encoding", "connection", "content-length", "if-range", "range", "transfer-encoding", "upgrade",
    ]

    /// - Throws: `invalidConfiguration`, which names the header and not its value.
    init(_ configuration: PlayerConfiguration) throws(PlayerError) {
        for header in configuration.httpHeaders {
            guard HTTPSettings.isToken(header.name) else {
                throw HTTPSettings.refusal(
                    of: "A header's name", hint: "Use letters, digits and hyphens, without the colon.")
            }
            guard !HTTPSettings.reserved.contains(header.name.lowercased()) else {
                throw HTTPSettings.refusal(of: "The header \(header.name)", hint: "Leave it to the player.")
            }
            try HTTPSettings.check(header.value, of: "The value of the header \(header.name)")
        }
        if let agent = configuration.userAgent { try HTTPSettings.check(agent, of: "The user agent") }
        if let referer = configuration.referer { try HTTPSettings.check(referer, of: "The referer") }
        userAgent = configuration.userAgent ?? HTTPSettings.ownAgent
        referer = configuration.referer
        headerLines = configuration.httpHeaders.map { "\($0.name): \($0.value)" }
        timeout = configuration.effective.networkTimeout.wholeMicroseconds
    }

    private static func check(_ value: String, of what: String) throws(PlayerError) {
        guard value.utf8.allSatisfy({ $0 == UInt8(ascii: "\t") || ($0 >= 0x20 && $0 != 0x7F) }) else {
            throw refusal(of: what, hint: "Leave out line ends and other control characters.")
        }
    }

    private static func refusal(of what: String, hint: String) -> PlayerError {
        PlayerError(.invalidConfiguration, "\(what) cannot be sent", hint: hint)
    }

    /// RFC 9110, 5.6.2.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}
