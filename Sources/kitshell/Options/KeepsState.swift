// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit

/// A command that looks at or adds to what is remembered of plugins between runs.
package protocol KeepsState: CommandOptions {
    /// Where; nil: the usual place.
    var stateDirectory: String? { get set }
}

extension KeepsState {
    static var stateDirectoryRow: OptionRow<Self> {
        .text(
            "state-dir", "DIR",
            help:
                "where quarantines and files about faults are kept (default $KITSHELL_STATE_DIR, else kitshell in "
                + "$XDG_STATE_HOME or ~/.local/state)"
        ) { (options, value) throws(UsageError) in options.stateDirectory = value }
    }

    /// The one that was given, else the usual one; nil where there is no home to keep it in.
    var chosenStateDirectory: String? { stateDirectory ?? Installation.usualStateDirectory }
}
