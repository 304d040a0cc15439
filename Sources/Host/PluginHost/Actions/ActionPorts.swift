// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The instances of one plugin of this process that may ask for actions, by the pointers that they know themselves by.
///
/// Thread: any.
final class ActionPorts: Sendable {
    /// Takes a request of an instance and answers it.
    typealias Port = @Sendable (_ session: UInt32, _ sequence: UInt64, _ action: Int32, _ argument: Int64) -> KitResult

    private let ports = Mutex<[(instance: UInt, owner: ObjectIdentifier, port: Port)]>([])

    func add(_ instance: UnsafeMutableRawPointer?, owner: AnyObject, _ port: @escaping Port) {
        let number = UInt(bitPattern: instance)
        ports.withLock { $0.append((number, ObjectIdentifier(owner), port)) }
    }

    func remove(owner: AnyObject) {
        ports.withLock { ports in ports.removeAll { $0.owner == ObjectIdentifier(owner) } }
    }

    /// The port of the one instance that has this pointer; nil if none or several have.
    func port(of instance: UnsafeMutableRawPointer?) -> Port? {
        let number = UInt(bitPattern: instance)
        return ports.withLock { ports in
            let found = ports.filter { $0.instance == number }
            return found.count == 1 ? found[0].port : nil
        }
    }
}
