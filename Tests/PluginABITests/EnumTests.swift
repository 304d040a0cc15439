// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginABI
import Testing

/// The Swift values that mirror constants of the headers.
@Suite struct EnumTests {
    @Test func eventTypesAreThoseOfTheABI() throws {
        // camelCase in Swift, SNAKE_CASE in C: compared without case and underscores.
        let constants = try LayoutGolden.read().constants.filter {
            $0.name.hasPrefix("KIT_EVENT_") && !$0.name.hasPrefix("KIT_EVENT_FLAG_")
                && $0.name != "KIT_EVENT_TYPE_LIMIT"
        }
        #expect(constants.count == Int(KIT_EVENT_LOOP_GAP))
        for constant in constants {
            let name = constant.name.dropFirst("KIT_EVENT_".count).replacing("_", with: "").lowercased()
            let match = EventTypeNames.all.first { $0.name.lowercased() == name }
            #expect(match?.type.rawValue == UInt32(constant.value), "\(constant.name)")
        }
        #expect(EventTypeNames.all.count == constants.count)
        #expect(EventType.limit == UInt32(KIT_EVENT_TYPE_LIMIT))
    }

    @Test func eventFlagsAreThoseOfTheABI() {
        #expect(EventFlags.replayed.rawValue == UInt32(KIT_EVENT_FLAG_REPLAYED))
        #expect(EventFlags.endOfFile.rawValue == UInt32(KIT_EVENT_FLAG_EOF))
        #expect(EventFlags.seekable.rawValue == UInt32(KIT_EVENT_FLAG_SEEKABLE))
    }

    @Test func playerStatesAreThoseOfTheABI() {
        let pairs: [(PlayerState, Int)] = [
            (.idle, KIT_STATE_IDLE), (.preparing, KIT_STATE_PREPARING), (.prepared, KIT_STATE_PREPARED),
            (.playing, KIT_STATE_PLAYING), (.paused, KIT_STATE_PAUSED), (.completed, KIT_STATE_COMPLETED),
            (.stopped, KIT_STATE_STOPPED), (.error, KIT_STATE_ERROR),
        ]
        for (state, constant) in pairs { #expect(Int(state.rawValue) == constant) }
        #expect(pairs.count == PlayerState.allCases.count)
    }

    @Test func loadingCausesAreThoseOfTheABI() {
        let pairs: [(LoadingCause, Int)] = [
            (.unknown, KIT_CAUSE_UNKNOWN), (.network, KIT_CAUSE_NETWORK), (.decoder, KIT_CAUSE_DECODER),
            (.sourceGap, KIT_CAUSE_SOURCE_GAP), (.liveEdge, KIT_CAUSE_LIVE_EDGE), (.loop, KIT_CAUSE_LOOP),
            (.seekRecovery, KIT_CAUSE_SEEK_RECOVERY),
        ]
        for (cause, constant) in pairs { #expect(Int(cause.rawValue) == constant) }
        #expect(pairs.count == LoadingCause.allCases.count)
    }

    @Test func networkTypesAreThoseOfTheABI() {
        let pairs: [(NetworkType, Int)] = [
            (.unknown, KIT_NETWORK_UNKNOWN), (.none, KIT_NETWORK_NONE), (.wifi, KIT_NETWORK_WIFI),
            (.ethernet, KIT_NETWORK_ETHERNET), (.cellular, KIT_NETWORK_CELLULAR),
        ]
        for (network, constant) in pairs { #expect(Int(network.rawValue) == constant) }
        #expect(pairs.count == NetworkType.allCases.count)
    }

    @Test func stopReasonsAreThoseOfTheABI() {
        let pairs: [(StopReason, Int)] = [
            (.user, KIT_STOP_USER), (.until, KIT_STOP_UNTIL), (.previewEnd, KIT_STOP_PREVIEW_END),
            (.interrupted, KIT_STOP_INTERRUPTED), (.idle, KIT_STOP_IDLE),
        ]
        for (reason, constant) in pairs { #expect(Int(reason.rawValue) == constant) }
        #expect(StopReason(rawValue: Int32(pairs.count)) == nil)
    }

    @Test func instanceKindsAreThoseOfTheABI() {
        let pairs: [(PlayerInstanceKind, Int)] = [
            (.unknown, KIT_INSTANCE_UNKNOWN), (.cold, KIT_INSTANCE_COLD), (.warm, KIT_INSTANCE_WARM),
            (.preRendered, KIT_INSTANCE_PRE_RENDERED),
        ]
        for (kind, constant) in pairs { #expect(Int(kind.rawValue) == constant) }
        #expect(PlayerInstanceKind(rawValue: Int32(pairs.count)) == nil)
    }

    @Test func poolValuesAreThoseOfTheABI() {
        #expect(Int(PoolRequest.SourceKind.unknown.rawValue) == KIT_SOURCE_UNKNOWN)
        #expect(Int(PoolRequest.SourceKind.file.rawValue) == KIT_SOURCE_FILE)
        #expect(Int(PoolRequest.SourceKind.url.rawValue) == KIT_SOURCE_URL)
        #expect(Int(PoolRequest.SourceKind.vid.rawValue) == KIT_SOURCE_VID)
        #expect(Int(PoolRequest.PlayerCondition.idle.rawValue) == KIT_PLAYER_IDLE)
        #expect(Int(PoolRequest.PlayerCondition.active.rawValue) == KIT_PLAYER_ACTIVE)
        #expect(Int(PoolRequest.PlayerCondition.unbound.rawValue) == KIT_PLAYER_UNBOUND)
        #expect(PlayerEvent.unknown == Int64.min)
    }
}
