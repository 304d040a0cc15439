// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import MediaCore
internal import PluginHost

extension DoctorReport {
    /// Problems of the file that are told here; a command of its own tells them all.
    private static let mostProblems = 3

    /// The configuration file in force and what is wrong with it.
    static func configuration(_ layout: InstallLayout, _ findings: inout [Finding]) -> JSONValue {
        let place = ConfigurationPlace.find(given: nil)
        var (problems, notes) = ([ConfigurationError.Problem](), [ConfigurationError.Problem]())
        if let place {
            do throws(ConfigurationError) {
                notes = try Configuration(path: place.path, pluginDirectory: layout.builtinDirectory).notes
            } catch {
                problems = error.problems
            }
            for (severity, found) in [(Finding.Severity.problem, problems), (.note, notes)] {
                findings += found.prefix(mostProblems).map { problem in
                    let hint = problem.hint.escapingControls
                    return Finding(
                        severity: severity, about: "configuration", message: problem.statement(in: place.path),
                        hint: hint.prefix(1).uppercased() + hint.dropFirst() + ".")
                }
            }
            if problems.count > mostProblems {
                findings.append(
                    Finding(
                        severity: .problem, about: "configuration",
                        message: "there are \(problems.count - mostProblems) more problems",
                        hint: "kitshell config check tells them all."))
            }
        }
        return [
            "file": JSONValue(place?.path), "searched": .array(ConfigurationPlace.usualPaths.map { .string($0) }),
            "problems": .int(Int64(problems.count)),
        ]
    }
}
