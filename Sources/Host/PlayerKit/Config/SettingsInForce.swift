// SPDX-License-Identifier: Apache-2.0

public import JSONText
internal import MediaCore
internal import PluginHost

/// What a run would be made with, value by value, and who says so, as the document `kitshell.settings/1`.
///
/// What a command line says beats the environment, which beats the configuration file, which beats the defaults.
public struct SettingsInForce: Sendable {
    /// The name and version of the document's form: `settings.schema.json`.
    public static let schema = "kitshell.settings/1"

    /// What a command line says that a selection of strategies does not.
    public struct Arguments: Sendable {
        /// The configuration file, or `none`.
        public var configuration: String?
        public var stateDirectory: String?
        public var logLevel: LogLevel?

        public init(configuration: String? = nil, stateDirectory: String? = nil, logLevel: LogLevel? = nil) {
            self.configuration = configuration
            self.stateDirectory = stateDirectory
            self.logLevel = logLevel
        }
    }

    /// Who says so.
    private enum Origin {
        case usual
        case file(line: Int?)
        case environment(String)
        case argument
    }

    /// Why plugin files that were named would not be used.
    public private(set) var refusals: [PlayerError] = []
    private let configuration: Configuration
    private var rows: [JSONValue] = []

    /// Resolves the strategies; no byte of a plugin runs.
    ///
    /// - Throws: `SelectionError` if the strategies cannot be had as selected.
    init(
        _ selection: StrategySelection, _ arguments: Arguments, configuration: Configuration, catalog: PluginCatalog
    ) throws(SelectionError) {
        self.configuration = configuration
        let plan = try StrategyPlan(
            selection, configuration: configuration, catalog: catalog, defaultMonitors: BuiltinMonitors.standard)
        refusals = plan.refusals
        addPlaces(arguments)
        addStrategies(plan, selection)
        addPlayer()
        addWorkers()
        let level = arguments.logLevel ?? configuration.logLevel
        add(
            "log.level", .string((level ?? .info).name),
            arguments.logLevel != nil ? .argument : fileOrUsual("log.level"))
        add("log.format", .string((configuration.logFormat ?? .text).rawValue), fileOrUsual("log.format"))
    }

    /// The document.
    public var json: JSONValue { ["schema": .string(Self.schema), "values": .array(rows)] }

    // MARK: Rows

    private mutating func add(_ key: String, _ value: JSONValue, _ origin: Origin) {
        let (name, place): (String, String?) =
            switch origin {
            case .usual: ("default", nil)
            case .file(let line): ("file", (configuration.file ?? "") + (line.map { ":\($0)" } ?? ""))
            case .environment(let variable): ("environment", variable)
            case .argument: ("command line", nil)
            }
        rows.append(["key": .string(key), "value": value, "origin": .string(name), "where": JSONValue(place)])
    }

    /// The file where that key stands in it, else the defaults.
    private func fileOrUsual(_ key: String) -> Origin {
        configuration.lines[key].map { .file(line: $0) } ?? .usual
    }

    private mutating func addPlaces(_ arguments: Arguments) {
        func origin(_ given: String?, _ variable: String?) -> Origin {
            given != nil ? .argument : variable.map { .environment($0) } ?? .usual
        }
        let isConfigNamed = ProcessEnvironment.variable(ConfigurationPlace.variable) != nil
        add(
            "config", JSONValue(configuration.file),
            origin(arguments.configuration, isConfigNamed ? ConfigurationPlace.variable : nil))
        add(
            "stateDir", JSONValue(arguments.stateDirectory ?? Installation.usualStateDirectory),
            origin(arguments.stateDirectory, StateDirectory.usualVariable))
        if configuration.pluginPath.isEmpty { add("pluginPath", [], fileOrUsual("pluginPath")) }
        for (index, path) in configuration.pluginPath.enumerated() {
            add("pluginPath[\(index)]", .string(path), fileOrUsual("pluginPath[\(index)]"))
        }
    }

