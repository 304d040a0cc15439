// SPDX-License-Identifier: Apache-2.0

internal import Sessions

extension ReportEntry {
    /// nil if it has no such field or does not know it; the same holds for the others.
    func duration(_ key: String) -> Duration? {
        if case .duration(let microseconds)? = value(key) { return .microseconds(microseconds) }
        return nil
    }

    func int(_ key: String) -> Int? {
        if case .int(let number)? = value(key) { return Int(clamping: number) }
        return nil
    }

    func string(_ key: String) -> String? {
        if case .string(let text)? = value(key) { return text }
        return nil
    }

    private func value(_ key: String) -> Value? { fields.first { $0.key == key }?.value }
}
