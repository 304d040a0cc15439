// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlayerKit
import PluginHost
import TestSupport
import Testing

@Suite("A configuration file becomes a value, whole or not at all")
struct ConfigurationTests {
    private let builtins: StagedBuiltins
    private let directory: TemporaryDirectory

    init() throws {
        builtins = try StagedBuiltins("default", "first-frame", "reuse-pool", "stutter-detect", "traffic-protection")
        directory = try TemporaryDirectory()
    }

    private func read(_ text: String) throws -> Configuration {
        let path = try directory.write(Array(text.utf8), to: "config.json")
        return try Configuration(path: path, pluginDirectory: builtins.path)
    }

    @Test("every value has its place")
    func values() throws {
        let configuration = try read(
            """
            { pluginPath: ["/nowhere/a", "b"], lifecycle: "reuse-pool",
              monitors: ["first-frame", {name: "stutter-detect", options: {threshold_ms: 1e2, thresholds_ms: [0x64, 2.5]}}],
              player: {startBufferMs: 250, highBufferMs: 2000, maxBufferMs: 20000, networkTimeoutMs: 5000, networkRetryCount: 0},
              workers: {decisionDeadlineMs: 30, restart: {backoffMs: [0, 10], limit: 2, windowMs: 1000}},
              log: {level: "warn", format: "text"} }
            """)
        var expected = Configuration()
        expected.pluginPath = ["/nowhere/a", directory.file("b")]
        expected.lifecycle = .init(name: "reuse-pool")
        var stutter = Configuration.Entry(name: "stutter-detect")
        stutter.options = [
            .init(strategy: "stutter-detect", key: "threshold_ms", text: "100"),
            .init(strategy: "stutter-detect", key: "thresholds_ms", text: "100,2.5"),
        ]
        expected.monitors = [.init(name: "first-frame"), stutter]
        expected.player.startBuffer = .milliseconds(250)
        expected.player.highBuffer = .milliseconds(2000)
        expected.player.maxBuffer = .milliseconds(20_000)
        expected.player.networkTimeout = .milliseconds(5000)
        expected.player.networkRetryCount = 0
        expected.workers.decisionDeadline = .milliseconds(30)
        expected.workers.restartDelays = [.zero, .milliseconds(10)]
        expected.workers.restartLimit = 2
        expected.workers.restartWindow = .milliseconds(1000)
        expected.logLevel = .warn
        expected.logFormat = .text
        #expect(configuration.pluginPath == expected.pluginPath)
        #expect(configuration.lifecycle == expected.lifecycle)
        #expect(configuration.monitors == expected.monitors)
        #expect(configuration.player == expected.player)
        #expect(configuration.workers == expected.workers)
        #expect(configuration.logLevel == expected.logLevel)
        #expect(configuration.logFormat == expected.logFormat)
        #expect(configuration.file == directory.file("config.json"))
    }

    @Test("an application runs under it as kitshell does, and its own settings beat it")
    func installation() throws {
        let configuration = try read(
            "{lifecycle: {name: 'reuse-pool', options: {max_pool_size: 2}}, monitors: ['stutter-detect']}")
        let installation = try Installation(
            pluginDirectory: builtins.path, configuration: configuration, log: LogHub(console: { _ in }))
        func names(_ change: (inout StrategySelection) -> Void = { _ in }) throws -> [String] {
            var settings = PlaySettings(models: [PlayerModel(videoSource: .url(Media.short))])
            settings.isVirtualTime = true
            change(&settings.strategies)
            return try installation.makePlayRun(settings).run().report.strategies.map(\.name)
        }
        #expect(try names() == ["stutter-detect", "reuse-pool"])
        #expect(try names { $0.monitors = [] } == ["reuse-pool"])
        #expect(try names { $0.lifecycle = "default" } == ["stutter-detect", "default"])
    }

