// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Decoders that players of one factory have done with, for whoever needs such a one next, and the memory of their pictures.
///
/// Few of them, and only while the player exists that had them: they hold memory. None owns a thread.
///
/// Thread: any. No decoder is opened or closed with the lock held.
package final class DecoderShelf: Sendable {
    /// How often decoders were opened and used again, and how many lie here.
    package struct Figures: Sendable, Equatable {
        package var opened = 0
        package var reused = 0
        package var kept = 0
    }

    private struct Place: Sendable {
        let decoder: Decoder
        let owner: ObjectIdentifier
    }

    private struct State: Sendable {
        /// Put here last at the end.
        var places: [Place] = []
        var opened = 0
        var reused = 0
    }

    /// As many sources of different kinds, or of one kind at a time.
    static let countLimit = 4
    /// Bytes that the decoders on the shelf hold, by an estimate: one of 4K, or four of 1080p.
    static let byteLimit = 16 << 20

    private let pictures = PictureMemory()
    private let state = Mutex(State())

    package var figures: Figures {
        state.withLock { Figures(opened: $0.opened, reused: $0.reused, kept: $0.places.count) }
    }

    /// Bytes that wait for pictures of a decoder to come.
    package var pictureBytes: Int { pictures.byteCount }

    /// A decoder that has been given nothing: one from here, else a new one.
    func take(for track: Track, threads: Int) throws(AVStatus) -> Decoder {
        let kept = state.withLock { state -> Decoder? in
            guard let index = state.places.lastIndex(where: { $0.decoder.fits(track, threads: threads) }) else {
                state.opened += 1
                return nil
            }
            state.reused += 1
            return state.places.remove(at: index).decoder
        }
        guard let kept else { return try Decoder(track, threads: threads, pictures: pictures) }
        kept.begin(track)
        return kept
    }

    /// Keeps a decoder that rests and may go on with another source.
    ///
    /// - Returns: those that are not kept any more; their end is the caller's to wait for.
    func put(_ decoder: Decoder, of owner: ObjectIdentifier) -> [Decoder] {
        state.withLock { state in
            state.places.append(Place(decoder: decoder, owner: owner))
            var excess: [Decoder] = []
            while state.places.count > DecoderShelf.countLimit
                || state.places.reduce(0, { $0 + $1.decoder.weight }) > DecoderShelf.byteLimit
            {
                excess.append(state.places.removeFirst().decoder)
            }
            return excess
        }
    }

    /// Gives up what a player has left.
    func remove(of owner: ObjectIdentifier) -> [Decoder] {
        state.withLock { state in
            defer { state.places.removeAll { $0.owner == owner } }
            return state.places.filter { $0.owner == owner }.map(\.decoder)
        }
    }

    /// Gives up everything.
    func empty() {
        let freed = state.withLock { state in
            defer { state.places = [] }
            return state.places
        }
        withExtendedLifetime(freed) {}
        pictures.empty()
    }
}
