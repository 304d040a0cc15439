// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// The model that a controller plays, once for it and all its strategies: a model is large.
final class PlayedModel: Sendable {
    let value: PlayerModel

    init(_ value: PlayerModel) {
        self.value = value
    }
}
