// SPDX-License-Identifier: Apache-2.0

import MediaCore
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
        arguments: ["a.mp4", "./movie", "http://x", "movie"])
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
        let hint = "\(hint): play, replay, plugin list, plugin inspect; 'kitshell --help' explains them; "
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
            "--insecure-path", "--speed", "max", "--until", "first-frame", "--no-autoplay", "--record", "log.jsonl",
            "--report",
            "text", "--report", "json=out.json", "--color", "never", "--log-level", "d")
        #expect(
            command
                == play {
                    $0.sources = ["a.mp4"]
                    $0.strategies.plugins = [.init(name: "one", path: "a.so"), .init(path: "./b=c.so")]
                    $0.strategies.lifecycle = "reuse-pool"
                    $0.strategies.monitors = ["first-frame", "one"]
                    $0.strategies.settings = [
                        .init(strategy: "com.example.counter", key: "every", value: "10"),
                        .init(strategy: "one", key: "text", value: "a=b"),
                    ]
                    $0.strategies.isolation = .inProcess
                    $0.strategies.allowsInsecurePaths = true
                    $0.speed = .max
                    $0.until = .firstFrame
                    $0.autoplay = false
                    $0.recordFile = "log.jsonl"
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

    @Test("Replay takes one log, from standard input too", arguments: ["events.jsonl", "-"])
    func replay(log: String) throws {
        guard case .replay(let options) = try parse("replay", log, "--keep-going") else {
            Issue.record("not the replay command")
            return
        }
        #expect(options.log == log)
        #expect(options.keepsGoing)
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
                ["--duration", "3"],
                "unknown option '--duration' of kitshell play; 'kitshell play --help' lists the options"
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
            (["--report", "xml"], "unknown value of --report 'xml'; valid: text, json"),
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
                ["replay"],
                "kitshell replay needs an event log; write kitshell replay EVENTS.jsonl, or '-' for standard input"
            ),
            (
                ["replay", "a", "--lifecycle", "x"],
                "unknown option '--lifecycle' of kitshell replay; 'kitshell replay --help' lists the options"
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
            ["plugin", "inspect", "--help"], ["a.mp4", "--help"],
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
