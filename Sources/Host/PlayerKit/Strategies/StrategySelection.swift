// SPDX-License-Identifier: Apache-2.0

/// Which strategies a run is to use, as a user says it. `StrategyPlan` finds out whether they can be had.
public struct StrategySelection: Hashable, Sendable {
    /// A plugin file that was named.
    public struct Plugin: Hashable, Sendable {
        /// What to call the instance; nil: the plugin's id.
        public var name: String?
        /// Of the shared library; one that is not absolute counts from the working directory.
        public var path: String
        /// A person has just named it, as with `--plugin`: it runs whatever it did in earlier runs, and what it does now is not held
        /// against it in later ones. Where it is false and the installation has a state directory, one that keeps failing is not run
        /// for an hour.
        public var isExplicit: Bool

        /// - Parameters:
        ///   - name: letters, digits, `.`, `_` and `-`; nil: the plugin's id.
        ///   - path: is looked at when the selection is resolved.
        public init(name: String? = nil, path: String, isExplicit: Bool = false) {
            self.name = name
            self.path = path
            self.isExplicit = isExplicit
        }
    }

    /// A value for one option of one strategy.
    public struct Setting: Hashable, Sendable {
        /// The name of the strategy's instance in this run.
        public var strategy: String
        /// Of the option, as the plugin's option table has it.
        public var key: String
        /// As written; the plugin's option table says what is valid. Durations are milliseconds.
        public var text: String

        /// Nothing is checked before the selection is resolved.
        public init(strategy: String, key: String, text: String) {
            self.strategy = strategy
            self.key = key
            self.text = text
        }
    }

    /// Something that one strategy is allowed beyond watching.
    public struct Grant: Hashable, Sendable {
        /// The name of the strategy's instance in this run.
        public var strategy: String
        /// As written; `StrategyPlan` says what is valid.
        public var capability: String

        /// Nothing is checked before the selection is resolved.
        public init(strategy: String, capability: String) {
            self.strategy = strategy
            self.capability = capability
        }
    }

    /// Where a stranger's plugin runs.
    public enum Isolation: String, Hashable, Sendable, CaseIterable {
        case inProcess = "in-process"
        case worker
    }

    /// Plugin files; a monitor among them is added, a lifecycle strategy becomes the one in force.
    public var plugins: [Plugin] = []
    /// nil: the plugin that brings one, else `default`.
    public var lifecycle: String?
    /// nil: the built-in monitors.
    public var monitors: [String]?
    public var settings: [Setting] = []
    /// `max_pool_size` of the lifecycle strategy, if it has such an option and `settings` do not set it.
    public var poolSize: Int64?
    public var grants: [Grant] = []
    /// Where all strangers' plugins run; nil: where a configuration says, else in workers.
    public var isolation: Isolation?
    /// Takes plugin files that other users could have changed.
    public var allowsInsecurePaths = false

    public init() {}
}

/// A selection that cannot be met: nothing should run.
public struct SelectionError: Error, Hashable, Sendable {
    /// One sentence without a full stop.
    public var message: String
    /// What would be valid.
    public var hint: String
    /// The word that was not understood and those that would have been; for "did you mean".
    public var unknown: String?
    public var valid: [String]

    init(_ message: String, hint: String, unknown: String? = nil, valid: [String] = []) {
        self.message = message
        self.hint = hint
        self.unknown = unknown
        self.valid = valid
    }
}
