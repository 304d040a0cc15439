// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Which configuration file is in force, and who says so.
public struct ConfigurationPlace: Hashable, Sendable {
    /// Who says so.
    public enum Origin: Hashable, Sendable {
        /// Whoever calls: an argument of the command line.
        case argument
        /// The environment, by a variable of that name.
        case environment(String)
        /// It is where it usually is.
        case usual
    }

    /// What is named where no file is to be in force.
    public static let none = "none"
    /// The variable of the environment that names the file.
    public static let variable = "KITSHELL_CONFIG"

    public var path: String
    public var origin: Origin

    package init(path: String, origin: Origin) {
        self.path = path
        self.origin = origin
    }

    /// The file in force: the given one, else that of `$KITSHELL_CONFIG`, else the first of the usual places where there is one.
    ///
    /// - Parameter given: nil if nobody gave one; `none`: no file, wherever one may be.
    /// - Returns: nil if none is. A file that is named need not be there; reading it tells.
    public static func find(given: String?) -> ConfigurationPlace? {
        find(given: given, environment: ProcessEnvironment.variable)
    }

    package static func find(
        given: String?, environment: (String) -> String?, system: String = "/etc/kitshell/config.json"
    ) -> ConfigurationPlace? {
        if let given { return given == none ? nil : ConfigurationPlace(path: given, origin: .argument) }
        if let path = environment(variable) {
            return path == none ? nil : ConfigurationPlace(path: path, origin: .environment(variable))
        }
        return usualPaths(environment, system).first(where: isThere).map {
            ConfigurationPlace(path: $0, origin: .usual)
        }
    }

    /// The usual places: `$XDG_CONFIG_HOME/kitshell/config.json`, where `~/.config` stands in for a variable that is not set, and
    /// `/etc/kitshell/config.json`.
    public static var usualPaths: [String] {
        usualPaths(ProcessEnvironment.variable, "/etc/kitshell/config.json")
    }

    private static func usualPaths(_ environment: (String) -> String?, _ system: String) -> [String] {
        var paths = [system]
        // The convention says that one that is not absolute is to be ignored.
        if let home = environment("XDG_CONFIG_HOME"), home.hasPrefix("/") {
            paths.insert("\(home)/kitshell/config.json", at: 0)
        } else if let home = environment("HOME"), home.hasPrefix("/") {
            paths.insert("\(home)/.config/kitshell/config.json", at: 0)
        }
        return paths
    }

    /// Whether there is anything at all, if only a link that leads nowhere: what cannot be read must be told. A directory that this user
    /// may not enter is another user's, as with the home of who became somebody else.
    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 || ![ENOENT, ENOTDIR, EACCES].contains(errno)
    }
}

/// The environment of this process.
enum ProcessEnvironment {
    /// nil if it is not set, or empty.
    static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }
}
