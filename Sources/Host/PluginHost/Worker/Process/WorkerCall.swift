// SPDX-License-Identifier: Apache-2.0

/// The one call that a worker is busy with.
struct WorkerCall {
    var id: UInt64
    var task: WorkerTask
    var deadline: RealTime
    /// A decision was waited for already when it was asked for.
    var isBehindDecision = false
    /// What the plugin said through `report_error` during it.
    var said = ""

    /// The same as the end of a sentence.
    var words: String { said.isEmpty ? "" : ": \(said)" }
}
