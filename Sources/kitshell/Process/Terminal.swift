// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What the streams lead to.
enum Terminal {
    /// Whether stderr is looked at by a person.
    static var isInteractive: Bool { isatty(StandardStreams.error) == 1 && !isDumb }

    static func isColored(_ descriptor: Int32, _ wish: OutputOptions.Color) -> Bool {
        wish.isOn(isTerminal: isatty(descriptor) == 1 && !isDumb, noColor: environment("NO_COLOR"))
    }

    private static var isDumb: Bool { environment("TERM") == "dumb" }

    private static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
