// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import Synchronization

/// The state of a controller's player as far as its events have been delivered.
///
/// Thread: any; each read is one consistent snapshot.
public final class PlayerStateStore: EventSink {
    private let current = Mutex(PlayerStateSnapshot())
    private let notifier: PlayerNotifier

    /// - Parameter notifier: is told what changes.
    init(notifier: PlayerNotifier) {
        self.notifier = notifier
    }

    /// Everything at one moment.
    public var snapshot: PlayerStateSnapshot { current.withLock { $0 } }
    /// What the player does.
    public var playState: PlayerState { snapshot.playState }
    /// nil while it is not known.
    public var duration: MediaTime? { snapshot.duration }
    /// Where playback is.
    public var currentPosition: MediaTime { snapshot.currentPosition }
    /// Up to where media has been read; nil while it is not known.
    public var bufferedPosition: MediaTime? { snapshot.bufferedPosition }
    /// Media time over real time, as the user set it.
    public var rate: Double { snapshot.settings.rate }
    /// Whether the user wants the source to play again when it ends.
    public var isLooping: Bool { snapshot.settings.loop != .off }
    /// Whether the user wants no sound.
    public var isMuted: Bool { snapshot.settings.isMuted }
    /// Silence is 0, full is 1, as the user set it.
    public var volume: Double { snapshot.settings.volume }

    /// Not only what changes the state: to leave the rest out costs more than to pass it over.
    package let interest = EventMask.all

    package func receive(_ events: [PlayerEvent]) {
        guard notifier.hasDelegates else {
            return current.withLock { $0.apply(events.span) }
        }
        let calls = current.withLock { snapshot in
            events.flatMap { event in
                let former = snapshot
                snapshot.apply(event)
                return PlayerNotifier.calls(for: event, from: former, to: snapshot)
            }
        }
        notifier.append(calls)
    }

    /// The user's settings, which no event of the player tells while nothing plays.
    func note(_ settings: PlaybackSettings) {
        current.withLock { $0.settings = settings }
    }
}
