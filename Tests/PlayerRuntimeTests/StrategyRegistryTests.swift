// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaCore
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

@Suite("The strategy registry")
struct StrategyRegistryTests {
    let stage = FakeStage()

    private func names(_ registry: StrategyRegistry) -> [String] {
        let controller = PlayerController(environment: stage.environment)
        defer { controller.destroy() }
        registry.apply(to: controller.strategyManager)
        return controller.strategyManager.statuses.map(\.name)
    }

    @Test("has the built-in strategies first, from its first use on")
    func builtIns() {
        let asked = Journal()
        let registry = StrategyRegistry {
            asked.note("asked")
            return [{ FakeStrategy("built-in") }]
        }
        #expect(asked.lines.isEmpty)
        registry.addGlobalStrategyFactory { FakeStrategy("mine") }
        #expect(names(registry) == ["built-in", "mine"])
        #expect(asked.lines.count == 1)
    }

    @Test("nobody gets less than the built-in strategies while they are being looked for")
    func concurrentFirstUse() throws {
        let isAsked = DispatchSemaphore(value: 0)
        let isOtherAbout = DispatchSemaphore(value: 0)
        let registry = StrategyRegistry {
            isAsked.signal()
            isOtherAbout.wait()
            return [{ FakeStrategy("built-in") }]
        }
        let found = Mutex<[[String]]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            if index == 1 {
                isAsked.wait()
                isOtherAbout.signal()
            }
            let mine = names(registry)
            found.withLock { $0.append(mine) }
        }
        #expect(found.withLock { $0 } == [["built-in"], ["built-in"]])
    }

    @Test("may be used by whoever says what the built-in strategies are")
    func reentrantFirstUse() {
        let box = Mutex<StrategyRegistry?>(nil)
        let registry = StrategyRegistry {
            box.withLock { $0 }?.addGlobalStrategyFactory { FakeStrategy("extra") }
            return [{ FakeStrategy("built-in") }]
        }
        box.withLock { $0 = registry }
        #expect(names(registry) == ["built-in", "extra"])
        box.withLock { $0 = nil }
    }

    @Test("can be cleared, built-in ones included, and set back")
    func clear() {
        let registry = StrategyRegistry { [{ FakeStrategy("built-in") }] }
        registry.clearGlobalStrategies()
        #expect(names(registry) == [])
        registry.addGlobalStrategyFactory { FakeStrategy("mine") }
        #expect(names(registry) == ["mine"])
        registry.resetToDefault()
        #expect(names(registry) == ["built-in"])
        registry.setBuiltIns { [{ FakeStrategy("other") }] }
        registry.resetToDefault()
        #expect(names(registry) == ["other"])
    }

    @Test("a factory that throws is recorded and the others are applied")
    func throwing() {
        let registry = StrategyRegistry()
        registry.addGlobalStrategyFactory { throw FakeFailure() }
        registry.addGlobalStrategyFactory { FakeStrategy("good") }
        let controller = PlayerController(environment: stage.environment)
        registry.apply(to: controller.strategyManager)
        let statuses = controller.strategyManager.statuses
        #expect(statuses.map(\.name) == ["good", "factory 1"])
        #expect(statuses[1].faults.map(\.during) == ["create"])
        controller.destroy()
    }

    @Test("gives every new controller strategies of its own")
    func perController() {
        stage.registry.addGlobalStrategyFactory { FakeStrategy("a") }
        let one = PlayerController(environment: stage.environment)
        let two = PlayerController(environment: stage.environment)
        #expect(one.strategyManager.strategyCount == 1)
        #expect(one.strategyManager.strategy(named: "a") !== two.strategyManager.strategy(named: "a"))
        one.destroy()
        two.destroy()
    }
}
