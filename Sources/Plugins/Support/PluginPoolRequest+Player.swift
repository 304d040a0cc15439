// SPDX-License-Identifier: Apache-2.0

public import PluginABI

extension PluginPoolRequest {
    /// One player of the pool; the sequences are values of one counter, 0 means never.
    ///
    /// Read where the host lends it: a strategy keeps nothing of it when `decide` returns.
    @safe
    public struct Player: Hashable, @unchecked Sendable {
        // Sendable: nobody writes to the record.
        @usableFromInline let record: UnsafePointer<kit_player_v1>
        /// Keeps a record of its own; nil for what is lent.
        @usableFromInline let owner: OwnedMemory?

        @inlinable init(_ record: UnsafePointer<kit_player_v1>, owner: OwnedMemory?) {
            unsafe self.record = record
            self.owner = owner
        }

        /// What an answer names it by; never 0.
        @inlinable public var handle: UInt64 { unsafe record.pointee.handle }
        /// Whom it belongs to. One of a condition that this version does not know is somebody's.
        @inlinable public var condition: Condition {
            switch unsafe Int(record.pointee.state) {
            case KIT_PLAYER_IDLE: .idle
            case KIT_PLAYER_UNBOUND: .unbound
            default: .active
            }
        }
        /// Whether it plays now.
        @inlinable public var isPlaying: Bool { unsafe record.pointee.flags & UInt32(KIT_PLAYER_PLAYING) != 0 }
        /// Whether its holder lent it to another.
        @inlinable public var isLent: Bool { unsafe record.pointee.flags & UInt32(KIT_PLAYER_LENT) != 0 }
        /// `KIT_STAGE_*`.
        @inlinable public var stage: UInt32 { unsafe record.pointee.stage }
        /// The source it was leased for last or is prepared for; empty if none.
        @inlinable public var uniqueID: PluginText { unsafe PluginText(record.pointee.unique_id, owner: owner) }
        /// nil if not known.
        @inlinable public var bytesHeld: Int64? {
            unsafe record.pointee.bytes_held == .min ? nil : record.pointee.bytes_held
        }
        /// When it was made.
        @inlinable public var createdSequence: UInt64 { unsafe record.pointee.created_seq }
        /// When it was leased last.
        @inlinable public var acquiredSequence: UInt64 { unsafe record.pointee.acquired_seq }
        /// When it became idle last.
        @inlinable public var idleSequence: UInt64 { unsafe record.pointee.idle_seq }

        /// For the tests of a strategy. What is not given is that of a player which was only made.
        public init(
            handle: UInt64, condition: Condition, isPlaying: Bool = false, isLent: Bool = false, stage: UInt32 = 0,
            uniqueID: PluginText = "", bytesHeld: Int64? = nil, createdSequence: UInt64 = 0,
            acquiredSequence: UInt64 = 0, idleSequence: UInt64 = 0
        ) {
            let flags = (isPlaying ? KIT_PLAYER_PLAYING : 0) | (isLent ? KIT_PLAYER_LENT : 0)
            var record = unsafe kit_player_v1(
                struct_size: UInt32(MemoryLayout<kit_player_v1>.size), state: condition.rawValue, flags: UInt32(flags),
                stage: stage, handle: handle, unique_id: uniqueID.lent, bytes_held: bytesHeld ?? .min,
                created_seq: createdSequence, acquired_seq: acquiredSequence, idle_seq: idleSequence)
            let memory = unsafe withUnsafeBytes(of: &record) {
                unsafe OwnedMemory($0, keeping: [uniqueID.owner].compactMap(\.self))
            }
            unsafe self.init(memory.start.assumingMemoryBound(to: kit_player_v1.self), owner: memory)
        }

        /// By their values.
        public static func == (left: Player, right: Player) -> Bool {
            left.handle == right.handle && left.condition == right.condition && left.isPlaying == right.isPlaying
                && left.isLent == right.isLent && left.stage == right.stage && left.uniqueID == right.uniqueID
                && left.bytesHeld == right.bytesHeld && left.createdSequence == right.createdSequence
                && left.acquiredSequence == right.acquiredSequence && left.idleSequence == right.idleSequence
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(handle)
        }
    }
}
