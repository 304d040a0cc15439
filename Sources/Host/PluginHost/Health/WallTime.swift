// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A moment of the calendar, to the second: what outlives a process is dated with it. Deadlines and events never are.
package struct WallTime: Hashable, Comparable, Sendable {
    /// Since 1970, UTC.
    package var seconds: Int64

    package init(seconds: Int64) {
        self.seconds = seconds
    }

    /// The machine's clock, which its user may set.
    @Sendable package static func now() -> WallTime {
        WallTime(seconds: Int64(time(nil)))
    }

    /// Reads `2026-08-23T10:15:00Z`.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let form = Array("dddd-dd-ddTdd:dd:ddZ".utf8)
        guard bytes.count == form.count else { return nil }
        var numbers = [0]
        for (byte, wanted) in zip(bytes, form) {
            guard wanted == UInt8(ascii: "d") else {
                guard byte == wanted else { return nil }
                numbers.append(0)
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
        }
        var date = unsafe tm()
        unsafe date.tm_year = Int32(numbers[0] - 1900)
        unsafe date.tm_mon = Int32(numbers[1] - 1)
        unsafe date.tm_mday = Int32(numbers[2])
        unsafe date.tm_hour = Int32(numbers[3])
        unsafe date.tm_min = Int32(numbers[4])
        unsafe date.tm_sec = Int32(numbers[5])
        self.init(seconds: Int64(unsafe timegm(&date)))
    }

    package static func < (left: WallTime, right: WallTime) -> Bool { left.seconds < right.seconds }
}

extension WallTime: CustomStringConvertible {
    /// As in `2026-08-23T10:15:00Z`.
    package var description: String { text(date: "-", time: ":") }

    /// As in `20260823T101500Z`: for names of files, which then sort by time.
    package var compact: String { text(date: "", time: "") }

    private func text(date: String, time: String) -> String {
        var moment = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe gmtime_r(&moment, &parts) != nil else { return "unknown" }
        let year = unsafe (parts.tm_year + 1900).padded(to: 4)
        let day = unsafe [parts.tm_mon + 1, parts.tm_mday].map { $0.padded(to: 2) }
        let hour = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0.padded(to: 2) }
        return ([year] + day).joined(separator: date) + "T" + hour.joined(separator: time) + "Z"
    }
}
