// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import TestSupport
import Testing

/// A request about two players: 11 idle, 12 active.
private func request(_ kind: PoolRequest.Kind) -> PoolRequest {
    func player(_ number: UInt64, _ condition: PoolRequest.PlayerCondition) -> PoolRequest.Player {
        PoolRequest.Player(
            handle: PlayerHandle(rawValue: number), condition: condition, isPlaying: condition == .active,
            uniqueID: "url:\(number)", createdSequence: number - 10, acquiredSequence: 3, idleSequence: 4)
    }
    return PoolRequest(
        kind: kind, nowMicroseconds: 123, players: [player(11, .idle), player(12, .active)], maxPoolSize: 3,
        hardMax: nil)
}

private let acquire = PoolRequest.Kind.acquire(uniqueID: "url:a", sourceKind: .file)
private let recycle = PoolRequest.Kind.recycle(player: PlayerHandle(rawValue: 12), uniqueID: "url:b", force: true)

private func lifecycle(
    _ decide: String, prelude: String = "", origin: LoadPolicy.Origin = .builtIn,
    deadlines: CallDeadlines = CallDeadlines(), in directory: TemporaryDirectory
) throws -> any LifecycleInstance {
    var fixture = FixturePlugin(prelude: prelude)
    fixture.decide = decide
    let file = try fixture.build(in: directory, kinds: .lifecycle, origin: origin)
    return try InProcessPlace(file, deadlines: deadlines, log: CapturedLog().sink)
        .makeLifecycle(name: "fixture", options: [])
}

@Suite("lifecycle strategies in this process")
struct LifecycleTests {
    @Test(
        "a decision is read as the answer to its kind of request",
        arguments: [
            (acquire, "decision->action = KIT_ACQUIRE_CREATE;", PoolDecision(.create)),
            (
                acquire, "decision->action = KIT_ACQUIRE_USE; decision->handle = request->players[0].handle;",
                PoolDecision(.use(PlayerHandle(rawValue: 11)))
            ),
            (acquire, "decision->action = KIT_ACQUIRE_REFUSE;", PoolDecision(.refuse)),
            (recycle, "decision->action = KIT_RECYCLE_KEEP;", PoolDecision(.keep)),
            (recycle, "decision->action = KIT_RECYCLE_DESTROY;", PoolDecision(.destroy)),
            (.preload(count: 4), "decision->create_count = request->count - 1;", PoolDecision(.none, createCount: 3)),
            (
                .clear, "decision->evict[0] = 12; decision->evict[1] = 11; decision->evict_count = 2;",
                PoolDecision(.none, evict: [PlayerHandle(rawValue: 12), PlayerHandle(rawValue: 11)])
            ),
            (.resize, "decision->create_count = 9;", PoolDecision(.none)),
        ])
    func decision(kind: PoolRequest.Kind, body: String, expected: PoolDecision) throws {
        let directory = try TemporaryDirectory()
        let instance = try lifecycle("\(body) return KIT_OK;", in: directory)
        #expect(try instance.decide(request(kind)) == expected)
        #expect(instance.status.faults.isEmpty)
        #expect(instance.status.defaultsUsed == 0)
        instance.destroy()
    }

    @Test(
        "an answer that cannot be carried out is a fault and the default",
        arguments: [
            (acquire, ""), (acquire, "decision->action = 77;"), (acquire, "decision->action = KIT_ACQUIRE_USE;"),
            (recycle, "decision->action = 3;"), (PoolRequest.Kind.clear, "decision->action = KIT_ACQUIRE_CREATE;"),
            (PoolRequest.Kind.clear, "decision->evict_count = 3;"),
            (PoolRequest.Kind.clear, "decision->evict_count = 1000000000; decision->evict_capacity = 1000000000;"),
            (PoolRequest.Kind.clear, "decision->evict_count = 1; decision->evict[0] = 0;"),
            (PoolRequest.Kind.clear, "decision->evict = 0; decision->evict_count = 2;"),
            (PoolRequest.Kind.clear, "decision->prepare_count = 1;"),
            (PoolRequest.Kind.preload(count: 1), "decision->create_count = -1;"),
        ])
    func invalid(kind: PoolRequest.Kind, body: String) throws {
        let directory = try TemporaryDirectory()
        let instance = try lifecycle("\(body) return KIT_OK;", in: directory)
        let fault = #expect(throws: PluginFault.self) { try instance.decide(request(kind)) }
        #expect(fault?.fault.kind == .invalidDecision)
        #expect(instance.status.faults.map(\.kind) == [.invalidDecision])
        #expect(instance.status.health == .running)
        #expect(instance.status.defaultsUsed == 1)
    }

