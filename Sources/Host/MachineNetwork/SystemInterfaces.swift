// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import MediaCore

/// What kind of network an interface belongs to, as sysfs tells.
///
/// Thread: any; reads a few small files.
package struct SystemInterfaces: Sendable {
    /// An interface's `uevent` has some hundred bytes.
    private static let mostBytes = 4096
    private static let ethernetHardware: UInt16 = 1

    private let directory: String

    /// - Parameter directory: the kernel's directory of interfaces.
    package init(directory: String = "/sys/class/net") {
        self.directory = directory
    }

    /// Unknown for tunnels, modems that look like a serial line, and whatever else does not say what it is.
    package func type(of link: RouteTable.Link) -> NetworkType {
        guard !link.name.isEmpty, link.name != ".", link.name != "..", !link.name.contains("/") else { return .unknown }
        let interface = "\(directory)/\(link.name)"
        switch deviceType(of: interface) {
        case "wwan": return .cellular
        case "wlan": return .wifi
        case "bluetooth": return .unknown
        default: break
        }
        if exists("\(interface)/wireless") || exists("\(interface)/phy80211") { return .wifi }
        return link.hardwareType == SystemInterfaces.ethernetHardware ? .ethernet : .unknown
    }

    /// The value of `DEVTYPE` in its `uevent`.
    private func deviceType(of interface: String) -> String? {
        let key = "DEVTYPE="
        let line = head(of: "\(interface)/uevent").split(separator: "\n").first { $0.hasPrefix(key) }
        return line.map { String($0.dropFirst(key.count)) }
    }

    /// The beginning of a file; empty if it cannot be read.
    private func head(of path: String) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: SystemInterfaces.mostBytes)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
    }

    private func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}
