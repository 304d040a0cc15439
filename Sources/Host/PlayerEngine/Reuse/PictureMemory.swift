// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import Glibc
internal import Synchronization

/// Memory of pictures whose decoder is done with it, for the decoders that come next: memory that was touched before need not be had from the
/// kernel page by page, which takes longer than decoding a picture.
///
/// Thread: any.
final class PictureMemory: Sendable {
    @safe private struct Block: @unchecked Sendable {
        // Used by one owner at a time: this, or the buffer that was made of it.
        let start: UnsafeMutableRawPointer
        let byteCount: Int
    }

    private struct State: Sendable {
        /// Put here last at the end.
        var blocks: [Block] = []
        var byteCount = 0
    }

    /// Bytes that are kept for decoders to come: five pictures of 1080p.
    static let byteLimit = 16 << 20

    private let state = Mutex(State())

    deinit {
        empty()
    }

    /// Bytes that wait for a decoder.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Zeroes, as libav aligns what it allocates: a picture that is not wholly decoded must show nothing of another one.
    ///
    /// - Returns: nil if there is no memory.
    func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let block = state.withLock { state -> Block? in
            guard let index = state.blocks.lastIndex(where: { $0.byteCount == byteCount }) else { return nil }
            state.byteCount -= byteCount
            return state.blocks.remove(at: index)
        }
        guard let block else { return unsafe av_mallocz(byteCount) }
        unsafe memset(block.start, 0, byteCount)
        return unsafe block.start
    }

    /// Takes memory back.
    func put(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
        let excess = state.withLock { state in
            unsafe state.blocks.append(Block(start: start, byteCount: byteCount))
            state.byteCount += byteCount
            var count = 0
            while state.byteCount > PictureMemory.byteLimit {
                state.byteCount -= state.blocks[count].byteCount
                count += 1
            }
            defer { state.blocks.removeFirst(count) }
            return Array(state.blocks[..<count])
        }
        for block in excess { unsafe av_free(block.start) }
    }

    /// Gives up all of it.
    func empty() {
        let freed = state.withLock { state in
            defer { state = State() }
            return state.blocks
        }
        for block in freed { unsafe av_free(block.start) }
    }
}