    @Test("the whole request reaches the strategy")
    func wholeRequest() throws {
        let directory = try TemporaryDirectory()
        let instance = try lifecycle(
            """
            const kit_player_v1 *p = request->players, *q = (const void *)((const char *)p + request->player_stride);
            int ok = request->struct_size == sizeof *request && request->kind == KIT_REQUEST_RECYCLE && request->flags == 1
              && request->reason == 0 && request->now_us == 123 && request->player_count == 2 && request->max_pool_size == 3
              && request->hard_max == KIT_UNKNOWN && request->handle == 12 && request->upcoming == 0
              && request->unique_id.len == 5 && !memcmp(request->unique_id.ptr, "url:b", 5)
              && p->state == KIT_PLAYER_IDLE && p->handle == 11 && p->flags == 0 && p->bytes_held == KIT_UNKNOWN
              && p->created_seq == 1 && p->acquired_seq == 3 && p->idle_seq == 4 && !memcmp(p->unique_id.ptr, "url:11", 6)
              && q->state == KIT_PLAYER_ACTIVE && q->flags == KIT_PLAYER_PLAYING && q->handle == 12
              && decision->struct_size == sizeof *decision && decision->evict_capacity == 2 && decision->prepare == 0;
            decision->action = ok ? KIT_RECYCLE_KEEP : KIT_RECYCLE_DESTROY;
            return KIT_OK;
            """, in: directory)
        #expect(try instance.decide(request(recycle))?.action == .keep)
    }

    @Test("a decline costs no fault, a negative result one", arguments: [LoadPolicy.Origin.builtIn, .stranger])
    func results(origin: LoadPolicy.Origin) throws {
        let directory = try TemporaryDirectory()
        var deadlines = CallDeadlines()
        deadlines.decide = patience
        let instance = try lifecycle(
            "return request->kind == KIT_REQUEST_ACQUIRE ? 5 : KIT_STALE;", origin: origin, deadlines: deadlines,
            in: directory)
        #expect(try instance.decide(request(acquire)) == nil)
        #expect(instance.status.faults.isEmpty)
        #expect(throws: PluginFault.self) { try instance.decide(request(recycle)) }
        #expect(instance.status.faults.map(\.during) == ["decide"])
        #expect(instance.status.defaultsUsed == 2)
        instance.destroy()
        #expect(throws: PluginFault.self) { try instance.decide(request(acquire)) }
    }

    @Test("a late answer is discarded; the next question gets its own")
    func lateAnswer() throws {
        let directory = try TemporaryDirectory()
        let gate = directory.file("gate")
        var deadlines = CallDeadlines()
        deadlines.decide = 2000
        let instance = try lifecycle(
            """
            if (request->kind == KIT_REQUEST_ACQUIRE) while (access("\(gate)", F_OK)) usleep(1000);
            decision->action = request->kind == KIT_REQUEST_ACQUIRE ? KIT_ACQUIRE_REFUSE : KIT_RECYCLE_KEEP;
            return KIT_OK;
            """, origin: .stranger, deadlines: deadlines, in: directory)
        let fault = #expect(throws: PluginFault.self) { try instance.decide(request(acquire)) }
        #expect(fault?.fault.kind == .hang)
        _ = try directory.write([], to: "gate")
        #expect(try instance.decide(request(recycle))?.action == .keep)
        #expect(instance.status.health == .running)
        instance.destroy()
    }

    @Test("three late answers in a row are the end")
    func hang() throws {
        let directory = try TemporaryDirectory()
        var deadlines = CallDeadlines()
        deadlines.decide = 25
        deadlines.destroy = 25
        let instance = try lifecycle("for (;;) pause();", origin: .stranger, deadlines: deadlines, in: directory)
        var rounds = 0
        while instance.status.health == .running {
            #expect(throws: PluginFault.self) { try instance.decide(request(acquire)) }
            rounds += 1
            try #require(rounds < 1000)
        }
        #expect(instance.status.health == .quarantined)
        #expect(instance.status.faults.allSatisfy { $0.kind == .hang })
        #expect(throws: PluginFault.self) { try instance.decide(request(acquire)) }
        instance.destroy()
    }
}
