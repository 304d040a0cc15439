// SPDX-License-Identifier: Apache-2.0

import PluginABI

/// The structures of the ABI as Swift lays them out, in the order of the golden file.
enum SwiftLayout {
    static let structures: [LayoutGolden.Structure] = unsafe [
        structure(
            "kit_create_v1", kit_create_v1.self,
            [
                ("struct_size", MemoryLayout<kit_create_v1>.offset(of: \.struct_size)),
                ("kind", MemoryLayout<kit_create_v1>.offset(of: \.kind)),
                ("instance_name", MemoryLayout<kit_create_v1>.offset(of: \.instance_name)),
                ("options", MemoryLayout<kit_create_v1>.offset(of: \.options)),
                ("option_count", MemoryLayout<kit_create_v1>.offset(of: \.option_count)),
                ("option_stride", MemoryLayout<kit_create_v1>.offset(of: \.option_stride)),
            ]),
        structure(
            "kit_event_batch_v1", kit_event_batch_v1.self,
            [
                ("struct_size", MemoryLayout<kit_event_batch_v1>.offset(of: \.struct_size)),
                ("controller", MemoryLayout<kit_event_batch_v1>.offset(of: \.controller)),
                ("events", MemoryLayout<kit_event_batch_v1>.offset(of: \.events)),
                ("event_count", MemoryLayout<kit_event_batch_v1>.offset(of: \.event_count)),
                ("event_stride", MemoryLayout<kit_event_batch_v1>.offset(of: \.event_stride)),
                ("text", MemoryLayout<kit_event_batch_v1>.offset(of: \.text)),
                ("text_length", MemoryLayout<kit_event_batch_v1>.offset(of: \.text_length)),
                ("dropped", MemoryLayout<kit_event_batch_v1>.offset(of: \.dropped)),
            ]),
        structure(
            "kit_event_v1", kit_event_v1.self,
            [
                ("struct_size", MemoryLayout<kit_event_v1>.offset(of: \.struct_size)),
                ("type", MemoryLayout<kit_event_v1>.offset(of: \.type)),
                ("flags", MemoryLayout<kit_event_v1>.offset(of: \.flags)),
                ("session", MemoryLayout<kit_event_v1>.offset(of: \.session)),
                ("sequence", MemoryLayout<kit_event_v1>.offset(of: \.sequence)),
                ("time_us", MemoryLayout<kit_event_v1>.offset(of: \.time_us)),
                ("position_us", MemoryLayout<kit_event_v1>.offset(of: \.position_us)),
                ("text_offset", MemoryLayout<kit_event_v1>.offset(of: \.text_offset)),
                ("text_length", MemoryLayout<kit_event_v1>.offset(of: \.text_length)),
                ("v", MemoryLayout<kit_event_v1>.offset(of: \.v)),
            ]),
        structure(
            "kit_field_v1", kit_field_v1.self,
            [
                ("struct_size", MemoryLayout<kit_field_v1>.offset(of: \.struct_size)),
                ("type", MemoryLayout<kit_field_v1>.offset(of: \.type)),
                ("key", MemoryLayout<kit_field_v1>.offset(of: \.key)),
                ("integer", MemoryLayout<kit_field_v1>.offset(of: \.integer)),
                ("number", MemoryLayout<kit_field_v1>.offset(of: \.number)),
                ("text", MemoryLayout<kit_field_v1>.offset(of: \.text)),
            ]),
        structure(
            "kit_host_v1", kit_host_v1.self,
            [
                ("struct_size", MemoryLayout<kit_host_v1>.offset(of: \.struct_size)),
                ("abi_minor", MemoryLayout<kit_host_v1>.offset(of: \.abi_minor)),
                ("host_context", MemoryLayout<kit_host_v1>.offset(of: \.host_context)),
                ("log", MemoryLayout<kit_host_v1>.offset(of: \.log)),
                ("report_error", MemoryLayout<kit_host_v1>.offset(of: \.report_error)),
                ("request_action", MemoryLayout<kit_host_v1>.offset(of: \.request_action)),
                ("get_interface", MemoryLayout<kit_host_v1>.offset(of: \.get_interface)),
            ]),
        structure(
            "kit_lifecycle_v1", kit_lifecycle_v1.self,
            [
                ("struct_size", MemoryLayout<kit_lifecycle_v1>.offset(of: \.struct_size)),
                ("reserved", MemoryLayout<kit_lifecycle_v1>.offset(of: \.reserved)),
                ("decide", MemoryLayout<kit_lifecycle_v1>.offset(of: \.decide)),
            ]),
        structure(
            "kit_monitor_v1", kit_monitor_v1.self,
            [
                ("struct_size", MemoryLayout<kit_monitor_v1>.offset(of: \.struct_size)),
                ("reserved", MemoryLayout<kit_monitor_v1>.offset(of: \.reserved)),
                ("event_mask", MemoryLayout<kit_monitor_v1>.offset(of: \.event_mask)),
                ("on_events", MemoryLayout<kit_monitor_v1>.offset(of: \.on_events)),
            ]),
        structure(
            "kit_note_head", kit_note_head.self,
            [
                ("format", MemoryLayout<kit_note_head>.offset(of: \.format)),
                ("abi_major", MemoryLayout<kit_note_head>.offset(of: \.abi_major)),
                ("abi_minor", MemoryLayout<kit_note_head>.offset(of: \.abi_minor)),
                ("needed_minor", MemoryLayout<kit_note_head>.offset(of: \.needed_minor)),
                ("kinds", MemoryLayout<kit_note_head>.offset(of: \.kinds)),
                ("capabilities", MemoryLayout<kit_note_head>.offset(of: \.capabilities)),
                ("flags", MemoryLayout<kit_note_head>.offset(of: \.flags)),
                ("id_len", MemoryLayout<kit_note_head>.offset(of: \.id_len)),
                ("version_len", MemoryLayout<kit_note_head>.offset(of: \.version_len)),
                ("name_len", MemoryLayout<kit_note_head>.offset(of: \.name_len)),
                ("vendor_len", MemoryLayout<kit_note_head>.offset(of: \.vendor_len)),
            ]),
        structure(
            "kit_option_v1", kit_option_v1.self,
            [
                ("struct_size", MemoryLayout<kit_option_v1>.offset(of: \.struct_size)),
                ("type", MemoryLayout<kit_option_v1>.offset(of: \.type)),
                ("key", MemoryLayout<kit_option_v1>.offset(of: \.key)),
                ("integer", MemoryLayout<kit_option_v1>.offset(of: \.integer)),
                ("number", MemoryLayout<kit_option_v1>.offset(of: \.number)),
                ("text", MemoryLayout<kit_option_v1>.offset(of: \.text)),
            ]),
        structure(
            "kit_player_v1", kit_player_v1.self,
            [
                ("struct_size", MemoryLayout<kit_player_v1>.offset(of: \.struct_size)),
                ("state", MemoryLayout<kit_player_v1>.offset(of: \.state)),
                ("flags", MemoryLayout<kit_player_v1>.offset(of: \.flags)),
                ("stage", MemoryLayout<kit_player_v1>.offset(of: \.stage)),
                ("handle", MemoryLayout<kit_player_v1>.offset(of: \.handle)),
                ("unique_id", MemoryLayout<kit_player_v1>.offset(of: \.unique_id)),
                ("bytes_held", MemoryLayout<kit_player_v1>.offset(of: \.bytes_held)),
                ("created_seq", MemoryLayout<kit_player_v1>.offset(of: \.created_seq)),
                ("acquired_seq", MemoryLayout<kit_player_v1>.offset(of: \.acquired_seq)),
                ("idle_seq", MemoryLayout<kit_player_v1>.offset(of: \.idle_seq)),
            ]),
        structure(
            "kit_plugin_v1", kit_plugin_v1.self,
            [
                ("struct_size", MemoryLayout<kit_plugin_v1>.offset(of: \.struct_size)),
                ("abi_minor", MemoryLayout<kit_plugin_v1>.offset(of: \.abi_minor)),
                ("create", MemoryLayout<kit_plugin_v1>.offset(of: \.create)),
                ("destroy", MemoryLayout<kit_plugin_v1>.offset(of: \.destroy)),
                ("get_interface", MemoryLayout<kit_plugin_v1>.offset(of: \.get_interface)),
            ]),
        structure(
            "kit_pool_decision_v1", kit_pool_decision_v1.self,
            [
                ("struct_size", MemoryLayout<kit_pool_decision_v1>.offset(of: \.struct_size)),
                ("action", MemoryLayout<kit_pool_decision_v1>.offset(of: \.action)),
                ("handle", MemoryLayout<kit_pool_decision_v1>.offset(of: \.handle)),
                ("create_count", MemoryLayout<kit_pool_decision_v1>.offset(of: \.create_count)),
                ("evict", MemoryLayout<kit_pool_decision_v1>.offset(of: \.evict)),
                ("evict_capacity", MemoryLayout<kit_pool_decision_v1>.offset(of: \.evict_capacity)),
                ("evict_count", MemoryLayout<kit_pool_decision_v1>.offset(of: \.evict_count)),
                ("prepare", MemoryLayout<kit_pool_decision_v1>.offset(of: \.prepare)),
                ("prepare_capacity", MemoryLayout<kit_pool_decision_v1>.offset(of: \.prepare_capacity)),
                ("prepare_count", MemoryLayout<kit_pool_decision_v1>.offset(of: \.prepare_count)),
                ("prepare_stride", MemoryLayout<kit_pool_decision_v1>.offset(of: \.prepare_stride)),
                ("reserved", MemoryLayout<kit_pool_decision_v1>.offset(of: \.reserved)),
            ]),
        structure(
            "kit_pool_request_v1", kit_pool_request_v1.self,
            [
                ("struct_size", MemoryLayout<kit_pool_request_v1>.offset(of: \.struct_size)),
                ("kind", MemoryLayout<kit_pool_request_v1>.offset(of: \.kind)),
                ("reason", MemoryLayout<kit_pool_request_v1>.offset(of: \.reason)),
                ("flags", MemoryLayout<kit_pool_request_v1>.offset(of: \.flags)),
                ("now_us", MemoryLayout<kit_pool_request_v1>.offset(of: \.now_us)),
                ("players", MemoryLayout<kit_pool_request_v1>.offset(of: \.players)),
                ("player_count", MemoryLayout<kit_pool_request_v1>.offset(of: \.player_count)),
                ("player_stride", MemoryLayout<kit_pool_request_v1>.offset(of: \.player_stride)),
                ("max_pool_size", MemoryLayout<kit_pool_request_v1>.offset(of: \.max_pool_size)),
                ("hard_max", MemoryLayout<kit_pool_request_v1>.offset(of: \.hard_max)),
                ("unique_id", MemoryLayout<kit_pool_request_v1>.offset(of: \.unique_id)),
                ("handle", MemoryLayout<kit_pool_request_v1>.offset(of: \.handle)),
                ("source_kind", MemoryLayout<kit_pool_request_v1>.offset(of: \.source_kind)),
                ("level", MemoryLayout<kit_pool_request_v1>.offset(of: \.level)),
                ("count", MemoryLayout<kit_pool_request_v1>.offset(of: \.count)),
                ("upcoming", MemoryLayout<kit_pool_request_v1>.offset(of: \.upcoming)),
                ("upcoming_count", MemoryLayout<kit_pool_request_v1>.offset(of: \.upcoming_count)),
                ("upcoming_stride", MemoryLayout<kit_pool_request_v1>.offset(of: \.upcoming_stride)),
            ]),
        structure(
            "kit_prepare_v1", kit_prepare_v1.self,
            [
                ("struct_size", MemoryLayout<kit_prepare_v1>.offset(of: \.struct_size)),
                ("item", MemoryLayout<kit_prepare_v1>.offset(of: \.item)),
                ("stage", MemoryLayout<kit_prepare_v1>.offset(of: \.stage)),
                ("reserved", MemoryLayout<kit_prepare_v1>.offset(of: \.reserved)),
                ("handle", MemoryLayout<kit_prepare_v1>.offset(of: \.handle)),
            ]),
        structure(
            "kit_report_sink_v1", kit_report_sink_v1.self,
            [
                ("struct_size", MemoryLayout<kit_report_sink_v1>.offset(of: \.struct_size)),
                ("reserved", MemoryLayout<kit_report_sink_v1>.offset(of: \.reserved)),
                ("host_context", MemoryLayout<kit_report_sink_v1>.offset(of: \.host_context)),
                ("emit", MemoryLayout<kit_report_sink_v1>.offset(of: \.emit)),
            ]),
        structure(
            "kit_report_v1", kit_report_v1.self,
            [
                ("struct_size", MemoryLayout<kit_report_v1>.offset(of: \.struct_size)),
                ("kind", MemoryLayout<kit_report_v1>.offset(of: \.kind)),
                ("session", MemoryLayout<kit_report_v1>.offset(of: \.session)),
                ("flags", MemoryLayout<kit_report_v1>.offset(of: \.flags)),
                ("name", MemoryLayout<kit_report_v1>.offset(of: \.name)),
                ("fields", MemoryLayout<kit_report_v1>.offset(of: \.fields)),
                ("field_count", MemoryLayout<kit_report_v1>.offset(of: \.field_count)),
                ("field_stride", MemoryLayout<kit_report_v1>.offset(of: \.field_stride)),
            ]),
        structure(
            "kit_str", kit_str.self,
            [
                ("ptr", MemoryLayout<kit_str>.offset(of: \.ptr)),
                ("len", MemoryLayout<kit_str>.offset(of: \.len)),
            ]),
        structure(
            "kit_upcoming_v1", kit_upcoming_v1.self,
            [
                ("struct_size", MemoryLayout<kit_upcoming_v1>.offset(of: \.struct_size)),
                ("distance", MemoryLayout<kit_upcoming_v1>.offset(of: \.distance)),
                ("unique_id", MemoryLayout<kit_upcoming_v1>.offset(of: \.unique_id)),
                ("handle", MemoryLayout<kit_upcoming_v1>.offset(of: \.handle)),
                ("stage", MemoryLayout<kit_upcoming_v1>.offset(of: \.stage)),
                ("reserved", MemoryLayout<kit_upcoming_v1>.offset(of: \.reserved)),
            ]),
    ]

    private static func structure<Value>(
        _ name: String, _ type: Value.Type, _ members: [(String, Int?)]
    ) -> LayoutGolden.Structure {
        LayoutGolden.Structure(
            name: name, size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment,
            members: members.map { LayoutGolden.Member(name: $0.0, offset: $0.1 ?? -1, type: "") })
    }
}
