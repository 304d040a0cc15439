// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import MediaCore
internal import PluginHost

extension Configuration {
    /// Reads a file and checks all of it: every key and value, and what plugin files say of themselves. No byte of a plugin runs.
    ///
    /// Thread: any; blocks while files are read.
    ///
    /// - Parameters:
    ///   - path: of a JSON5 file of at most 1 MiB.
    ///   - pluginDirectory: where the built-in strategies are; nil: beside the executable, or in the installed copy that it belongs to.
    ///   - allowsInsecurePaths: takes plugin files that other users could have changed.
    /// - Throws: all that is wrong with the file.
    public init(
        path: String, pluginDirectory: String? = nil, allowsInsecurePaths: Bool = false
    ) throws(ConfigurationError) {
        let layout = InstallLayout()
        guard let builtins = pluginDirectory ?? layout.builtinDirectory else {
            throw ConfigurationError(
                file: path,
                problems: [
                    .init(
                        "the strategies that it may name are missing; looked in \(layout.builtinCandidates.joined(separator: " and "))",
                        hint: "run make build in a source tree, or install the product again")
                ])
        }
        self = try ConfigurationReader.read(
            path, builtinDirectory: builtins, allowsInsecurePaths: allowsInsecurePaths,
            environment: ProcessEnvironment.variable)
    }
}

