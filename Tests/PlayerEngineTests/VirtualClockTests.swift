// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Synchronization
import Testing

@Suite struct VirtualClockTests {
    private static let hour: Int64 = 3_600_000_000

    @Test func aWaitOfTheOnlyThreadIsSkipped() {
        let clock = VirtualClock()
        let signal = clock.makeSignal()
        let start = clock.now()
        signal.wait(until: start + VirtualClockTests.hour)
        #expect(clock.now() - start >= VirtualClockTests.hour)
        signal.leave()
    }

    @Test func timeStandsWhileAThreadRuns() throws {
        let clock = VirtualClock()
        let busy = clock.makeSignal()
        let sleeper = clock.makeSignal()
        let start = clock.now()
        let woke = Atomic(false)
        let thread = try MediaThread("test-sleeper") {
            sleeper.wait(until: start + VirtualClockTests.hour)
            woke.store(true, ordering: .releasing)
            sleeper.leave()
        }
        #expect(clock.now() - start < VirtualClockTests.hour)
        let wokeEarly = woke.load(ordering: .acquiring)
        #expect(!wokeEarly)
        busy.leave()
        thread.join()
        let wokeAtLast = woke.load(ordering: .acquiring)
        #expect(wokeAtLast)
        #expect(clock.now() - start >= VirtualClockTests.hour)
    }

    @Test func theEarliestOfSeveralComesFirst() throws {
        let clock = VirtualClock()
        let order = Mutex<[Int]>([])
        let start = clock.now()
        let signals = (0..<4).map { _ in clock.makeSignal() }
        let threads = try signals.enumerated().map { index, signal in
            try MediaThread("test-\(index)") {
                signal.wait(until: start + VirtualClockTests.hour * Int64(4 - index))
                order.withLock { $0.append(index) }
                signal.leave()
            }
        }
        for thread in threads { thread.join() }
        #expect(order.withLock { $0 } == [3, 2, 1, 0])
    }

    @Test func aRaisedThreadRunsBeforeTimeMoves() throws {
        // Two threads hand a ball back and forth a thousand times while a third waits for an hour: it must come last.
        let clock = VirtualClock()
        let (left, right, sleeper) = (clock.makeSignal(), clock.makeSignal(), clock.makeSignal())
        let ball = Atomic(0)
        let start = clock.now()
        let seen = Atomic(0)
        func player(_ parity: Int, _ mine: any MediaSignal, _ other: any MediaSignal) throws -> MediaThread {
            try MediaThread("test-player") {
                while true {
                    let count = ball.load(ordering: .acquiring)
                    if count >= 1000 { break }
                    if count % 2 == parity {
                        ball.store(count + 1, ordering: .releasing)
                        other.raise()
                    } else {
                        mine.wait(until: nil)
                    }
                }
                other.raise()
                mine.leave()
            }
        }
        let waiting = try MediaThread("test-sleeper") {
            sleeper.wait(until: start + VirtualClockTests.hour)
            seen.store(ball.load(ordering: .acquiring), ordering: .releasing)
            sleeper.leave()
        }
        let threads = [try player(0, left, right), try player(1, right, left)]
        for thread in threads { thread.join() }
        waiting.join()
        let count = seen.load(ordering: .acquiring)
        #expect(count == 1000)
    }

    @Test(arguments: [true, false])
    func aRaiseBeforeTheWaitIsNotLost(_ isVirtual: Bool) {
        let clock: any MediaClock = isVirtual ? VirtualClock() : MonotonicClock()
        let signal = clock.makeSignal()
        signal.raise()
        signal.wait(until: nil)
        signal.leave()
        signal.wait(until: nil)
    }
}
