// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore

/// What the open of a source failed with, and what had been seen of it by then.
struct OpenFailure: Error {
    var status: AVStatus
    /// Its first bytes are those of a container.
    var isRecognised = false
    /// The container says that there is more than there is.
    var isCutOff = false
    /// There was not one byte.
    var isEmpty = false
    var isTimedOut = false
    /// It is an HLS playlist.
    var isPlaylist = false
    /// It is a live playlist that did not grow.
    var isStale = false
    /// Why the network gave nothing, or no more.
    var network: NetworkFailure?
    /// What was found before anything was opened.
    var refusal: PlayerError?
}

extension OpenFailure {
    init(_ failure: NetworkFailure) {
        self.init(status: failure.status, network: failure)
    }

    init(_ refusal: PlayerError) {
        self.init(status: .invalidData, refusal: refusal)
    }
}

extension PlayerError {
    /// - Parameter name: the source as it may be shown.
    init(opening name: String, at location: MediaLocation, failure: OpenFailure) {
        let cause = failure.status.description
        if let refusal = failure.refusal {
            self = refusal
        } else if let network = failure.network {
            self.init(network: network, of: name)
        } else if failure.isStale {
            self.init(stale: name, cause: cause)
        } else if failure.isTimedOut || failure.status == .timedOut {
            self.init(
                .timedOut, "\(name) gave nothing in time",
                hint: location.isRemote
                    ? "Check the network and the server, then try again." : "Check what it is on, then try again.",
                cause: cause)
        } else if location.isRemote, failure.status != .endOfFile {
            self.init(opening: name, nested: failure)
        } else {
            self.init(opening: name, local: failure)
        }
    }

    /// - Parameter name: the playlist as it may be shown.
    init(stale name: String, cause: String) {
        self.init(
            .timedOut, "\(name) is a live playlist and brought nothing new in time",
            hint: "Check what writes it and whether its segments are there; one that is whole says #EXT-X-ENDLIST.",
            cause: cause)
    }

    /// What libav's own protocols failed with: those a playlist leads to.
    private init(opening name: String, nested failure: OpenFailure) {
        let cause = failure.status.description
        switch failure.status {
        case let status where AVStatus.httpStatuses.contains(status):
            self.init(
                .httpStatus, "The server refused what \(name) leads to: \(cause)",
                hint: "Check the addresses in it and whether they need credentials or have expired.", cause: cause,
                httpStatus: status.httpStatus)
        case .invalidData, .outOfMemory:
            self.init(opening: name, local: failure)
        case .protocolNotFound:
            self.init(
                .unsupportedProtocol, "\(name) leads to a protocol that is not allowed",
                hint: "Use file, http or https sources.", cause: cause)
        default:
            self.init(
                .connectFailed, "Cannot connect to what \(name) leads to",
                hint: "Check the host names in it and the network.", cause: cause)
        }
    }

    private init(opening name: String, local failure: OpenFailure) {
        let cause = failure.status.description
        switch failure.status {
        case AVStatus(errno: ENOENT), AVStatus(errno: ENOTDIR), AVStatus(errno: ENAMETOOLONG), AVStatus(errno: ELOOP):
            self.init(
                .notFound, "There is no file \(name)",
                hint: name.hasPrefix("/")
                    ? "Check the path." : "Check the path; it is taken from the current directory.",
                cause: cause)
        case AVStatus(errno: EACCES), AVStatus(errno: EPERM):
            self.init(
                .notPermitted, "\(name) may not be read", hint: "Change its permissions or run as its owner.",
                cause: cause)
        case AVStatus(errno: EISDIR):
            self.init(.isDirectory, "\(name) is a directory", hint: "Name a media file in it.", cause: cause)
        case .invalidData where failure.isEmpty, .endOfFile where failure.isEmpty:
            self.init(.emptySource, "\(name) is empty", hint: "Check how it was made or downloaded.", cause: cause)
        case .invalidData, .endOfFile:
            self.init(content: name, failure: failure)
        case .outOfMemory:
            self.init(
                .outOfMemory, "Out of memory while opening \(name)", hint: "Play less at once, or end other programs.",
                cause: cause)
        case .tooManyFiles, AVStatus(errno: ENFILE):
            self.init(
                .tooManyOpenFiles, "No file can be opened any more, so \(name) cannot",
                hint: "Play less at once, or raise the limit of open files.", cause: cause)
        case AVStatus(errno: ENXIO), AVStatus(errno: ENODEV), AVStatus(errno: EOPNOTSUPP):
            self.init(
                .readFailed, "\(name) is a socket or a device that gives no bytes",
                hint: "Name a file or a pipe.", cause: cause)
        case AVStatus(errno: EBADF) where name == VideoSource.standardInputName:
            self.init(
                .readFailed, "Standard input is closed", hint: "Pipe a file into the program, or name one.",
                cause: cause)
        default:
            self.init(.readFailed, "Cannot read \(name)", hint: "Check the device it is on.", cause: cause)
        }
    }

    private init(content name: String, failure: OpenFailure) {
        let cause = failure.status.description
        if !failure.isRecognised {
            self.init(
                .notMedia, "\(name) is no media that libav knows",
                hint: "Check that it is a media file and not, say, a web page.", cause: cause)
        } else if failure.isCutOff {
            self.init(
                .truncated, "\(name) is cut off before what is needed to play it",
                hint: "Get the whole file again.", cause: cause)
        } else if failure.isPlaylist {
            // libav refuses other protocols without a word of its own.
            self.init(
                .corrupt, "\(name) is a playlist, and nothing that it names can be played",
                hint: "Check the addresses in it; one behind http or https may lead only to http and https.",
                cause: cause)
        } else {
            self.init(
                .corrupt, "\(name) starts like a media file but cannot be read as one",
                hint: "Try it in another player, or get it again.", cause: cause)
        }
    }
}
