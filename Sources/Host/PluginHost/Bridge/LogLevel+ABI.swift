// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

extension LogLevel {
    /// A `KIT_LOG_*` number of a plugin. The numbers are the same; one that is no level of a line counts as info.
    init(abi level: Int32) {
        let known = LogLevel(rawValue: level) ?? .info
        self = known == .none ? .info : known
    }
}