    @Test("one that an application makes is brought into range, and its entries are found by their ids")
    func made() throws {
        var configuration = Configuration()
        configuration.workers.decisionDeadline = .seconds(100)
        configuration.workers.restartDelays = []
        configuration.workers.restartLimit = 0
        configuration.workers.restartWindow = .zero
        configuration.pluginPath = [directory.path]
        var entry = Configuration.Entry(name: "com.example.found")
        entry.sha256 = String(repeating: "0", count: 64)
        configuration.monitors = [.init(name: "first-frame"), entry]
        _ = try CommandLineTool.compile(
            """
            #include <kitshell/kit.h>
            KIT_PLUGIN_NOTE(KIT_KIND_MONITOR, 0, 0, 0, "com.example.found", "1.0.0", "Found", "Example");
            KIT_EXPORT kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 **out) { return KIT_INTERNAL; }

            """, to: "found.so", in: directory)
        let installation = try Installation(pluginDirectory: builtins.path, configuration: configuration)
        let shown = try installation.settingsInForce(StrategySelection(), .init())
        func value(_ key: String) -> JSONValue? {
            shown.json["values"]?.array?.first { $0["key"]?.string == key }?["value"]
        }
        #expect(value("workers.decisionDeadlineMs") == 10_000)
        #expect(value("workers.restart.backoffMs") == [0, 250, 1000, 5000, 30_000])
        #expect(value("workers.restart.limit") == 1)
        #expect(value("workers.restart.windowMs") == 1)
        // The pin of an entry holds for what is found too.
        #expect(shown.refusals.map(\.cause) == ["hash_mismatch"])
        #expect(value("monitors[0].name") == "first-frame")
    }

    @Test("a home directory that there is none of is told")
    func home() throws {
        let path = try directory.write(Array("{pluginPath: ['~/a']}".utf8), to: "config.json")
        func read(home: String?) throws -> Configuration {
            try ConfigurationReader.read(
                path, builtinDirectory: builtins.path, allowsInsecurePaths: false,
                environment: { $0 == "HOME" ? home : nil })
        }
        #expect(try read(home: "/home/me").pluginPath == ["/home/me/a"])
        for home in [nil, "relative"] {
            let error = try #require(throws: ConfigurationError.self) { _ = try read(home: home) }
            #expect(
                error.description
                    == "\(path):1:15: pluginPath[0]: there is no home directory for ~; set HOME, or write the whole path"
            )
        }
    }

    // MARK: Files that change

    @Test("a file that is replaced while it is read is read as it was")
    func replaced() throws {
        let path = try directory.write(Array("{a: 1}".utf8), to: "config.json")
        let bytes = try ConfigurationText.read(path) {
            try? Data("{b: 22}".utf8).write(to: URL(filePath: path), options: .atomic)
        }
        #expect(bytes == Array("{a: 1}".utf8))
    }

    @Test("a file that grows while it is read is read again, and given up if it goes on")
    func growing() throws {
        let path = try directory.write(Array("{}".utf8), to: "config.json")
        var times = 0
        func append() {
            times += 1
            guard let handle = FileHandle(forWritingAtPath: path) else { return }
            _ = try? handle.seekToEnd()
            try? handle.write(contentsOf: Data(" ".utf8))
            try? handle.close()
        }
        #expect(try ConfigurationText.read(path) { if times == 0 { append() } } == Array("{} ".utf8))
        let error = try #require(throws: ConfigurationError.self) { _ = try ConfigurationText.read(path) { append() } }
        #expect(error.description.contains("the file is being changed while it is read"))
        #expect(times == 4)
    }

    @Test("a file that is cut while it is read is not taken for whole")
    func cut() throws {
        let path = try directory.write(Array("{a: 1}".utf8), to: "config.json")
        let error = try #require(throws: ConfigurationError.self) {
            _ = try ConfigurationText.read(path) { unsafe truncate(path, 0) }
        }
        #expect(error.description.contains("the file is empty"))
    }

    // MARK: Places

    @Test("the system's file is in force where the user has none")
    func system() throws {
        let system = try directory.write([], to: "system.json")
        let environment = ["HOME": directory.path]
        let find = { ConfigurationPlace.find(given: nil, environment: { environment[$0] }, system: system) }
        #expect(find() == ConfigurationPlace(path: system, origin: .usual))
        try FileManager.default.createDirectory(
            atPath: directory.file(".config/kitshell"), withIntermediateDirectories: true)
        let own = try directory.write([], to: ".config/kitshell/config.json")
        #expect(find() == ConfigurationPlace(path: own, origin: .usual))
        #expect(ConfigurationPlace.find(given: nil, environment: { _ in nil }, system: "/nowhere/at/all") == nil)
    }
}
