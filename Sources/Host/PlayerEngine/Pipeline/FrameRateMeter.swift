// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Counts the pictures that are presented in each full second of playing. Waits are left out: what was begun before one goes on after it.
///
/// Thread: `kit-present`.
struct FrameRateMeter {
    private static let second: Int64 = 1_000_000

    /// Since when time has passed; nil while it stands.
    private var since: EventTime?
    /// Microseconds of the second that had passed before.
    private var elapsed: Int64 = 0
    /// Pictures in the second.
    private var count: Int64 = 0
    /// A picture was presented while time stood: it is seen once time passes, and those before it are not.
    private var isWaiting = false

    mutating func run(from now: EventTime) {
        guard since == nil else { return }
        since = now
        if isWaiting { count += 1 }
        isWaiting = false
    }

    /// A picture is presented.
    mutating func show() {
        if since == nil { isWaiting = true } else { count += 1 }
    }

    /// Time has come to a moment; pictures that were presented then are not counted yet.
    ///
    /// - Parameter tell: is given pictures and of how many seconds in a row that is the count, for each second that is over.
    mutating func advance(to now: EventTime, tell: (_ presented: Int64, _ seconds: Int64) -> Void) {
        guard let since else { return }
        let passed = elapsed + (now - since)
        guard passed >= FrameRateMeter.second else { return }
        tell(count, 1)
        let seconds = passed / FrameRateMeter.second
        if seconds > 1 { tell(0, seconds - 1) }
        count = 0
        elapsed = passed % FrameRateMeter.second
        self.since = now
    }

    /// Time stands from a moment on that it has come to.
    mutating func stand(at now: EventTime) {
        guard let since else { return }
        elapsed += max(0, now - since)
        self.since = nil
    }
}
