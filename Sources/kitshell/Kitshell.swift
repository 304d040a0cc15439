// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PlayerKit

/// The command from its arguments to its exit status.
enum Kitshell {
    static func run(_ arguments: [String]) -> ExitStatus {
        signal(SIGPIPE, SIG_IGN)
        do {
            switch try Command.parse(arguments, exists: { unsafe access($0, F_OK) == 0 }) {
            case .help(let text):
                StandardStreams.write(text)
                return .success
            case .version:
                StandardStreams.write(
                    """
                    kitshell \(HostVersions.product) (plugin ABI \(HostVersions.abi))
                    libavformat \(HostVersions.libavformat), \(HostVersions.libavLicence)

                    """)
                return .success
            case .play(let options): return try PlayCommand(options).run()
            case .replay(let options): return try ReplayCommand(options).run()
            case .pluginList(let options): return try PluginCommand.list(options)
            case .pluginInspect(let options): return try PluginCommand.inspect(options)
            }
        } catch let error as UsageError {
            StandardStreams.complain("\(error.message)\n  \(error.hint)")
        } catch let error as PlayerError {
            StandardStreams.complain("\(error.message)\n  \(error.hint)")
        } catch {
            StandardStreams.complain("\(error)")
        }
        return .usage
    }
}