/// Makes a configuration of the text of a file. Goes on after what is wrong, so that all of it is told. Strategies are read in
/// `ConfigurationReader+Entries`.
package struct ConfigurationReader {
    /// Problems that are told at most.
    private static let mostProblems = 100

    let allowsInsecurePaths: Bool
    let environment: (String) -> String?
    /// Of the file, absolute: what other paths in it count from.
    let directory: String
    var configuration = Configuration()
    /// Names of instances, with the keys of the entries that have them.
    var names: [String: (key: String, line: Int)] = [:]
    /// Looks files up and runs none.
    let catalog: PluginCatalog
    /// What is in the directories of `pluginPath`.
    private(set) var search = PluginSearch([], allowsInsecurePaths: false)
    private(set) var problems: [ConfigurationError.Problem] = []

    /// - Throws: all that is wrong with the file.
    package static func read(
        _ path: String, builtinDirectory: String, allowsInsecurePaths: Bool, environment: @escaping (String) -> String?
    ) throws(ConfigurationError) -> Configuration {
        let document = JSON5Reader().read(try ConfigurationText.read(path))
        var reader = ConfigurationReader(
            path, builtinDirectory: builtinDirectory, allowsInsecurePaths: allowsInsecurePaths,
            environment: environment)
        for error in document.errors {
            reader.report(
                .init(line: error.position.line, column: error.position.column, error.message, hint: error.hint))
        }
        if let root = document.root { reader.readRoot(root) }
        guard reader.problems.isEmpty else { throw ConfigurationError(file: path, problems: reader.inOrder) }
        reader.configuration.file = path
        return reader.configuration
    }

    private init(
        _ path: String, builtinDirectory: String, allowsInsecurePaths: Bool, environment: @escaping (String) -> String?
    ) {
        self.allowsInsecurePaths = allowsInsecurePaths
        self.environment = environment
        let parts = FilePath.absolute(path).split(separator: "/").dropLast()
        directory = "/" + parts.joined(separator: "/")
        catalog = PluginCatalog(builtinDirectory: builtinDirectory) { _, _, _, _, _ in
            preconditionFailure("a configuration is read, and nothing runs")
        }
    }

    mutating func report(_ problem: ConfigurationError.Problem) { problems.append(problem) }

    /// In the order of the file, as far as they are told.
    private var inOrder: [ConfigurationError.Problem] {
        let sorted = problems.enumerated().sorted { left, right in
            (left.element.line ?? 0, left.element.column ?? 0, left.offset)
                < (right.element.line ?? 0, right.element.column ?? 0, right.offset)
        }.map(\.element)
        guard sorted.count > Self.mostProblems else { return sorted }
        let rest = sorted.count - Self.mostProblems
        return sorted.prefix(Self.mostProblems) + [.init("there are \(rest) more problems", hint: "mend these first")]
    }

    // MARK: Parts

    private mutating func readRoot(_ root: JSON5Value) {
        guard root.members != nil else {
            return report(
                root.problem("", "\(root.shown) is no configuration", hint: "write { and } around keys and values"))
        }
        ConfigurationShape.object(ConfigurationShape.root).check(root, "") { problems.append($0) }
        noteLines(root, "")
        readPluginPath(root["pluginPath"])
        if let value = root["lifecycle"] { configuration.lifecycle = entry(value, "lifecycle", of: .lifecycle) }
        if let values = root["monitors"]?.array {
            configuration.monitors = values.enumerated().compactMap { entry($1, "monitors[\($0)]", of: .monitor) }
        }
        if let value = root["player"] { readPlayer(value) }
        if let value = root["workers"] { readWorkers(value) }
        configuration.logLevel = root["log"]?["level"]?.string.flatMap { LogLevel($0) }
        configuration.logFormat = root["log"]?["format"]?.string.flatMap { Configuration.LogFormat(rawValue: $0) }
    }

    private mutating func noteLines(_ value: JSON5Value, _ key: String) {
        if !key.isEmpty { configuration.lines[key] = value.position.line }
        for member in value.members ?? [] { noteLines(member.value, key.isEmpty ? member.key : "\(key).\(member.key)") }
        for (index, element) in (value.array ?? []).enumerated() { noteLines(element, "\(key)[\(index)]") }
    }

    private mutating func readPluginPath(_ value: JSON5Value?) {
        for (index, element) in (value?.array ?? []).enumerated() {
            let key = "pluginPath[\(index)]"
            guard let path = element.string, !path.isEmpty, let directory = absolute(path, element, key) else {
                continue
            }
            configuration.pluginPath.append(directory)
            guard let obstacle = PluginSearch.obstacle(of: directory) else { continue }
            let problem = element.problem(
                key, "plugins cannot be looked up in \(directory): \(obstacle.reason)",
                hint: obstacle.isMistake
                    ? "name a directory; one that is not there is passed over" : "give this user read permission on it")
            // What one user may not read may be there for others, and a file is for all of them.
            if obstacle.isMistake { report(problem) } else { configuration.notes.append(problem) }
        }
        search = PluginSearch(configuration.pluginPath, allowsInsecurePaths: allowsInsecurePaths)
    }

    /// A path as it counts here; nil if there is no home directory to count from, which has then been told.
    mutating func absolute(_ path: String, _ value: JSON5Value, _ key: String) -> String? {
        guard path.hasPrefix("~") else { return FilePath.absolute(path, relativeTo: directory) }
        guard path == "~" || path.hasPrefix("~/") else {
            report(value.problem(key, "other users' home directories are not looked up", hint: "write the whole path"))
            return nil
        }
        guard let home = environment("HOME"), home.hasPrefix("/") else {
            report(value.problem(key, "there is no home directory for ~", hint: "set HOME, or write the whole path"))
            return nil
        }
        return FilePath.absolute(home + path.dropFirst())
    }

    private mutating func readPlayer(_ value: JSON5Value) {
        func milliseconds(_ key: String) -> Duration? { value[key]?.int.map { .milliseconds($0) } }
        configuration.player.startBuffer = milliseconds("startBufferMs")
        configuration.player.highBuffer = milliseconds("highBufferMs")
        configuration.player.maxBuffer = milliseconds("maxBufferMs")
        configuration.player.networkTimeout = milliseconds("networkTimeoutMs")
        configuration.player.networkRetryCount = value["networkRetryCount"]?.int.map { Int($0) }
        let usual = PlayerConfiguration().effective
        let buffers = [
            ("startBufferMs", usual.startBuffer), ("highBufferMs", usual.highBuffer), ("maxBufferMs", usual.maxBuffer),
        ].map { ($0, value[$0], value[$0]?.int ?? Int64($1.wholeMilliseconds)) }
        for (lower, higher) in zip(buffers, buffers.dropFirst()) where lower.2 > higher.2 {
            let (given, other, relation) =
                lower.1.map { ($0, higher, "more") } ?? higher.1.map { ($0, lower, "less") } ?? (value, lower, "more")
            let key = lower.1 != nil ? lower.0 : higher.0
            let usually = other.1 == nil ? ", which nothing here sets" : ""
            report(
                given.problem(
                    "player.\(key)", "\(given.shown) is \(relation) than \(other.0), \(other.2)\(usually)",
                    hint: "keep startBufferMs ≤ highBufferMs ≤ maxBufferMs"))
        }
    }

    private mutating func readWorkers(_ value: JSON5Value) {
        let restart = value["restart"]
        configuration.workers.decisionDeadline = value["decisionDeadlineMs"]?.int.map { .milliseconds($0) }
        configuration.workers.restartDelays = restart?["backoffMs"]?.array?.compactMap(\.int).map { .milliseconds($0) }
        configuration.workers.restartLimit = restart?["limit"]?.int.map { Int($0) }
        configuration.workers.restartWindow = restart?["windowMs"]?.int.map { .milliseconds($0) }
    }
}
