// SPDX-License-Identifier: Apache-2.0

import JSONText
import TestSupport
import Testing

@Suite("Everything that is wrong in a configuration file is told, with its place and what would be valid")
struct ConfigurationErrorTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var text: String
        /// Without the file's name; DIR is its directory, HASH the plugin's.
        var lines: [String]
        var testDescription: String { text }

        init(_ text: String, _ lines: String...) {
            self.text = text
            self.lines = lines
        }
    }

    @Test("each mistake has its text", arguments: syntax + keys + ranges + entries + options + grants)
    func mistakes(wrong: Case) throws {
        let fixture = try ConfigurationFixture(wrong.text)
        try fixture.add()
        _ = try fixture.directory.write(Array("text".utf8), to: "text.so")
        let outcome = try fixture.check()
        let hash = try ConfigurablePlugin.sha256.get()
        let expected = wrong.lines.map {
            "\(fixture.file):" + $0.replacing("DIR", with: fixture.path).replacing("HASH", with: hash) + "\n"
        }
        #expect(outcome.errors == expected.joined())
        #expect(outcome.output == "")
        #expect(outcome.status == 2)
    }

    @Test("many mistakes are cut, with their number")
    func many() throws {
        let lines = try ConfigurationFixture("{" + (0..<150).map { "k\($0): 1," }.joined() + "}").problems()
        #expect(lines.count == 101)
        #expect(lines.last?.contains("there are 50 more problems") == true)
    }

    @Test("text that could move the cursor is shown escaped, on one line")
    func escaped() throws {
        let lines = try ConfigurationFixture("{'a\\u001b[2Jb\\nc': 1, log: {level: '\\u202e'}}").problems()
        #expect(lines.count == 2)
        #expect(lines.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202e })
    }

    @Test(
        "nothing runs under a file with a mistake, whatever the command line says",
        arguments: [
            ["play", Media.short], ["feed", "/nowhere.txt"], ["replay", "/nowhere.jsonl"], ["pool", "/nowhere.pool"],
            ["plugin", "list"], ["config", "show"],
        ])
    func nothingRuns(command: [String]) throws {
        let fixture = try ConfigurationFixture("{lifecycle: 'reuse-pol'}")
        let outcome = try Kitshell.start(command + ["--config", fixture.file]).wait()
        #expect(outcome.errors.hasPrefix("\(fixture.file):1:13: lifecycle: "))
        #expect(outcome.output == "")
        #expect(outcome.status == 2)
    }

    // MARK: Cases

    private static let syntax: [Case] = [
        Case(
            "{",
            "1:2: the end of the text stands where a key should be; a key is a name, or text in quotes"),
        Case(
            "{pluginPath: [}",
            "1:15: '}' stands where a value should be; a value is text in quotes, a number, true, false, null, [] or {}"
        ),
        Case(
            "[]",
            "1:1: a list is no configuration; write { and } around keys and values"),
        Case(
            "7",
            "1:1: 7 is no configuration; write { and } around keys and values"),
        Case(
            "{a: 1, a: 2}",
            "1:2: a: there is no such key; valid: $schema, pluginPath, lifecycle, monitors, player, workers, log",
            "1:8: the key 'a' is repeated, first in line 1, column 2; leave one of them out"),
        Case(
            "{player: {startBufferMs: 1, 'startBufferMs': 2}}",
            "1:29: the key 'startBufferMs' is repeated, first in line 1, column 11; leave one of them out"),
        Case(
            #"{log: {level: 'in\u0000fo'}}"#,
            #"1:15: log.level: 'in\u{0}fo' is no value of it; did you mean 'info'? valid: verbose, debug, info, warn, error, none"#,
            "1:18: a text holds a NUL; leave it out"),
    ]

    private static let keys: [Case] = [
        Case(
            "{plugnPath: []}",
            "1:2: plugnPath: there is no such key; did you mean 'pluginPath'? valid: $schema, pluginPath, lifecycle, monitors, player, workers, log"
        ),
        Case(
            "{zzz: 1}",
            "1:2: zzz: there is no such key; valid: $schema, pluginPath, lifecycle, monitors, player, workers, log"),
        Case(
            "{$schema: 7}",
            "1:11: $schema: 7 is no text; write text in quotes"),
        Case(
            "{player: 7}",
            "1:10: player: 7 is no object; write { and } around its keys and values"),
        Case(
            "{player: {start: 1}}",
            "1:11: player.start: there is no such key; did you mean 'startBufferMs'? valid: startBufferMs, highBufferMs, maxBufferMs, networkTimeoutMs, networkRetryCount"
        ),
        Case(
            "{pluginPath: '/a'}",
            "1:14: pluginPath: '/a' is no list; write [ and ] around what is in it"),
        Case(
            "{pluginPath: [7, '']}",
            "1:15: pluginPath[0]: 7 is no text; write text in quotes",
            "1:18: pluginPath[1]: the text is empty; write one, or leave the key out"),
        Case(
            "{monitors: 'first-frame'}",
            "1:12: monitors: 'first-frame' is no list; write [ and ] around what is in it"),
        Case(
            "{monitors: null}",
            "1:12: monitors: null is no list; write [ and ] around what is in it"),
        Case(
            "{lifecycle: []}",
            "1:13: lifecycle: a list is no strategy; write its name, or an object with one"),
        Case(
            "{lifecycle: ''}",
            "1:13: lifecycle: the text is empty; write one, or leave the key out"),
        Case(
            "{log: {level: 'wran'}}",
            "1:15: log.level: 'wran' is no value of it; did you mean 'warn'? valid: verbose, debug, info, warn, error, none"
        ),
        Case(
            "{log: {level: 7, format: 'json'}}",
            "1:15: log.level: 7 is no value of it; valid: verbose, debug, info, warn, error, none",
            "1:26: log.format: 'json' is no value of it; valid: text"),
    ]

    private static let ranges: [Case] = [
        Case(
            "{player: {startBufferMs: -1}}",
            "1:26: player.startBufferMs: -1 is out of range; write a number from 0 to 3600000"),
        Case(
            "{player: {startBufferMs: 1.5}}",
            "1:26: player.startBufferMs: 1.5 is not a whole number of milliseconds; write a number from 0 to 3600000"),
        Case(
            "{player: {maxBufferMs: 3600001}}",
            "1:24: player.maxBufferMs: 3600001 is out of range; write a number from 100 to 3600000"),
        Case(
            "{player: {networkTimeoutMs: 99, networkRetryCount: 101}}",
            "1:29: player.networkTimeoutMs: 99 is out of range; write a number from 100 to 600000",
            "1:52: player.networkRetryCount: 101 is out of range; write a number from 0 to 100"),
        Case(
            "{player: {startBufferMs: '250'}}",
            "1:26: player.startBufferMs: '250' is not a whole number of milliseconds; write a number from 0 to 3600000"),
        Case(
            "{player: {startBufferMs: Infinity, highBufferMs: NaN}}",
            "1:26: player.startBufferMs: Infinity is not a whole number of milliseconds; write a number from 0 to 3600000",
            "1:50: player.highBufferMs: NaN is not a whole number of milliseconds; write a number from 0 to 3600000"),
        Case(
            "{player: {startBufferMs: 99999999999999999999}}",
            "1:26: the number has no 64-bit form; write a smaller one, or text in quotes"),
        Case(
            "{player: {startBufferMs: 5000}}",
            "1:26: player.startBufferMs: 5000 is more than highBufferMs, 3000, which nothing here sets; keep startBufferMs ≤ highBufferMs ≤ maxBufferMs"
        ),
        Case(
            "{player: {startBufferMs: 400, highBufferMs: 300}}",
            "1:26: player.startBufferMs: 400 is more than highBufferMs, 300; keep startBufferMs ≤ highBufferMs ≤ maxBufferMs"
        ),
        Case(
            "{player: {maxBufferMs: 2000}}",
            "1:24: player.maxBufferMs: 2000 is less than highBufferMs, 3000, which nothing here sets; keep startBufferMs ≤ highBufferMs ≤ maxBufferMs"
        ),
        Case(
            "{workers: {decisionDeadlineMs: 0}}",
            "1:32: workers.decisionDeadlineMs: 0 is out of range; write a number from 1 to 10000"),
        Case(
            "{workers: {restart: {backoffMs: [], limit: 0, windowMs: 0}}}",
            "1:33: workers.restart.backoffMs: the list has 0 elements; write from 1 to 32",
            "1:44: workers.restart.limit: 0 is out of range; write a number from 1 to 1000",
            "1:57: workers.restart.windowMs: 0 is out of range; write a number from 1 to 86400000"),
        Case(
            "{workers: {restart: {backoffMs: [1, -1, 'x']}}}",
            "1:37: workers.restart.backoffMs[1]: -1 is out of range; write a number from 0 to 3600000",
            "1:41: workers.restart.backoffMs[2]: 'x' is not a whole number of milliseconds; write a number from 0 to 3600000"
        ),
        Case(
            "{workers: {restart: {backof: 1}}}",
            "1:22: workers.restart.backof: there is no such key; did you mean 'backoffMs'? valid: backoffMs, limit, windowMs"
        ),
    ]

    private static let entries: [Case] = [
        Case(
            "{lifecycle: {}}",
            "1:13: lifecycle: the key name is missing; add it"),
        Case(
            "{lifecycle: {name: 7}}",
            "1:20: lifecycle.name: 7 is no text; write text in quotes"),
        Case(
            "{monitors: ['a b']}",
            "1:13: monitors[0]: 'a b' is no name; a name has letters, digits, '.', '_' and '-', at most 128; a file is named with path"
        ),
        Case(
            "{monitors: ['./x.so']}",
            "1:13: monitors[0]: './x.so' is no name; a name has letters, digits, '.', '_' and '-', at most 128; a file is named with path"
        ),
        Case(
            "{monitors: ['first-frame', 'first-frame']}",
            "1:28: monitors[1]: monitors[0] in line 1 is called 'first-frame' too; give this one a name of its own, and its file with path"
        ),
        Case(
            "{lifecycle: 'reuse-pool',\n monitors: [{name: 'reuse-pool', path: 'libprobe.so'}]}",
            "2:20: monitors[0].name: lifecycle in line 1 is called 'reuse-pool' too; give this one a name of its own, and its file with path"
        ),
        Case(
            "{lifecycle: 'reuse-pol'}",
            "1:13: lifecycle: no lifecycle strategy has the id 'reuse-pol'; did you mean 'reuse-pool'? valid: default, id-scoped-pool, reuse-pool, singleton; a file is named with path"
        ),
        Case(
            "{lifecycle: 'first-frame'}",
            "1:13: lifecycle: 'first-frame' is no lifecycle strategy; it is a monitoring strategy"),
        Case(
            "{monitors: ['reuse-pool']}",
            "1:13: monitors[0]: 'reuse-pool' is no monitoring strategy; it is a lifecycle strategy"),
        Case(
            "{monitors: ['com.example.prob'], pluginPath: ['.']}",
            "1:13: monitors[0]: no monitoring strategy has the id 'com.example.prob'; did you mean 'com.example.probe'? valid: first-frame, stutter-detect, traffic-protection, com.example.probe; a file is named with path"
        ),
        Case(
            "{monitors: [{name: 'first-frame', sha256: '0000000000000000000000000000000000000000000000000000000000000000', isolation: 'worker'}]}",
            "1:43: monitors[0].sha256: 'first-frame' is a strategy of the product and has no hash to be held to; leave the key out",
            "1:122: monitors[0].isolation: 'first-frame' is a strategy of the product and runs in this process; leave the key out"
        ),
        Case(
            "{lifecycle: {name: 'mine', path: 'libprobe.so'}}",
            "1:20: lifecycle.name: 'mine' is no lifecycle strategy; it is a monitoring strategy"),
        Case(
            "{monitors: [{name: 'mine', path: 'nothing.so'}]}",
            "1:34: monitors[0].path: plugin DIR/nothing.so is refused: there is no such file (No such file or directory); check the path"
        ),
        Case(
            "{monitors: [{name: 'mine', path: '.'}]}",
            "1:34: monitors[0].path: plugin DIR is refused: the path leads to a directory; give the path of the plugin's shared library (.so)"
        ),
        Case(
            "{monitors: [{name: 'mine', path: 'text.so'}]}",
            "1:34: monitors[0].path: plugin DIR/text.so is refused: the file is text, a plugin is a shared library in ELF format; give the path of the plugin's shared library (.so)"
        ),
        Case(
            "{monitors: [{name: 'mine', path: '~other/x.so'}]}",
            "1:34: monitors[0].path: other users' home directories are not looked up; write the whole path"),
        Case(
            "{monitors: [{name: 'mine', path: 'libprobe.so', sha256: 'abc'}]}",
            "1:57: monitors[0].sha256: 'abc' is no SHA-256; write 64 hexadecimal digits"),
        Case(
            "{monitors: [{name: 'mine', path: 'libprobe.so', sha256: '0000000000000000000000000000000000000000000000000000000000000000'}]}",
            "1:57: monitors[0].sha256: plugin DIR/libprobe.so is refused: the file has the SHA-256 HASH, wanted is 0000000000000000000000000000000000000000000000000000000000000000; put the file back that was meant, or write down its new hash if you trust it"
        ),
        Case(
            "{monitors: [{name: 'mine', path: 'libprobe.so', isolation: 'workr'}]}",
            "1:60: monitors[0].isolation: 'workr' is no value of it; did you mean 'worker'? valid: in-process, worker"),
        Case(
            "{monitors: [{name: 'mine', path: 'libprobe.so', opshuns: {}}]}",
            "1:49: monitors[0].opshuns: there is no such key; did you mean 'options'? valid: name, path, sha256, isolation, grant, options"
        ),
    ]

    private static let options: [Case] = [
        Case(
            "{lifecycle: {name: 'reuse-pool', options: {max_pol_size: 2}}}",
            "1:44: lifecycle.options.max_pol_size: 'reuse-pool' has no such option; did you mean 'max_pool_size'? valid: max_pool_size, min_idle, hard_max, idle_timeout_ms"
        ),
        Case(
            "{lifecycle: {name: 'reuse-pool', options: {max_pool_size: 0}}}",
            "1:59: lifecycle.options.max_pool_size: option max_pool_size cannot be 0: the least is 1; it takes a whole number, at least 1, at most 4096"
        ),
        Case(
            "{monitors: [{name: 'first-frame', options: {x: 1}}]}",
            "1:45: monitors[0].options.x: 'first-frame' has no such option; it has no options"),
        Case(
            "{lifecycle: {name: 'reuse-pool', options: 7}}",
            "1:43: lifecycle.options: 7 is no object; write { and } around keys and values"),
        Case(
            "{monitors: [{name: 'mine', path: 'libprobe.so', options: {every: '3', ratio: true, label: 7, on: 1, after_ms: [1], names: 'a'}}]}",
            "1:66: monitors[0].options.every: '3' is not what it takes; it takes a whole number, at least 1, at most 9",
            "1:78: monitors[0].options.ratio: true is not what it takes; it takes a number",
            "1:91: monitors[0].options.label: 7 is not what it takes; it takes text, one of red, blue",
            "1:98: monitors[0].options.on: 1 is not what it takes; it takes true or false",
            "1:111: monitors[0].options.after_ms: a list is not what it takes; it takes milliseconds, at least 0",
            "1:123: monitors[0].options.names: 'a' is not what it takes; it takes a list, each value text"),
        Case(
            "{monitors: [{name: 'mine', path: 'libprobe.so', options: {every: 10, ratio: Infinity, label: 'green', after_ms: -1, names: ['a,b']}}]}",
            "1:66: monitors[0].options.every: option every cannot be 10: the most is 9; it takes a whole number, at least 1, at most 9",
            "1:77: monitors[0].options.ratio: Infinity is not what it takes; it takes a number",
            "1:94: monitors[0].options.label: option label cannot be green: it must be one of red, blue; it takes text, one of red, blue",
            "1:113: monitors[0].options.after_ms: option after_ms cannot be -1: the least is 0; it takes milliseconds, at least 0",
            "1:124: monitors[0].options.names: a value of a list has a comma; values of lists have none"),
        Case(
            "{monitors: [{name: 'mine', path: 'libprobe.so', options: {every: null, names: [1]}}]}",
            "1:66: monitors[0].options.every: null is not what it takes; it takes a whole number, at least 1, at most 9",
            "1:79: monitors[0].options.names: a list is not what it takes; it takes a list, each value text"),
    ]

    private static let grants: [Case] = [
        Case(
            "{monitors: [{name: 'mine', path: 'libprobe.so', grant: ['netwrk', 'actions', 'read_paths', 'network=x', 7, '']}]}",
            "1:57: monitors[0].grant[0]: 'netwrk' is nothing that can be granted; did you mean 'network'? valid: actions, network, threads, read_paths, write_paths, all",
            "1:67: monitors[0].grant[1]: actions is granted to mine, whose note does not ask for it; leave the grant out; kitshell plugin inspect shows what a plugin asks for",
            "1:78: monitors[0].grant[2]: read_paths needs a path; it is granted as read_paths=PATH, once for each file or directory",
            "1:92: monitors[0].grant[3]: network is granted without a value; it is granted as network",
            "1:105: monitors[0].grant[4]: 7 is no text; write text in quotes",
            "1:108: monitors[0].grant[5]: the text is empty; write one, or leave the key out"),
        Case(
            "{monitors: [{name: 'first-frame', grant: ['all']}]}",
            "1:43: monitors[0].grant[0]: all is granted to first-frame, which runs in this process and has every right; leave the grant out"
        ),
        Case(
            "{monitors: [{name: 'mine', path: 'libprobe.so', grant: 'network'}]}",
            "1:56: monitors[0].grant: 'network' is no list; write [ and ] around what is in it"),
    ]
}
