// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import PlayerKit

/// A command that runs strategies, as a configuration and its options say.
package protocol RunsStrategies: KeepsState {
    var strategies: StrategySelection { get set }
    /// The configuration file; nil: the usual one, `none`: none.
    var configFile: String? { get set }
    /// Of what is logged; nil: what the configuration says.
    var logLevel: LogLevel? { get }
}

extension RunsStrategies {
    package var logLevel: LogLevel? { nil }

    static var configRow: OptionRow<Self> {
        .text(
            "config", "FILE|none",
            help:
                "the configuration file, or none (default $KITSHELL_CONFIG, else kitshell/config.json in "
                + "$XDG_CONFIG_HOME or ~/.config, else /etc/kitshell/config.json)"
        ) { (options, value) throws(UsageError) in options.configFile = value }
    }

    static var pluginRow: OptionRow<Self> { pluginRow(help: "load a plugin file and use its strategies; repeatable") }

    static func pluginRow(help: String) -> OptionRow<Self> {
        .text("plugin", "[NAME=]PATH", isRepeatable: true, help: help) {
            (options, value) throws(UsageError) in
            var plugin = try StrategySelection.Plugin(argument: value)
            plugin.isExplicit = true
            if let name = plugin.name, options.strategies.plugins.contains(where: { $0.name == name }) {
                throw UsageError(
                    "option --plugin: two plugins are named '\(name)'", hint: "give each a name of its own")
            }
            options.strategies.plugins.append(plugin)
        }
    }

    static var lifecycleRow: OptionRow<Self> {
        .text(
            "lifecycle", "NAME",
            help: "the lifecycle strategy that decides on players, as 'kitshell plugin list' names it"
        ) {
            (options, value) throws(UsageError) in options.strategies.lifecycle = value
        }
    }

    static var monitorRow: OptionRow<Self> {
        .text(
            "monitor", "NAME", isRepeatable: true,
            help: "a monitoring strategy to run in place of the default ones; repeatable; 'none' runs none"
        ) { (options, value) throws(UsageError) in
            options.strategies.monitors = value == "none" ? [] : (options.strategies.monitors ?? []) + [value]
        }
    }

    static var setRow: OptionRow<Self> {
        .text("set", "NAME.KEY=VALUE", isRepeatable: true, help: "set an option of a strategy; repeatable") {
            (options, value) throws(UsageError) in
            options.strategies.settings.append(try StrategySelection.Setting(argument: value))
        }
    }

    /// - Parameter consequence: what follows from acting, after a semicolon.
    static func grantRow(_ consequence: String = "") -> OptionRow<Self> {
        .text(
            "grant", "NAME:CAPABILITY", isRepeatable: true,
            help:
                "what a plugin may do beyond computing: actions (on playback\(consequence)), network, threads, read_paths=PATH, write_paths=PATH, or all, which leaves the sandbox out; repeatable"
        ) {
            (options, value) throws(UsageError) in
            options.strategies.grants.append(try StrategySelection.Grant(argument: value))
        }
    }

    static var isolationRow: OptionRow<Self> {
        .choice(
            "isolation", StrategySelection.Isolation.self,
            help:
                "where plugins of third parties run: in this process, or each in a process of its own (the default)"
        ) { $0.strategies.isolation = $1 }
    }

    static var insecurePathRow: OptionRow<Self> {
        .flag("insecure-path", help: "load plugin files even if others may write to them or to their directory") {
            $0.strategies.allowsInsecurePaths = true
        }
    }
}

extension StrategySelection.Isolation: WordChoice {}

extension StrategySelection.Plugin {
    /// Reads `[NAME=]PATH`. What is before the first `=` is a name unless it has a `/`.
    init(argument: String) throws(UsageError) {
        guard let equals = argument.firstIndex(of: "="), !argument[..<equals].contains("/") else {
            self.init(path: argument)
            return
        }
        let name = String(argument[..<equals])
        let path = String(argument[argument.index(after: equals)...])
        guard StrategyName.isValid(name) else {
            throw UsageError(
                "option --plugin: '\(name)' is not a name",
                hint: "a name has letters, digits, '.', '_' and '-'; a path with a '=' is written ./\(argument)")
        }
        guard !path.isEmpty else {
            throw UsageError("option --plugin: no path after '\(name)='", hint: "write --plugin \(name)=PATH")
        }
        self.init(name: name, path: path)
    }
}

extension StrategySelection.Setting {
    /// Reads `NAME.KEY=VALUE`: the key is what stands between the last `.` before the first `=` and that `=`.
    init(argument: String) throws(UsageError) {
        guard let equals = argument.firstIndex(of: "="),
            let dot = argument[..<equals].lastIndex(of: "."),
            StrategyName.isValid(String(argument[..<dot])), argument.index(after: dot) < equals
        else {
            throw UsageError(
                "option --set: '\(argument)' is not of the form NAME.KEY=VALUE",
                hint: "for example --set reuse-pool.max_pool_size=3")
        }
        self.init(
            strategy: String(argument[..<dot]), key: String(argument[argument.index(after: dot)..<equals]),
            text: String(argument[argument.index(after: equals)...]))
    }
}

extension StrategySelection.Grant {
    /// Reads `NAME:CAPABILITY`; a capability may have a path, in which anything may stand.
    init(argument: String) throws(UsageError) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, StrategyName.isValid(parts[0]), !parts[1].isEmpty else {
            throw UsageError(
                "option --grant: '\(argument)' is not of the form NAME:CAPABILITY",
                hint: "for example --grant com.example.pause-on-cellular:actions")
        }
        self.init(strategy: parts[0], capability: parts[1])
    }
}
