// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import Glibc

/// What a libav function returned. An open set; negative is failure.
struct AVStatus: RawRepresentable, Hashable, Error, CustomStringConvertible {
    var rawValue: Int32

    init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The status that stands for an `errno`.
    init(errno: Int32) {
        rawValue = -errno
    }

    static let success = AVStatus(rawValue: 0)
    static let endOfFile = AVStatus(rawValue: clibav_error_eof)
    static let exit = AVStatus(rawValue: clibav_error_exit)
    static let inputChanged = AVStatus(rawValue: clibav_error_input_changed)
    static let invalidData = AVStatus(rawValue: clibav_error_invalid_data)
    static let protocolNotFound = AVStatus(rawValue: clibav_error_protocol_not_found)
    static let tryAgain = AVStatus(errno: EAGAIN)
    static let outOfMemory = AVStatus(errno: ENOMEM)
    static let inputOutput = AVStatus(errno: EIO)
    static let tooManyFiles = AVStatus(errno: EMFILE)
    static let timedOut = AVStatus(errno: ETIMEDOUT)
    static let httpServerError = AVStatus(rawValue: clibav_error_http_server_error)

    static let httpStatuses: [AVStatus] = [
        clibav_error_http_bad_request, clibav_error_http_unauthorized, clibav_error_http_forbidden,
        clibav_error_http_not_found, clibav_error_http_other_4xx, clibav_error_http_server_error,
    ].map(AVStatus.init(rawValue:))

    /// What a server answered, where libav tells it exactly; nil elsewhere.
    var httpStatus: Int? {
        switch rawValue {
        case clibav_error_http_bad_request: 400
        case clibav_error_http_unauthorized: 401
        case clibav_error_http_forbidden: 403
        case clibav_error_http_not_found: 404
        default: nil
        }
    }

    var isFailure: Bool { rawValue < 0 }

    /// libav's own words.
    var description: String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            unsafe av_strerror(rawValue, buffer.baseAddress!, buffer.count)
            return unsafe String(cString: buffer.baseAddress!)
        }
    }

    /// Throws the status if it is a failure.
    static func check(_ status: Int32) throws(AVStatus) {
        guard status >= 0 else { throw AVStatus(rawValue: status) }
    }
}
