// SPDX-License-Identifier: Apache-2.0

import CAllocations
import Glibc
import MediaCore

/// What the media threads allocate while a file plays and nothing else happens.
enum AllocationBenchmark {
    struct Result: Encodable {
        /// Presented, or left out because they were late, while it was counted.
        var frames: Int64
        /// Calls from code of ours, by the name of the thread; promised: 0.
        var ours: [String: Int]
        var oursPerFrame: Double
    }

    private static let threads = ["kit-demux", "kit-video", "kit-audio", "kit-present"]
    /// The name of a thread that allocates so that it is seen that this is counted.
    private static let control = "kit-control"
    private static let controlCount = 100

    /// Frames before it is counted: queues and their shells grow until they have what they need.
    private static let warmUp: Int64 = 100
    private static let frames: Int64 = 325

    static func run(_ arguments: Arguments) throws -> Result {
        let names = (threads + [control]).map { UnsafePointer(strdup($0)) }
        defer { names.forEach { free(UnsafeMutablePointer(mutating: $0)) } }
        return try names.withUnsafeBufferPointer { names in
            try checkCounting(names)
            return try play(arguments.longClip, names)
        }
    }

    private static func play(_ path: String, _ names: UnsafeBufferPointer<UnsafePointer<CChar>?>) throws -> Result {
        let bare = try BarePlayer()
        defer { bare.player.destroy() }
        var configuration = PlayerConfiguration()
        // So little that the demuxer goes on reading while it is counted.
        configuration.maxBuffer = .seconds(1)
        try bare.play(path, configuration)
        func played(_ event: PlayerEvent) -> Int64 { event.frameCounts.map { $0.presented + $0.droppedLate } ?? 0 }
        let first = try bare.wait { played($0) >= warmUp }
        allocations_begin(names.baseAddress, Int32(names.count))
        let last = try bare.wait { played($0) >= warmUp + frames }
        allocations_end()
        let counts = threads.indices.map { allocations_count(Int32($0)) }
        let count = played(last) - played(first)
        return Result(
            frames: count, ours: Dictionary(uniqueKeysWithValues: zip(threads, counts)),
            oursPerFrame: Double(counts.reduce(0, +)) / Double(count))
    }

    /// Allocates on a thread with a name that is counted.
    ///
    /// - Throws: `Failure` unless as much was counted.
    private static func checkCounting(_ names: UnsafeBufferPointer<UnsafePointer<CChar>?>) throws {
        var former = [CChar](repeating: 0, count: 16)
        allocations_rename(control, &former)
        defer { allocations_rename(former, nil) }
        var blocks: [UnsafeMutableRawPointer] = []
        blocks.reserveCapacity(controlCount)
        allocations_begin(names.baseAddress, Int32(names.count))
        for _ in 0..<controlCount { blocks.append(.allocate(byteCount: 64, alignment: 16)) }
        allocations_end()
        blocks.forEach { $0.deallocate() }
        let count = allocations_count(Int32(threads.count))
        guard count == controlCount else {
            throw Failure("of \(controlCount) allocations \(count) were counted: the figures would say nothing")
        }
    }
}
