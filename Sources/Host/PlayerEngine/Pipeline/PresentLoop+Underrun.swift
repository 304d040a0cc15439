// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

extension PresentLoop {
    /// How long an output may be dry, in microseconds, before that is an underrun.
    private var grace: Int64 { control.clock.skipsWaits ? 1_000_000 : 40_000 }
    /// A track with nothing while another has this much ahead, in microseconds, is sparse, not starved.
    private static let sparseness: Int64 = 1_000_000

    /// Begins loading if an output is dry because the source gives nothing, and tells it if the decoder is what is slow.
    ///
    /// - Returns: when to look again; nil if no output is dry or about to be.
    func checkUnderrun(at now: EventTime) -> EventTime? {
        let missing = heads.filter(\.isMissing)
        guard !missing.isEmpty else {
            hasToldUnderrun = false
            return nil
        }
        var next: EventTime?
        for head in missing {
            guard let dry = head.presentedEnd.flatMap(timeline.moment) else { continue }
            guard now >= dry + grace else {
                next = min(next ?? dry + grace, dry + grace)
                continue
            }
            next = min(next ?? now + grace, now + grace)
            if isStarved(head) {
                tellUnderrun()
                control.post(.demuxUnderrun)
                beginLoading(since: dry, at: now)
                return nil
            }
            if head.line.packets.load.count > 0 && !hasToldUnderrun {
                tellUnderrun()
                control.post(.decoderSlow)
            }
        }
        return next
    }

    /// Ends loading once every track has its next frame or its end, or is sparse: what its next frame follows may fill every queue.
    func endLoadingIfPossible() {
        guard heads.allSatisfy({ !$0.isMissing || isSparse($0) }) else { return }
        isLoading = false
        hasToldUnderrun = false
        control.post(.loadingEnd)
        if isPlaying { timeline.run(from: control.clock.now()) }
    }

    private func isStarved(_ head: FrameHead) -> Bool {
        head.line.packets.load.count == 0 && control.isReading.load(ordering: .relaxed) && !isSparse(head)
    }

    /// Whether it has nothing while another track has much ahead.
    private func isSparse(_ head: FrameHead) -> Bool {
        guard head.line.packets.load.count == 0 else { return false }
        let end = head.presentedEnd ?? timeline.position(at: control.clock.now())
        let enough = MediaTime(microseconds: end.microseconds + PresentLoop.sparseness)
        return heads.contains { $0.line.bufferedEnd.map { $0 >= enough } ?? false }
    }

    private func tellUnderrun() {
        guard !hasToldUnderrun else { return }
        hasToldUnderrun = true
        control.post(.outputUnderrun)
    }

    private func beginLoading(since dry: EventTime, at now: EventTime) {
        timeline.stand(at: now)
        isLoading = true
        control.post(.loadingBegin(cause: isRemote ? .network : .unknown, stoppedAt: dry))
    }
}
