// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PlayerKit

/// The command from its arguments to its exit status.
enum Kitshell {
    static func run(_ arguments: [String]) -> ExitStatus {
        ChildRun.tieToParent()
        StandardStreams.holdPlaces()
        signal(SIGPIPE, SIG_IGN)
        // A file that must not grow further is told as one that cannot be written.
        signal(SIGXFSZ, SIG_IGN)
        // The Swift runtime takes it for a crash, and the process goes on.
        signal(SIGQUIT, SIG_DFL)
        do {
            switch try Command.parse(arguments, exists: { unsafe access($0, F_OK) == 0 }) {
            case .help(let text): return show(text)
            case .version:
                return show(
                    """
                    kitshell \(HostVersions.product) (plugin ABI \(HostVersions.abi))
                    libavformat \(HostVersions.libavformat), \(HostVersions.libavLicence)

                    """)
            case .play(let options): return try PlayCommand(options).run()
            case .replay(let options): return try ReplayCommand(options).run()
            case .feed(let options): return try FeedCommand.run(options)
            case .pool(let options): return try PoolCommand.run(options)
            case .pluginList(let options): return try PluginCommand.list(options)
            case .pluginInspect(let options): return try PluginCommand.inspect(options)
            case .pluginRetry(let options): return try PluginCommand.retry(options)
            case .configCheck(let options): return ConfigCommand.check(options)
            case .configSchema: return show(JSONWriter.text(Configuration.jsonSchema, style: .pretty) + "\n")
            case .configShow(let options): return try ConfigCommand.show(options)
            case .doctor(let options): return try DoctorCommand.run(options)
            }
        } catch let error as ConfigurationError {
            StandardStreams.write(error.lines.map { $0 + "\n" }.joined(), to: StandardStreams.error)
        } catch let error as UsageError {
            StandardStreams.complain(error.text)
        } catch let error as PlayerError {
            StandardStreams.complain(error.message + HelpText.hint(error.hint))
        } catch {
            StandardStreams.complain("\(error)")
        }
        return .usage
    }

    private static func show(_ text: String) -> ExitStatus {
        if StandardStreams.write(text) || errno == EPIPE { return .success }
        StandardStreams.complain("standard output could not be written: \(SystemReason.last)")
        return .sourceFailed
    }
}
