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
        let hint = "\(hint): play, feed, replay, pool, plugin list, plugin inspect; 'kitshell --help' explains them; "
        #expect(throws: UsageError("unknown command '\(word)'", hint: hint + "a file of that name is ./\(word)")) {
            try parse(word, "x.mp4")
        }
    }

    @Test("Options and sources may stand in any order")
    func order() throws {
        let expected = play {
            $0.sources = ["a.mp4", "b.mp4"]
            $0.speed = .max
            $0.strategies.plugins = [.init(path: "./x.so")]
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
            "--insecure-path", "--speed", "max", "--rate", "1.5", "--start", "1500.25", "--duration", "2000", "--loop",
            "2", "--until", "first-frame", "--no-autoplay", "--video-sink", "y4m:out:1.y4m", "--audio-sink",
            "wav:out.wav",
            "--frame-hashes", "hashes", "--record", "log.jsonl",
            "--network", "cellular", "--grant", "one:actions", "--report",
            "text", "--report", "json=out.json", "--color", "never", "--log-level", "d")
        #expect(
            command
                == play {
                    $0.sources = ["a.mp4"]
                    $0.strategies.plugins = [.init(name: "one", path: "a.so"), .init(path: "./b=c.so")]
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
        expected.strategies.plugins = [.init(name: "mine", path: "a.so")]
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
                "--swipe-every", "250.05", "--swipes", "30", "--window", "4", "--no-video", "--network", "none",
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

    @Test(
        "A mistake names what is wrong and what would be right",
        arguments: [
            (
                ["--plugn", "x"],
                "unknown option '--plugn' of kitshell play; did you mean '--plugin'? 'kitshell play --help' lists the options"
            ),
            (
                ["--plug", "x"],
                "unknown option '--plug' of kitshell play; did you mean '--plugin'? 'kitshell play --help' lists the options"
            ),
            (
                ["--volume", "3"],
                "unknown option '--volume' of kitshell play; 'kitshell play --help' lists the options"
            ),
            (["-x"], "unknown option '-x' of kitshell play; 'kitshell play --help' lists the options"),
            (["--speed", "fast"], "unknown value of --speed 'fast'; valid: realtime, max"),
            (
                ["--speed", "realtme"],
                "unknown value of --speed 'realtme'; did you mean 'realtime'? Valid: realtime, max"
            ),
            (["--speed"], "option --speed needs a value; write --speed realtime|max"),
            (["--no-autoplay=no"], "option --no-autoplay takes no value; write --no-autoplay alone"),
            (["--help=x"], "option --help takes no value; write --help alone"),
            (["--speed", "max", "--speed", "max"], "option --speed is given twice; give it once"),
            (["--record="], "option --record got an empty value; write --record FILE"),
            (
                ["--plugin", "a b=x"],
                "option --plugin: 'a b' is not a name; a name has letters, digits, '.', '_' and '-'; a path with a '=' is written ./a b=x"
            ),
            (["--plugin", "a="], "option --plugin: no path after 'a='; write --plugin a=PATH"),
            (
                ["--plugin", "a=x", "--plugin", "a=y"],
                "option --plugin: two plugins are named 'a'; give each a name of its own"
            ),
            (
                ["--set", "key=value"],
                "option --set: 'key=value' is not of the form NAME.KEY=VALUE; for example --set reuse-pool.max_pool_size=3"
            ),
            (["--rate", "2.1"], "option --rate: '2.1' is no rate; write a number from 0.5 to 2.0, as --rate 1.5"),
            (["--rate", "nan"], "option --rate: 'nan' is no rate; write a number from 0.5 to 2.0, as --rate 1.5"),
            (
                ["--start", "-1"],
                "option --start: '-1' is no time in milliseconds; write a number from 0, as --start 1500"
            ),
            (
                ["--start=1e3"],
                "option --start: '1e3' is no time in milliseconds; write a number from 0, as --start 1500"
            ),
            (
                ["--start", "9999999999999"],
                "option --start: '9999999999999' is no time in milliseconds; write a number from 0, as --start 1500"
            ),
            (
                ["--duration", "0"],
                "option --duration: '0' is no span in milliseconds; write a number above 0, as --duration 1500"
            ),
            (
                ["--loop", "-2"],
                "option --loop: '-2' is no count; write how often a source plays again after the first time, or 'forever'"
            ),
            (
                ["--video-sink", "avi:x"], "unknown value of --video-sink 'avi:x'; valid: null, y4m:FILE"
            ),
            (
                ["--audio-sink", "wav:"], "option --audio-sink: no file after 'wav'; write --audio-sink wav:FILE"
            ),
            (
                ["--no-video", "--no-audio"],
                "with --no-video and --no-audio there is nothing to play; leave one of them out"
            ),
            (
                ["--no-video", "--frame-hashes", "x"],
                "option --frame-hashes gets nothing with --no-video; leave one of them out"
            ),
            (
                ["--no-audio", "--audio-sink", "wav:x"],
                "option --audio-sink gets nothing with --no-audio; leave one of them out"
            ),
            (
                ["a.mp4", "b.mp4", "--video-sink", "y4m:x"],
                "option --video-sink writes what one source gives, and 2 are to be played; play each in a run of its own"
            ),
            (
                ["--record", "-", "--frame-hashes", "-"],
                "options --frame-hashes and --record would both write to standard output; give one of them a file"
            ),
            (
                ["--record", "-", "--report", "json"],
                "options --record and --report would both write to standard output; give one of them a file"
            ),
            (
                ["--report", "xml"],
                "unknown value of --report 'xml'; did you mean 'html'? Valid: text, json, jsonl, openmetrics, html"
            ),
            (["--report", "json="], "option --report: no file after 'json='; write --report json=FILE"),
            (
                ["--report", "text", "--report", "json"],
                "option --report: two reports would go to standard output; write one of them elsewhere, as --report json=FILE"
            ),
            (
                ["--log-level", "loud"],
                "unknown value of --log-level 'loud'; valid: verbose, debug, info, warn, error, none"
            ),
            (["play", ""], "a source is empty; name a file or a URL"),
            (
                ["replay", "a", "b"],
                "kitshell replay takes one event log, 2 are given; "
                    + "write --summary to sum up the sessions of several logs"
            ),
            (["replay", "--summary", "-", "-"], "standard input is given twice; give '-' once"),
            (
                ["replay", "--summary", "a", "--report", "html"],
                "option --report: a summary has no form html; valid with --summary: text, json, openmetrics"
            ),
            (
                ["plugin", "list", "--report", "html"],
                "unknown value of --report 'html'; valid: text, json"
            ),
            (
                ["replay"],
                "kitshell replay needs an event log; write kitshell replay EVENTS.jsonl, or '-' for standard input"
            ),
            (
                ["replay", "a", "--lifecycle", "x"],
                "unknown option '--lifecycle' of kitshell replay; 'kitshell replay --help' lists the options"
            ),
            (["feed"], "kitshell feed needs a list; write kitshell feed LIST; '-' reads standard input"),
            (
                ["feed", "a", "b"],
                "kitshell feed takes one list, here is a second: 'b'; LIST is a text file with one source a line"
            ),
            (
                ["feed", "a", "--speed", "max"],
                "unknown option '--speed' of kitshell feed; 'kitshell feed --help' lists the options"
            ),
            (
                ["feed", "a", "--swipe-every", "0"],
                "option --swipe-every: '0' is no span in milliseconds; write a number above 0, as --swipe-every 1500"
            ),
            (
                ["feed", "a", "--swipes", "0"],
                "option --swipes: '0' is no count that can be; write a whole number from 1 to 100000"
            ),
            (
                ["feed", "a", "--window", "1.5"],
                "option --window: '1.5' is no count that can be; write a whole number from 0 to 1000"
            ),
            (
                ["feed", "a", "--compare", "default"],
                "option --compare: 'default' is no list of strategies; "
                    + "write two names or more with commas between them, as --compare default,reuse-pool"
            ),
            (["feed", "a", "--compare", "x,y,x"], "option --compare names 'x' twice; name each strategy once"),
            (
                ["feed", "a", "--compare", "x,y", "--lifecycle", "x"],
                "options --compare and --lifecycle both say which strategies decide; leave one of them out"
            ),
            (
                ["feed", "a", "--compare", "x,y", "--record", "log"],
                "option --record writes the log of one run, and --compare makes 2; "
                    + "record each strategy in a run of its own, with --lifecycle"
            ),
            (
                ["feed", "a", "--record", "-", "--report", "json"],
                "options --record and --report would both write to standard output; give one of them a file"
            ),
            (
                ["feed", "a", "--report", "html"], "unknown value of --report 'html'; valid: text, json"
            ),
            (["plugin"], "kitshell plugin needs to know what to do; valid: plugin list, plugin inspect"),
            (
                ["plugin", "lst"],
                "unknown command 'plugin lst'; did you mean 'plugin list'? Valid: plugin list, plugin inspect"
            ),
            (
                ["plugin", "list", "x"],
                "kitshell plugin list takes no operand, here is 'x'; kitshell plugin inspect PATH looks at one file"
            ),
            ([""], "a source is empty; name a file or a URL"),
            (["plugin", "inspect"], "kitshell plugin inspect needs a file; write kitshell plugin inspect PATH"),
        ])
    func mistakes(arguments: [String], expected: String) {
        let error = #expect(throws: UsageError.self) { try Command.parse(arguments) { _ in false } }
        #expect(error?.description == expected)
    }

    @Test(
        "Help is there on every level, in 80 columns, with an example",
        arguments: [
            ["-h"], ["--help"], ["play", "-h"], ["replay", "--help"], ["plugin", "-h"], ["plugin", "list", "-h"],
            ["plugin", "inspect", "--help"], ["a.mp4", "--help"], ["help"], ["help", "play"], ["help", "feed"],
            ["help", "plugin"],
            ["help", "plugin", "list"], ["help", "help"],
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
}
