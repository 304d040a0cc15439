// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import Sessions
import Synchronization

/// One accepted plugin file and the place it is to run in. Loaded at the first instance, once, however many there are.
///
/// Thread: any.
package final class HostedPlugin: Sendable {
    /// The `origin` of strategies that ship with the product.
    package static let builtinOrigin = "built-in"

    package let inspection: PluginInspection
    package let note: PluginNote
    package let options: OptionTable
    /// Whether it ships with the product.
    package let isBuiltin: Bool
    package let runs: StrategyStatus.Place
    package let grants: PluginGrants
    /// Whether it may be quarantined from one run to the next.
    package let isRemembered: Bool
    /// What is remembered of it; nil where nothing is.
    package let health: PluginHealth?
    private let load: @Sendable (PluginInspection, PluginHealth?) throws -> any PluginPlace
    private let loaded = Mutex<(any PluginPlace)?>(nil)

    /// - Parameters:
    ///   - store: where things are remembered; nil: nowhere.
    ///   - isRemembered: whether it may be quarantined from one run to the next.
    /// - Throws: `plugin.refused` if the inspection did not accept the file.
    package init(
        inspection: PluginInspection, isBuiltin: Bool, runs: StrategyStatus.Place,
        grants: PluginGrants = PluginGrants(), store: HealthStore? = nil, isRemembered: Bool = false,
        load: @escaping @Sendable (PluginInspection, PluginHealth?) throws -> any PluginPlace
    ) throws(PlayerError) {
        let accepted = try inspection.accepted()
        self.inspection = inspection
        note = accepted.note
        options = accepted.options
        self.isBuiltin = isBuiltin
        self.runs = runs
        self.grants = grants
        self.load = load
        self.isRemembered = isRemembered
        health = store.map { store in
            PluginHealth(
                PluginHealth.Subject(
                    id: accepted.note.id, version: accepted.note.version, path: FilePath.absolute(inspection.path),
                    identity: accepted.identity, runs: runs, grants: grants),
                store: store, isRemembered: isRemembered)
        }
    }

    package var takesOver: Bool { note.flags.contains(.takesOver) }
    package var bindsIDs: Bool { note.flags.contains(.bindsIDs) }

    /// Where its instances are made; loads the file if that has not been done.
    ///
    /// Two threads that ask at once both load, which is harmless: the file is mapped once and one place is kept.
    package func place() throws -> any PluginPlace {
        if let place = loaded.withLock({ $0 }) { return place }
        let place = try load(inspection, health)
        return loaded.withLock { kept in
            if let kept { return kept }
            kept = place
            return place
        }
    }

    /// Waits until the status of every instance that was destroyed is final, real time.
    ///
    /// - Returns: false if the time was over before.
    package func waitUntilEnded(withinMilliseconds milliseconds: Int) -> Bool {
        loaded.withLock { $0 }?.waitUntilEnded(withinMilliseconds: milliseconds) ?? true
    }

    /// A row of the report for one instance.
    package func status(name: String, kind: PluginNote.Kinds, instance: InstanceStatus) -> StrategyStatus {
        let sandbox = loaded.withLock { $0 }?.sandbox
        var status = StrategyStatus(
            name: name, id: note.id, kinds: kind.names, version: note.version,
            origin: isBuiltin ? HostedPlugin.builtinOrigin : inspection.path, runs: runs,
            sandbox: sandbox?.extent, health: instance.health)
        if let gap = sandbox?.gap, !gap.isEmpty { status.sandboxGap = gap }
        status.faults = instance.faults
        status.calls = instance.calls
        status.eventsDelivered = instance.eventsDelivered
        status.eventsDropped = instance.eventsDropped
        status.defaultsUsed = instance.defaultsUsed
        status.reportsCut = instance.reportsCut
        return status
    }
}
