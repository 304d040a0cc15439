// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// What this kernel can keep a worker from.
package enum KernelWalls {
    /// Whether it filters system calls.
    package static var hasSystemCallFilters: Bool { clinux_has_system_call_filters() != 0 }
    /// The version of Landlock; 0 where there is none.
    package static var landlockVersion: Int { max(0, Int(clinux_landlock_version())) }
}
