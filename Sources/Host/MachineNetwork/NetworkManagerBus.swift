// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// A connection to the system's message bus that asks NetworkManager how things stand and hears when they change.
///
/// It never waits: questions are sent and answers come with `process`. A NetworkManager that is not there, comes later or goes away
/// is no error.
///
/// Thread: one.
@safe
package final class NetworkManagerBus {
    private static let name = "org.freedesktop.NetworkManager"
    private static let path = "/org/freedesktop/NetworkManager"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let answerMicroseconds: UInt64 = 5_000_000
    private static let messagesAtATime = 256

    /// nil where the library is not there.
    private static let library: csystemd? = {
        var table = csystemd()
        return unsafe csystemd_load(&table) != 0 ? table : nil
    }()

    /// What it said last; nil while nobody answers.
    package private(set) var state: NetworkManagerState?
    /// Whether a question is open.
    var isWaiting: Bool { isAsking }
    private let systemd: csystemd
    private let bus: OpaquePointer
    private var isAsking = false
    /// Something changed after the question was sent.
    private var mustAskAgain = false

    /// Connects and sends the first question.
    ///
    /// - Parameter address: of the bus; nil: the system's.
    /// - Returns: nil where there is no bus, or no library to speak to it.
    package init?(address: String?) {
        guard address != nil || NetworkManagerBus.mayHaveSystemBus,
            let systemd = NetworkManagerBus.library,
            let bus = unsafe NetworkManagerBus.open(address, systemd)
        else { return nil }
        self.systemd = systemd
        unsafe self.bus = bus
        // The references end with the bus, which this object outlives: see deinit.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let changes =
            "type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.properties)',member='PropertiesChanged'"
        let owner =
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
            + "arg0='\(Self.name)'"
        for match in [changes, owner]
        where unsafe systemd.bus_add_match_async(bus, nil, match, changedThunk, nil, context) < 0 {
            return nil
        }
        guard ask() else { return nil }
    }

    deinit {
        unsafe _ = systemd.bus_close_unref(bus)
    }

    /// What to poll for, and by when `process` has to be called in any case.
    var pollEntry: pollfd {
        let events = unsafe systemd.bus_get_events(bus)
        return unsafe pollfd(fd: systemd.bus_get_fd(bus), events: Int16(clamping: max(0, events)), revents: 0)
    }

    /// Monotonic microseconds; nil: no time.
    var deadline: UInt64? {
        var due = UInt64.max
        guard unsafe systemd.bus_get_timeout(bus, &due) > 0, due != .max else { return nil }
        return due
    }

    /// Does what there is to do, or a good part of it.
    ///
    /// - Returns: false once the connection is lost.
    package func process() -> Bool {
        for _ in 0..<Self.messagesAtATime {
            let result = unsafe systemd.bus_process(bus, nil)
            if result <= 0 { return result == 0 }
        }
        return true
    }

    // MARK: Questions and answers

    fileprivate func changed() {
        if isAsking { mustAskAgain = true } else { _ = ask() }
    }

    fileprivate func answered(_ message: OpaquePointer?) {
        isAsking = false
        unsafe state = message.flatMap { unsafe read($0) }
        guard mustAskAgain else { return }
        mustAskAgain = false
        _ = ask()
    }

    private func ask() -> Bool {
        var message: OpaquePointer?
        guard
            unsafe systemd.bus_message_new_method_call(bus, &message, Self.name, Self.path, Self.properties, "GetAll")
                >= 0
        else { return false }
        defer { unsafe _ = systemd.bus_message_unref(message) }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        // Nothing is started for the sake of a question.
        isAsking =
            unsafe systemd.bus_message_set_auto_start(message, 0) >= 0
            && Self.name.withCString { unsafe systemd.bus_message_append_basic(message, stringLetter, $0) } >= 0
            && systemd.bus_call_async(bus, nil, message, answeredThunk, context, Self.answerMicroseconds) >= 0
        return isAsking
    }

    /// Reads an answer; nil if it is an error or no table of properties. A property of a wrong type is unknown.
    private func read(_ message: OpaquePointer) -> NetworkManagerState? {
        guard unsafe systemd.bus_message_is_method_error(message, nil) == 0,
            unsafe systemd.bus_message_enter_container(message, arrayLetter, "{sv}") > 0
        else { return nil }
        var state = NetworkManagerState()
        while unsafe systemd.bus_message_enter_container(message, entryLetter, "sv") > 0 {
            var key: UnsafePointer<CChar>?
            guard unsafe systemd.bus_message_read_basic(message, stringLetter, &key) > 0, let key = unsafe key else {
                return nil
            }
            switch unsafe String(cString: key) {
            case "PrimaryConnectionType": unsafe state.connectionType = text(message)
            case "Metered": unsafe state.metered = number(message)
            default: break
            }
            // What was read is behind it; what was not is passed over.
            if unsafe systemd.bus_message_at_end(message, 0) == 0, unsafe systemd.bus_message_skip(message, "v") < 0 {
                return nil
            }
            guard unsafe systemd.bus_message_exit_container(message) >= 0 else { return nil }
        }
        return state
    }

    private func text(_ message: OpaquePointer) -> String? {
        guard unsafe systemd.bus_message_enter_container(message, variantLetter, "s") > 0 else { return nil }
        var text: UnsafePointer<CChar>?
        let isRead = unsafe systemd.bus_message_read_basic(message, stringLetter, &text) > 0
        guard unsafe systemd.bus_message_exit_container(message) >= 0, isRead, let text = unsafe text else {
            return nil
        }
        return unsafe String(cString: text)
    }

    private func number(_ message: OpaquePointer) -> UInt32? {
        guard unsafe systemd.bus_message_enter_container(message, variantLetter, "u") > 0 else { return nil }
        var number: UInt32 = 0
        let isRead = unsafe systemd.bus_message_read_basic(message, numberLetter, &number) > 0
        return unsafe systemd.bus_message_exit_container(message) >= 0 && isRead ? number : nil
    }

    /// Whether looking for the system's bus is worth loading a library: where it would have to be, something is.
    private static var mayHaveSystemBus: Bool {
        unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS") != nil || access("/run/dbus/system_bus_socket", F_OK) == 0
    }

    private static func open(_ address: String?, _ systemd: csystemd) -> OpaquePointer? {
        var bus: OpaquePointer?
        guard let address else { return unsafe systemd.bus_open_system(&bus) >= 0 ? bus : nil }
        guard unsafe systemd.bus_new(&bus) >= 0 else { return nil }
        if unsafe systemd.bus_set_address(bus, address) >= 0, unsafe systemd.bus_set_bus_client(bus, 1) >= 0,
            unsafe systemd.bus_start(bus) >= 0
        {
            return unsafe bus
        }
        unsafe _ = systemd.bus_close_unref(bus)
        return nil
    }
}

// The letters of D-Bus signatures.
private let stringLetter = CChar(UInt8(ascii: "s"))
private let numberLetter = CChar(UInt8(ascii: "u"))
private let arrayLetter = CChar(UInt8(ascii: "a"))
private let entryLetter = CChar(UInt8(ascii: "e"))
private let variantLetter = CChar(UInt8(ascii: "v"))

private func changedThunk(
    message: OpaquePointer?, context: UnsafeMutableRawPointer?, error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    if let context = unsafe context {
        unsafe Unmanaged<NetworkManagerBus>.fromOpaque(context).takeUnretainedValue().changed()
    }
    return 0
}

private func answeredThunk(
    message: OpaquePointer?, context: UnsafeMutableRawPointer?, error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    if let context = unsafe context {
        unsafe Unmanaged<NetworkManagerBus>.fromOpaque(context).takeUnretainedValue().answered(message)
    }
    return 0
}