    private mutating func addStrategies(_ plan: StrategyPlan, _ selection: StrategySelection) {
        if let choice = plan.lifecycle {
            add(choice, "lifecycle", plan.isLifecycleSelected ? .argument : fileOrUsual("lifecycle"), selection)
        } else {
            add("lifecycle", nil, fileOrUsual("lifecycle"))
        }
        if plan.monitors.isEmpty {
            add("monitors", [], selection.monitors != nil ? .argument : fileOrUsual("monitors"))
        }
        for (index, choice) in plan.monitors.enumerated() {
            let usual = choice.entry == nil && BuiltinMonitors.standard.contains(choice.name)
            let isNamed = selection.monitors?.contains(choice.name) == true || choice.entry == nil && !usual
            let origin = isNamed ? Origin.argument : key(of: choice).map(fileOrUsual) ?? .usual
            add(choice, "monitors[\(index)]", origin, selection)
        }
    }

    /// - Parameter origin: of its name.
    private mutating func add(
        _ choice: StrategyPlan.Choice, _ key: String, _ origin: Origin, _ selection: StrategySelection
    ) {
        let own = self.key(of: choice)
        func said(_ name: String, or other: Origin) -> Origin {
            own.flatMap { configuration.lines["\($0).\(name)"] }.map { .file(line: $0) } ?? other
        }
        add("\(key).name", .string(choice.name), origin)
        if !choice.file.isBuiltin { add("\(key).path", .string(choice.file.inspection.path), said("path", or: origin)) }
        if let pin = choice.entry?.sha256 { add("\(key).sha256", .string(pin), said("sha256", or: .usual)) }
        if !choice.file.isBuiltin {
            let place = choice.file.runs == .inProcess ? StrategySelection.Isolation.inProcess : .worker
            add(
                "\(key).isolation", .string(place.rawValue),
                selection.isolation != nil ? .argument : said("isolation", or: .usual))
        }
        let entryGrants = choice.entry?.grants ?? []
        let grants = selection.grants.filter { $0.strategy == choice.name }.map(\.capability)
        for (index, grant) in (entryGrants + grants).enumerated() {
            add(
                "\(key).grant[\(index)]", .string(grant),
                index < entryGrants.count ? said("grant[\(index)]", or: .usual) : .argument)
        }
        for option in choice.file.options.options {
            let values = choice.options.filter { $0.key == option.key }.map { JSONValue($0.value) }
            guard option.isList || !values.isEmpty else { continue }
            let isSet = selection.settings.contains { $0.strategy == choice.name && $0.key == option.key }
            add(
                "\(key).options.\(option.key)", option.isList ? .array(values) : values[0],
                isSet ? .argument : said("options.\(option.key)", or: .usual))
        }
    }

    /// The key under which the file has a strategy; nil if it is not from there.
    private func key(of choice: StrategyPlan.Choice) -> String? {
        guard let entry = choice.entry else { return nil }
        if configuration.lifecycle?.name == entry.name { return "lifecycle" }
        return configuration.monitors?.firstIndex { $0.name == entry.name }.map { "monitors[\($0)]" }
    }

    private mutating func addPlayer() {
        let player = configuration.player.effective
        for (key, value) in [
            ("startBufferMs", player.startBuffer.wholeMilliseconds),
            ("highBufferMs", player.highBuffer.wholeMilliseconds),
            ("maxBufferMs", player.maxBuffer.wholeMilliseconds),
            ("networkTimeoutMs", player.networkTimeout.wholeMilliseconds),
            ("networkRetryCount", player.networkRetryCount),
        ] {
            add("player.\(key)", .int(Int64(value)), fileOrUsual("player.\(key)"))
        }
    }

    private mutating func addWorkers() {
        let (deadlines, restarts) = (configuration.workers.deadlines, configuration.workers.restarts)
        for (key, value) in [
            ("decisionDeadlineMs", JSONValue.int(Int64(deadlines.decide))),
            ("restart.backoffMs", .array(restarts.delays.map { .int(Int64($0)) })),
            ("restart.limit", .int(Int64(restarts.limit))), ("restart.windowMs", .int(Int64(restarts.window))),
        ] {
            add("workers.\(key)", value, fileOrUsual("workers.\(key)"))
        }
    }
}

extension Installation {
    /// What a run with that selection would be made with. No byte of a plugin runs.
    ///
    /// - Throws: `SelectionError` if the strategies cannot be had as selected.
    public func settingsInForce(
        _ selection: StrategySelection, _ arguments: SettingsInForce.Arguments
    ) throws(SelectionError) -> SettingsInForce {
        try SettingsInForce(selection, arguments, configuration: configuration, catalog: catalog)
    }
}
