// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerKit
import Testing
import kitshell

@Suite struct CommandTests {
    private func parse(_ arguments: String..., existing: Set<String> = []) throws(UsageError) -> Command {
        try Command.parse(arguments) { existing.contains($0) }
    }

    private func play(_ change: (inout PlayOptions) -> Void) -> Command {
        var options = PlayOptions()
        options.output.reports = [.init(.text)]
        change(&options)
        return .play(options)
    }

    @Test("Without any argument the demo clip is played")
    func nothing() throws {
        #expect(try parse() == play { _ in })
    }

    @Test(
        "A first argument that looks like a source, or is one, is played",
        arguments: ["a.mp4", "./movie", "http://x", "movie", "-"])
    func bareSource(word: String) throws {
        #expect(try parse(word, existing: ["movie"]) == play { $0.sources = [word] })
    }

    @Test("A first argument that is a command's name is that command, even if a file has the name")
    func commandFirst() throws {
        #expect(try parse("play", "replay", existing: ["play"]) == play { $0.sources = ["replay"] })
    }

    @Test("After -- a command's name is a source")
    func literal() throws {
        #expect(try parse("--", "replay") == play { $0.sources = ["replay"] })
    }

    @Test(
        "Any other first argument is a mistyped command",
        arguments: [
            ("relay", "did you mean 'replay'? Valid"), ("transcode", "valid"),
        ])
    func mistyped(word: String, hint: String) {
        let hint =
            "\(hint): play, feed, replay, pool, plugin list, plugin inspect, plugin retry, "
            + "config check, config show, config schema, doctor; "
            + "'kitshell --help' explains them; "
        #expect(throws: UsageError("unknown command '\(word)'", hint: hint + "a file of that name is ./\(word)")) {
            try parse(word, "x.mp4")
        }
    }

    @Test("Options and sources may stand in any order")
    func order() throws {
        let expected = play {
            $0.sources = ["a.mp4", "b.mp4"]
            $0.speed = .max
            $0.strategies.plugins = [.init(path: "./x.so", isExplicit: true)]
        }
        #expect(try parse("a.mp4", "--plugin", "./x.so", "b.mp4", "--speed=max") == expected)
        #expect(try parse("play", "--speed", "max", "--plugin=./x.so", "a.mp4", "b.mp4") == expected)
    }

    @Test("Every option of play reaches its place")
    func allOfPlay() throws {
        let command = try parse(
            "a.mp4", "--plugin", "one=a.so", "--plugin", "./b=c.so", "--lifecycle", "reuse-pool", "--monitor",
            "first-frame",
            "--monitor", "one", "--set", "com.example.counter.every=10", "--set", "one.text=a=b", "--isolation",
            "in-process",
            "--insecure-path", "--config", "c.json", "--state-dir", "here", "--speed", "max", "--rate", "1.5",
            "--start", "1500.25",
            "--duration", "2000", "--loop",
            "2", "--until", "first-frame", "--no-autoplay", "--video-sink", "y4m:out:1.y4m", "--audio-sink",
            "wav:out.wav",
            "--frame-hashes", "hashes", "--record", "log.jsonl",
            "--network", "cellular", "--grant", "one:actions", "--report",
            "text", "--report", "json=out.json", "--color", "never", "--log-level", "d")
        #expect(
            command
                == play {
                    $0.sources = ["a.mp4"]
                    $0.strategies.plugins = [
                        .init(name: "one", path: "a.so", isExplicit: true), .init(path: "./b=c.so", isExplicit: true),
                    ]
                    $0.configFile = "c.json"
                    $0.stateDirectory = "here"
                    $0.strategies.lifecycle = "reuse-pool"
                    $0.strategies.monitors = ["first-frame", "one"]
                    $0.strategies.settings = [
                        .init(strategy: "com.example.counter", key: "every", text: "10"),
                        .init(strategy: "one", key: "text", text: "a=b"),
                    ]
                    $0.strategies.isolation = .inProcess
                    $0.strategies.allowsInsecurePaths = true
                    $0.speed = .max
                    $0.playback.set(rate: 1.5)
                    $0.playback.loop = .times(2)
                    $0.start = MediaTime(microseconds: 1_500_250)
                    $0.duration = MediaTime(microseconds: 2_000_000)
                    $0.until = .firstFrame
                    $0.autoplay = false
                    $0.pictureFile = "out:1.y4m"
                    $0.soundFile = "out.wav"
                    $0.hashFile = "hashes"
                    $0.recordFile = "log.jsonl"
                    $0.network = .cellular
                    $0.strategies.grants = [.init(strategy: "one", capability: "actions")]
                    $0.output.reports = [.init(.text), .init(.json, file: "out.json")]
                    $0.output.color = .never
                    $0.output.logLevel = .debug
                })
    }

    @Test("--monitor none empties the list, and later ones are added to it")
    func monitors() throws {
        #expect(try parse("--monitor", "none") == play { $0.strategies.monitors = [] })
        #expect(try parse("--monitor=a", "--monitor=none", "--monitor=b") == play { $0.strategies.monitors = ["b"] })
    }

    @Test("Quiet prints only what is asked for")
    func quiet() throws {
        guard case .play(let silent) = try parse("-q"),
            case .play(let asked) = try parse("-q", "--report", "json", "--log-level", "warn")
        else {
            Issue.record("not the play command")
            return
        }
        #expect(silent.output.reports.isEmpty)
        #expect(silent.output.logLevel == .error)
        #expect(asked.output.reports == [.init(.json)])
        #expect(asked.output.logLevel == .warn)
    }

    @Test("A source can lack its picture or its sound, but not both")
    func tracks() throws {
        #expect(try parse("--no-video") == play { $0.hasVideo = false })
        #expect(try parse("--no-audio") == play { $0.hasAudio = false })
    }

    @Test("A source can loop without end, or not at all")
    func loops() throws {
        #expect(try parse("--loop", "forever") == play { $0.playback.loop = .forever })
        #expect(try parse("--loop", "0") == play { _ in })
    }

    @Test("A form of null is no output")
    func nullSinks() throws {
        #expect(try parse("--video-sink", "null", "--audio-sink", "null") == play { _ in })
    }

    @Test("What is written to standard output is there alone, unless a report is asked for elsewhere")
    func standardOutput() throws {
        guard case .play(let alone) = try parse("--frame-hashes", "-"),
            case .play(let both) = try parse("--record", "-", "--report", "text=report.txt"),
            case .play(let report) = try parse("--report", "json=-")
        else {
            Issue.record("not the play command")
            return
        }
        #expect(alone.output.reports.isEmpty)
        #expect(both.output.reports == [.init(.text, file: "report.txt")])
        #expect(report.output.reports == [.init(.json)])
    }

    @Test("Several sources may have one event log")
    func recordOfSeveral() throws {
        #expect(
            try parse("a.mp4", "b.mp4", "--record", "log")
                == play {
                    $0.sources = ["a.mp4", "b.mp4"]
                    $0.recordFile = "log"
                })
    }

    @Test("Replay takes one log, from standard input too", arguments: ["events.jsonl", "-"])
    func replay(log: String) throws {
        guard case .replay(let options) = try parse("replay", log, "--keep-going") else {
            Issue.record("not the replay command")
            return
        }
        #expect(options.logs == [log])
        #expect(options.keepsGoing)
    }

    @Test("Every option of feed reaches its place")
    func allOfFeed() throws {
        let command = try parse(
            "feed", "list.txt", "--compare", "default,mine", "--plugin", "mine=a.so", "--monitor", "none", "--set",
            "mine.size=3", "--grant", "mine:actions", "--isolation", "in-process", "--insecure-path", "--swipe-every",
            "250.5", "--swipes", "30", "--window", "0", "--no-audio", "--network", "wifi", "--report", "json",
            "--color", "never", "--log-level", "debug")
        var expected = FeedOptions()
        expected.list = "list.txt"
        expected.compared = ["default", "mine"]
        expected.strategies.plugins = [.init(name: "mine", path: "a.so", isExplicit: true)]
        expected.strategies.monitors = []
        expected.strategies.settings = [.init(strategy: "mine", key: "size", text: "3")]
        expected.strategies.grants = [.init(strategy: "mine", capability: "actions")]
        expected.strategies.isolation = .inProcess
        expected.strategies.allowsInsecurePaths = true
        expected.swipeEvery = MediaTime(microseconds: 250_500)
        expected.swipes = 30
        expected.window = 0
        expected.hasAudio = false
        expected.network = .wifi
        expected.output.reports = [.init(.json)]
        expected.output.color = .never
        expected.output.logLevel = .debug
        #expect(command == .feed(expected))
    }

    @Test("A process that plays a feed for a comparison is asked for the same feed")
    func argumentsOfAComparison() throws {
        guard
            case .feed(let options) = try parse(
                "feed", "list.txt", "--compare", "default,mine", "--plugin", "mine=a.so", "--plugin", "./b=c.so",
                "--monitor", "one", "--set", "mine.text=a=b", "--grant", "one:actions", "--insecure-path",
                "--config", "c.json", "--state-dir", "here", "--swipe-every", "250.05", "--swipes", "30", "--window",
                "4", "--no-video", "--network", "none",
                "--log-level", "debug")
        else {
            Issue.record("not the feed command")
            return
        }
        var selection = options.strategies
        selection.lifecycle = "mine"
        guard case .feed(var asked) = try Command.parse(options.arguments(for: selection), exists: { _ in false })
        else {
            Issue.record("not the feed command")
            return
        }
        #expect(asked.list == "-")
        #expect(asked.strategies == selection)
        #expect(asked.output.reports == [.init(.json)])
        asked.list = options.list
        asked.strategies = options.strategies
        asked.output.reports = options.output.reports
        asked.compared = options.compared
        #expect(asked == options)
    }

    @Test("A lifecycle strategy without a source takes to the demo feed what a feed takes")
    func demoFeed() throws {
        guard
            case .play(let options) = try parse(
                "--lifecycle", "singleton", "--no-audio", "--report", "json", "--record", "log"),
            case .play(let unfit) = try parse("--lifecycle", "singleton", "--report", "html=x")
        else {
            Issue.record("not the play command")
            return
        }
        let feed = try options.demoFeed()
        #expect(feed.strategies.lifecycle == "singleton")
        #expect(!feed.hasAudio)
        #expect(feed.output.reports == [.init(.json)])
        #expect(feed.recordFile == "log")
        let error = #expect(throws: UsageError.self) { try unfit.demoFeed() }
        #expect(error?.message.hasPrefix("option --report html does not go with the demo feed") == true)
    }

    @Test("The plugin commands take what they need")
    func plugin() throws {
        guard case .pluginList = try parse("plugin", "list"),
            case .pluginInspect(let options) = try parse("plugin", "inspect", "a.so", "b.so")
        else {
            Issue.record("not the plugin commands")
            return
        }
        #expect(options.paths == ["a.so", "b.so"])
    }

    @Test("The config commands take what they need")
    func config() throws {
        guard case .configCheck(let own) = try parse("config", "check"),
            case .configCheck(let named) = try parse("config", "check", "a.json", "--insecure-path"),
            case .configSchema = try parse("config", "schema"),
            case .configShow(let shown) = try parse("config", "show", "--config", "none", "--monitor", "one")
        else {
            Issue.record("not the config commands")
            return
        }
        #expect(own.file == nil && !own.allowsInsecurePaths)
        #expect(named.file == "a.json" && named.allowsInsecurePaths)
        #expect(shown.configFile == "none" && shown.strategies.monitors == ["one"])
        for wrong in [["config"], ["config", "verify"], ["config", "check", "a", "b"], ["config", "schema", "a"]] {
            #expect(throws: UsageError.self) { try Command.parse(wrong, exists: { _ in false }) }
        }
    }

    @Test(
        "Help is there on every level, in 80 columns, with an example",
        arguments: [
            ["-h"], ["--help"], ["play", "-h"], ["replay", "--help"], ["plugin", "-h"], ["plugin", "list", "-h"],
            ["plugin", "inspect", "--help"], ["a.mp4", "--help"], ["help"], ["help", "play"], ["help", "feed"],
            ["help", "plugin"],
            ["help", "plugin", "list"], ["help", "help"], ["config", "-h"], ["config", "check", "--help"],
            ["config", "schema", "-h"], ["help", "config", "show"],
        ])
    func help(arguments: [String]) throws {
        guard case .help(let text) = try Command.parse(arguments, exists: { _ in false }) else {
            Issue.record("no help")
            return
        }
        #expect(text.contains("usage: kitshell"))
        #expect(text.contains("\nExample:\n  kitshell "))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    }

    @Test("The version can be asked for")
    func version() throws {
        #expect(try parse("--version") == .version)
    }

    @Test("What is remembered is looked at in the directory that is named")
    func remembered() throws {
        var retry = PluginRetryOptions()
        retry.ids = ["com.example.a", "com.example.b"]
        retry.stateDirectory = "here"
        #expect(
            try parse("plugin", "retry", "com.example.a", "--state-dir=here", "com.example.b") == .pluginRetry(retry))
        guard case .doctor(let options) = try parse("doctor", "--state-dir", "here", "--report", "json") else {
            Issue.record("not the doctor")
            return
        }
        #expect(options.stateDirectory == "here")
        #expect(options.output.reports == [.init(.json)])
    }
}
