// SPDX-License-Identifier: Apache-2.0

/// The monitoring strategies that run unless somebody chooses others.
enum BuiltinMonitors {
    /// By name, in the order in which they start.
    static let standard = ["first-frame", "stutter-detect"]
}
