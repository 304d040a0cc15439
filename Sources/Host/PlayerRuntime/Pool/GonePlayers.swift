// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Which players a pool once had, as long as somebody still has them: to tell a destroyed player from a stranger's.
struct GonePlayers {
    private struct Grave {
        weak let player: (any MediaPlayer)?
    }

    private var graves: [ObjectIdentifier: Grave] = [:]
    /// With so many, those are let go of that nobody can ask about any more.
    private var sweepsAt = 64

    mutating func add(_ player: any MediaPlayer) {
        graves[ObjectIdentifier(player)] = Grave(player: player)
        guard graves.count >= sweepsAt else { return }
        graves = graves.filter { $0.value.player != nil }
        sweepsAt = max(64, graves.count * 2)
    }

    /// An identity is used again for another object once the former is freed; so the object itself is compared.
    func has(_ player: any MediaPlayer) -> Bool {
        graves[ObjectIdentifier(player)]?.player === player
    }
}
