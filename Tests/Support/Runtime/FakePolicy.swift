// SPDX-License-Identifier: Apache-2.0

public import PlayerRuntime
import Synchronization

/// A lifecycle policy that is one closure; remembers what it was asked.
public final class FakePolicy: LifecyclePolicy {
    public let policyName: String
    public let takesOver: Bool
    public let bindsIDs: Bool
    public let maxPoolSize: Int64?
    private let body: @Sendable (PoolRequest) throws -> PoolDecision?
    private let asked = Mutex<[PoolRequest]>([])

    public init(
        name: String = "fake", takesOver: Bool = false, bindsIDs: Bool = false, maxPoolSize: Int64? = nil,
        decide: @escaping @Sendable (PoolRequest) throws -> PoolDecision?
    ) {
        policyName = name
        self.takesOver = takesOver
        self.bindsIDs = bindsIDs
        self.maxPoolSize = maxPoolSize
        body = decide
    }

    /// Every request so far.
    public var requests: [PoolRequest] { asked.withLock { $0 } }

    public func decide(_ request: PoolRequest) throws -> PoolDecision? {
        asked.withLock { $0.append(request) }
        return try body(request)
    }

    /// Newest idle one first, keeps up to `max`: the least that reuses.
    public static func reuse(max: Int64 = 2) -> FakePolicy {
        FakePolicy(name: "reuse", maxPoolSize: max) { request in
            let idle = request.players.filter { $0.condition == .idle }
            let max = request.maxPoolSize ?? max
            switch request.kind {
            case .acquire:
                let newest = idle.max { $0.idleSequence < $1.idleSequence }
                return newest.map { PoolDecision(.use($0.handle)) } ?? PoolDecision(.create)
            case .recycle(_, _, let force):
                return PoolDecision(!force && Int64(idle.count) < max ? .keep : .destroy)
            case .preload(let count):
                let room = max - Int64(request.players.count)
                return PoolDecision(.none, createCount: Swift.max(0, min(count, room)))
            case .clear:
                return PoolDecision(.none, evict: request.players.map(\.handle))
            case .resize, .pressure, .idle, .upcoming:
                return PoolDecision(.none, evict: idle.prefix(Swift.max(0, idle.count - Int(max))).map(\.handle))
            }
        }
    }
}
