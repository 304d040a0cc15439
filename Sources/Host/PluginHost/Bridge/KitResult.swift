// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// A `kit_result` of the plugin ABI: what a call across the boundary answered. An open set.
package struct KitResult: RawRepresentable, Hashable, Sendable, Error {
    package var rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let ok = KitResult(rawValue: Int32(KIT_OK))
    package static let decline = KitResult(rawValue: Int32(KIT_DECLINE))
    package static let badArgument = KitResult(rawValue: Int32(KIT_BAD_ARG))
    package static let unsupported = KitResult(rawValue: Int32(KIT_UNSUPPORTED))
    package static let stale = KitResult(rawValue: Int32(KIT_STALE))
    package static let limit = KitResult(rawValue: Int32(KIT_LIMIT))
    package static let deadline = KitResult(rawValue: Int32(KIT_DEADLINE))
    package static let denied = KitResult(rawValue: Int32(KIT_DENIED))
    package static let config = KitResult(rawValue: Int32(KIT_CONFIG))
    package static let `internal` = KitResult(rawValue: Int32(KIT_INTERNAL))
    package static let fatal = KitResult(rawValue: Int32(KIT_FATAL))

    /// Whether the call failed; `ok`, `decline` and unknown positive values did not.
    package var isFailure: Bool { rawValue < 0 }

    /// What the host acts on: an unknown negative value is `internal`, an unknown positive one `decline`.
    package var meaning: KitResult {
        if KitResult.names[rawValue] != nil { return self }
        return isFailure ? .internal : .decline
    }

    private static let names: [Int32: String] = [
        Int32(KIT_OK): "KIT_OK", Int32(KIT_DECLINE): "KIT_DECLINE", Int32(KIT_BAD_ARG): "KIT_BAD_ARG",
        Int32(KIT_UNSUPPORTED): "KIT_UNSUPPORTED", Int32(KIT_STALE): "KIT_STALE", Int32(KIT_LIMIT): "KIT_LIMIT",
        Int32(KIT_DEADLINE): "KIT_DEADLINE", Int32(KIT_DENIED): "KIT_DENIED", Int32(KIT_CONFIG): "KIT_CONFIG",
        Int32(KIT_INTERNAL): "KIT_INTERNAL", Int32(KIT_FATAL): "KIT_FATAL",
    ]
}

extension KitResult: CustomStringConvertible {
    /// The constant's name in the header, or the number if it has none.
    package var description: String { KitResult.names[rawValue] ?? "unknown result \(rawValue)" }
}
