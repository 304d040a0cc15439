// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Testing

@Suite struct PlayerConfigurationTests {
    typealias Scene = PlayerConfiguration.Scene
    typealias Effective = PlayerConfiguration.Effective

    /// Milliseconds, milliseconds, milliseconds, mebibytes.
    private static let presets: [(scene: Scene?, start: Int, high: Int, max: Int, bytes: Int)] = [
        (nil, 500, 3000, 50_000, 64), (.long, 500, 3000, 50_000, 64), (.medium, 500, 3000, 30_000, 32),
        (.short, 250, 1500, 15_000, 16), (.live, 250, 1000, 5000, 16),
    ]

    @Test(arguments: presets)
    func aSceneChoosesTheBuffers(scene: Scene?, start: Int, high: Int, max: Int, bytes: Int) {
        var configuration = PlayerConfiguration()
        configuration.scene = scene
        let effective = configuration.effective
        #expect(effective.startBuffer == .milliseconds(start))
        #expect(effective.highBuffer == .milliseconds(high))
        #expect(effective.maxBuffer == .milliseconds(max))
        #expect(effective.maxBufferBytes == bytes << 20)
        #expect(effective.networkTimeout == .seconds(15))
        #expect(effective.networkRetryCount == 2)
        #expect(effective.networkRetryInterval == .seconds(1))
    }

    @Test func everySceneIsInTheTable() {
        #expect(Set(Self.presets.compactMap(\.scene)) == Set(Scene.allCases))
    }

    @Test(arguments: Scene.allCases)
    func aFieldThatIsSetWinsOverTheSceneAndLeavesTheOthers(_ scene: Scene) {
        func expect<Value: Equatable>(
            _ field: WritableKeyPath<PlayerConfiguration, Value?>, _ value: Value,
            is effective: WritableKeyPath<Effective, Value>
        ) {
            var configuration = PlayerConfiguration()
            configuration.scene = scene
            var expected = configuration.effective
            #expect(expected[keyPath: effective] != value)
            expected[keyPath: effective] = value
            configuration[keyPath: field] = value
            #expect(configuration.effective == expected)
        }
        expect(\.startBuffer, .milliseconds(700), is: \.startBuffer)
        expect(\.highBuffer, .milliseconds(1700), is: \.highBuffer)
        expect(\.maxBuffer, .milliseconds(3300), is: \.maxBuffer)
        expect(\.maxBufferBytes, 5 << 20, is: \.maxBufferBytes)
        expect(\.networkTimeout, .seconds(7), is: \.networkTimeout)
        expect(\.networkRetryCount, 9, is: \.networkRetryCount)
        expect(\.networkRetryInterval, .milliseconds(30), is: \.networkRetryInterval)
    }

    /// Milliseconds: what is set, and what is in force.
    @Test(
        arguments: [
            (set: (5000, 2000, nil), expected: (2000, 2000, 50_000)), ((nil, 100, nil), (100, 100, 50_000)),
            ((nil, nil, 200), (200, 200, 200)), ((9000, 8000, 7000), (7000, 7000, 7000)), ((0, 0, 0), (0, 0, 100)),
            ((-1, -1, -1), (0, 0, 100)), ((nil, nil, 9_000_000), (500, 3000, 3_600_000)),
        ] as [(set: (Int?, Int?, Int?), expected: (Int, Int, Int))])
    func buffersAreInOrderAndInRange(set: (Int?, Int?, Int?), expected: (Int, Int, Int)) {
        var configuration = PlayerConfiguration()
        configuration.startBuffer = set.0.map { .milliseconds($0) }
        configuration.highBuffer = set.1.map { .milliseconds($0) }
        configuration.maxBuffer = set.2.map { .milliseconds($0) }
        let effective = configuration.effective
        #expect(effective.startBuffer == .milliseconds(expected.0))
        #expect(effective.highBuffer == .milliseconds(expected.1))
        #expect(effective.maxBuffer == .milliseconds(expected.2))
    }

    @Test func theRestIsInRange() {
        var configuration = PlayerConfiguration()
        (configuration.maxBufferBytes, configuration.networkRetryCount) = (-1, -1)
        (configuration.networkTimeout, configuration.networkRetryInterval) = (.seconds(-1), .seconds(-1))
        var effective = configuration.effective
        #expect(effective.maxBufferBytes == 1 << 20)
        #expect(effective.networkRetryCount == 0)
        #expect(effective.networkTimeout == .milliseconds(100))
        #expect(effective.networkRetryInterval == .zero)
        (configuration.maxBufferBytes, configuration.networkRetryCount) = (.max, .max)
        (configuration.networkTimeout, configuration.networkRetryInterval) = (.seconds(Int64.max), .seconds(Int64.max))
        effective = configuration.effective
        #expect(effective.maxBufferBytes == 1 << 30)
        #expect(effective.networkRetryCount == 100)
        #expect(effective.networkTimeout == .seconds(600))
        #expect(effective.networkRetryInterval == .seconds(600))
    }
}
