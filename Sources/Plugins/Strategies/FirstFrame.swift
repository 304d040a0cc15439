// SPDX-License-Identifier: Apache-2.0

internal import PluginABI
public import PluginSupport

/// Measures how long the first frame takes, from events alone.
///
/// Purpose: the record `first_frame`, written once per session when the first frame is shown and again when the first audio follows.
/// Inputs: request, player state, prepared, first video frame, first audio, play intent, session state.
/// Tunables: none. Cost: constant per event, no allocation before the record.
public final class FirstFrame: MonitorPlugin {
    public static let wantedEvents: [PluginEventKind] = [
        .request, .state, .playIntent, .pauseIntent, .prepared, .firstVideoFrame, .firstAudio, .sessionState,
    ]

    private var round = FirstFrameRound(session: 0)

    public init(options: PluginOptions) {}

    public func handle(_ batch: PluginEventBatch, reports: any PluginReportOutput) throws {
        for event in batch.events {
            if event.session != round.session { round = FirstFrameRound(session: event.session) }
            if round.accept(event) { try reports.emit(round.record) }
        }
    }
}
