// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// What every HTTP request of one source says besides its address, checked. Values may be secrets.
struct HTTPSettings: Sendable {
    let userAgent: String
    let referer: String?
    /// `Name: value`, without line ends: for the server of the source.
    let headerLines: [String]
    /// The same for other servers, to which redirects and playlists may lead: without credentials.
    let foreignHeaderLines: [String]
    /// Where the source is asked for first.
    private let origin: HTTPOrigin?
    /// Microseconds that one network operation may take.
    let timeout: Int64

    /// What the player says about itself unless it is told otherwise.
    private static let ownAgent = "PlayerKit"
    /// Headers that are for the server of the source alone, in lower case.
    private static let credentials: Set<String> = ["authorization", "cookie", "proxy-authorization"]
    /// Headers that requests of the player depend on, in lower case.
    private static let reserved: Set<String> = [
        "accept-encoding", "connection", "content-length", "if-range", "range", "transfer-encoding", "upgrade",
    ]

    /// - Parameter url: the source.
    /// - Throws: `invalidConfiguration`, which names the header and not its value.
    init(_ configuration: PlayerConfiguration, for url: String) throws(PlayerError) {
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
        headerLines = HTTPSettings.lines(configuration.httpHeaders)
        foreignHeaderLines = HTTPSettings.lines(
            configuration.httpHeaders.filter { !HTTPSettings.credentials.contains($0.name.lowercased()) })
        origin = HTTPOrigin(url)
        timeout = configuration.effective.networkTimeout.wholeMicroseconds
    }

    /// Whether an address is one of the server of the source.
    func isOwn(_ url: String) -> Bool { origin != nil && HTTPOrigin(url) == origin }

    /// What libav says for an address that it reads by itself.
    func headerText(for url: String) -> String {
        let address = url.hasPrefix("crypto+") ? String(url.dropFirst("crypto+".count)) : url
        return (isOwn(address) ? headerLines : foreignHeaderLines).map { $0 + "\r\n" }.joined()
    }

    private static func lines(_ headers: [PlayerConfiguration.HTTPHeader]) -> [String] {
        headers.map { "\($0.name): \($0.value)" }
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
