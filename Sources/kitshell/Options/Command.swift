// SPDX-License-Identifier: Apache-2.0

/// What a command line asks for.
package enum Command: Hashable, Sendable {
    case play(PlayOptions)
    case replay(ReplayOptions)
    case feed(FeedOptions)
    case pool(PoolOptions)
    case pluginList(PluginListOptions)
    case pluginInspect(PluginInspectOptions)
    case pluginRetry(PluginRetryOptions)
    case configCheck(ConfigCheckOptions)
    case configSchema(ConfigSchemaOptions)
    case configShow(ConfigShowOptions)
    case doctor(DoctorOptions)
    /// Print this text.
    case help(String)
    case version

    /// Reads a command line.
    ///
    /// A first argument that is a command's name is that command, and `help` asks for that of what follows; else it is a source if it
    /// exists, is `-`, has a URL scheme, or contains a `/` or a `.`; else it is a mistyped command.
    ///
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - exists: whether a path leads to something.
    package static func parse(_ arguments: [String], exists: (String) -> Bool) throws(UsageError) -> Command {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "--help", "-h": return .help(overview)
        case "help": return try parse(rest + ["--help"], exists: { _ in false })
        case "--version": return .version
        case "play": return try read(PlayOptions.table, rest, Command.play)
        case "replay": return try read(ReplayOptions.table, rest, Command.replay)
        case "feed": return try read(FeedOptions.table, rest, Command.feed)
        case "pool": return try read(PoolOptions.table, rest, Command.pool)
        case "plugin": return try plugin(rest)
        case "config": return try config(rest)
        case "doctor": return try read(DoctorOptions.table, rest, Command.doctor)
        default: return try bare(arguments, exists: exists)
        }
    }

    private static let commands: [(name: String, summary: String)] = [
        (PlayOptions.table.name, PlayOptions.table.summary),
        (FeedOptions.table.name, FeedOptions.table.summary),
        (ReplayOptions.table.name, ReplayOptions.table.summary),
        (PoolOptions.table.name, PoolOptions.table.summary),
    ]

    private static let otherCommands: [(name: String, summary: String)] = [
        (DoctorOptions.table.name, DoctorOptions.table.summary)
    ]

    private static let pluginCommands: [(name: String, summary: String)] = [
        (PluginListOptions.table.name, PluginListOptions.table.summary),
        (PluginInspectOptions.table.name, PluginInspectOptions.table.summary),
        (PluginRetryOptions.table.name, PluginRetryOptions.table.summary),
    ]

    private static let configCommands: [(name: String, summary: String)] = [
        (ConfigCheckOptions.table.name, ConfigCheckOptions.table.summary),
        (ConfigShowOptions.table.name, ConfigShowOptions.table.summary),
        (ConfigSchemaOptions.table.name, ConfigSchemaOptions.table.summary),
    ]

    private static let allCommands = commands + pluginCommands + configCommands + otherCommands

    private static func read<Options>(
        _ table: CommandTable<Options>, _ arguments: [String], _ command: (Options) -> Command
    ) throws(UsageError) -> Command {
        try table.parse(arguments).map(command) ?? .help(table.help)
    }

    private static func plugin(_ arguments: [String]) throws(UsageError) -> Command {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "--help", "-h": return .help(pluginOverview)
        case "list": return try read(PluginListOptions.table, rest, Command.pluginList)
        case "inspect": return try read(PluginInspectOptions.table, rest, Command.pluginInspect)
        case "retry": return try read(PluginRetryOptions.table, rest, Command.pluginRetry)
        case let word?: throw UsageError(unknown: "command", "plugin \(word)", valid: pluginCommands.map(\.name))
        case nil:
            throw UsageError(
                "kitshell plugin needs to know what to do", hint: "valid: plugin list, plugin inspect, plugin retry")
        }
    }

    private static func config(_ arguments: [String]) throws(UsageError) -> Command {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "--help", "-h": return .help(configOverview)
        case "check": return try read(ConfigCheckOptions.table, rest, Command.configCheck)
        case "schema": return try read(ConfigSchemaOptions.table, rest, Command.configSchema)
        case "show": return try read(ConfigShowOptions.table, rest, Command.configShow)
        case let word?: throw UsageError(unknown: "command", "config \(word)", valid: configCommands.map(\.name))
        case nil:
            throw UsageError(
                "kitshell config needs to know what to do",
                hint: "valid: \(configCommands.map(\.name).joined(separator: ", "))")
        }
    }

    /// The form without a command's name plays.
    private static func bare(_ arguments: [String], exists: (String) -> Bool) throws(UsageError) -> Command {
        let scanned = OptionScanner.scan(arguments, for: PlayOptions.table.rows.map(\.pattern) + [GlobalOption.help])
        for case .operand(let word, isLiteral: false) in scanned.prefix(1)
        where !looksLikeSource(word) && !exists(word) {
            let valid = allCommands.map(\.name)
            var error = UsageError(unknown: "command", word, valid: valid)
            error.hint += "; 'kitshell --help' explains them; a file of that name is ./\(word)"
            throw error
        }
        return try read(PlayOptions.table, arguments, Command.play)
    }

    private static func looksLikeSource(_ word: String) -> Bool {
        word.isEmpty || word == PlayOptions.standardInput || word.contains("/") || word.contains(".") || hasScheme(word)
    }

    private static func hasScheme(_ word: String) -> Bool {
        guard let colon = word.firstIndex(of: ":"), let first = word.first, first.isASCII, first.isLetter else {
            return false
        }
        return word[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-") }
    }
}

extension Command {
    static var overview: String {
        HelpText.paragraph("usage: kitshell [COMMAND] [OPTION…] [SOURCE…]")
            + "\nPlays media without a window under strategies loaded from shared libraries.\n"
            + "\nCommands (without one: play):\n"
            + HelpText.columns(allCommands.map { ($0.name, $0.summary) })
            + "\nOptions:\n"
            + HelpText.columns([
                (
                    HelpText.option("help", "h", nil),
                    "print this text; 'kitshell play --help' or 'kitshell help play' lists the options, and so for each command"
                ),
                (HelpText.option("version", nil, nil), "print the versions of kitshell and of libav"),
            ])
            + "\n"
            + HelpText.paragraph(
                "Exit status: 0 all played and every strategy stayed healthy; 1 a source failed, or an output could not be "
                    + "written; 2 usage or configuration error, nothing ran; 3 all played, but a strategy was refused or failed; "
                    + "4 an expectation did not hold; 129, 130, 143 ended early by SIGHUP, SIGINT, SIGTERM, with the report so far."
            )
            + "\nExample:\n  kitshell movie.mp4 --plugin ./libcounter.so\n"
    }

    static var pluginOverview: String {
        HelpText.paragraph("usage: kitshell plugin COMMAND [OPTION…]")
            + "\nCommands:\n" + HelpText.columns(pluginCommands.map { ($0.name, $0.summary) })
            + "\nExample:\n  kitshell \(PluginInspectOptions.table.example)\n"
    }

    static var configOverview: String {
        HelpText.paragraph("usage: kitshell config COMMAND [OPTION…]")
            + "\nCommands:\n" + HelpText.columns(configCommands.map { ($0.name, $0.summary) })
            + "\nExample:\n  kitshell \(ConfigCheckOptions.table.example)\n"
    }
}
