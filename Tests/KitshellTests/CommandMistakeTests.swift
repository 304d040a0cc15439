// SPDX-License-Identifier: Apache-2.0

import Testing
import kitshell

@Suite struct CommandMistakeTests {
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
                "option --swipes: '0' is no such number; write a whole number from 1 to 100000"
            ),
            (
                ["feed", "a", "--window", "1.5"],
                "option --window: '1.5' is no such number; write a whole number from 0 to 1000"
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
            (["plugin"], "kitshell plugin needs to know what to do; valid: plugin list, plugin inspect, plugin retry"),
            (
                ["plugin", "lst"],
                "unknown command 'plugin lst'; did you mean 'plugin list'? Valid: plugin list, plugin inspect, plugin retry"
            ),
            (
                ["plugin", "retry"],
                "kitshell plugin retry needs the id of a plugin; write kitshell plugin retry ID; "
                    + "kitshell doctor lists the quarantined ones"
            ),
            (
                ["doctor", "x.so"],
                "kitshell doctor takes no operand, here is 'x.so'; kitshell plugin inspect PATH looks at a plugin"
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
}
