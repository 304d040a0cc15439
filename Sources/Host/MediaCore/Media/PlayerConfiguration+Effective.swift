// SPDX-License-Identifier: Apache-2.0

extension PlayerConfiguration {
    /// A configuration with every choice made and every value in its range.
    public struct Effective: Hashable, Sendable {
        public var startBuffer: Duration
        public var highBuffer: Duration
        public var maxBuffer: Duration
        public var maxBufferBytes: Int
        public var networkTimeout: Duration
        public var networkRetryCount: Int
        public var networkRetryInterval: Duration
    }

    /// What fields can be; buffers besides keep start ≤ high ≤ max.
    package enum Limits {
        /// Of `startBuffer` and `highBuffer`.
        package static let buffer = Duration.zero ... .seconds(3600)
        package static let maxBuffer = Duration.milliseconds(100) ... .seconds(3600)
        static let maxBufferBytes = 1 << 20...1 << 30
        package static let networkTimeout = Duration.milliseconds(100) ... .seconds(600)
        package static let networkRetryCount = 0...100
        static let networkRetryInterval = Duration.zero ... .seconds(600)
    }

    /// What is in force: explicit fields before those of the scene before the defaults, each brought into its range:
    /// buffers 0 to 1 h with start ≤ high ≤ max, bytes 1 MiB to 1 GiB, time-outs 100 ms to 10 min, retries 0 to 100.
    public var effective: Effective {
        let preset = scene?.preset ?? Effective.standard
        func bounded<Value: Comparable>(_ value: Value, _ range: ClosedRange<Value>) -> Value {
            min(max(value, range.lowerBound), range.upperBound)
        }
        let longest = bounded(maxBuffer ?? preset.maxBuffer, Limits.maxBuffer)
        let high = bounded(highBuffer ?? preset.highBuffer, .zero...longest)
        return Effective(
            startBuffer: bounded(startBuffer ?? preset.startBuffer, .zero...high), highBuffer: high,
            maxBuffer: longest,
            maxBufferBytes: bounded(maxBufferBytes ?? preset.maxBufferBytes, Limits.maxBufferBytes),
            networkTimeout: bounded(networkTimeout ?? preset.networkTimeout, Limits.networkTimeout),
            networkRetryCount: bounded(networkRetryCount ?? preset.networkRetryCount, Limits.networkRetryCount),
            networkRetryInterval: bounded(
                networkRetryInterval ?? preset.networkRetryInterval, Limits.networkRetryInterval))
    }
}

extension PlayerConfiguration.Effective {
    fileprivate static let standard = PlayerConfiguration.Effective(
        startBuffer: .milliseconds(500), highBuffer: .milliseconds(3000), maxBuffer: .milliseconds(50_000),
        maxBufferBytes: 64 << 20, networkTimeout: .milliseconds(15_000), networkRetryCount: 2,
        networkRetryInterval: .milliseconds(1000))
}

extension PlayerConfiguration.Scene {
    fileprivate var preset: PlayerConfiguration.Effective {
        var preset = PlayerConfiguration.Effective.standard
        switch self {
        case .long: break
        case .medium:
            preset.maxBuffer = .milliseconds(30_000)
            preset.maxBufferBytes = 32 << 20
        case .short:
            // A feed leaves most items after seconds: what is read ahead is mostly thrown away.
            preset.startBuffer = .milliseconds(250)
            preset.highBuffer = .milliseconds(1500)
            preset.maxBuffer = .milliseconds(15_000)
            preset.maxBufferBytes = 16 << 20
        case .live:
            // What is buffered is behind the live edge by as much.
            preset.startBuffer = .milliseconds(250)
            preset.highBuffer = .milliseconds(1000)
            preset.maxBuffer = .milliseconds(5000)
            preset.maxBufferBytes = 16 << 20
        }
        return preset
    }
}
