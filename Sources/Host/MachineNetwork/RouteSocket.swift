// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The kernel's rtnetlink: dumps of interfaces and routes, and word of their changes.
///
/// Thread: one at a time.
final class RouteSocket {
    /// The kernel sends dumps in datagrams of at most 32 KiB.
    private static let bufferSize = 64 * 1024
    /// Datagrams that are read before others have their turn.
    private static let datagramsAtATime = 256
    /// A dump that was disturbed by a change is asked for so often.
    private static let attempts = 5

    /// Readable when something changed.
    let descriptor: Int32
    private let requests: Int32
    private var sequence: UInt32 = 0
    private var buffer = [UInt8](repeating: 0, count: bufferSize)

    /// - Returns: nil where the kernel or a sandbox has no rtnetlink.
    init?() {
        descriptor = RouteSocket.open(groups: UInt32(RTMGRP_LINK | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE))
        requests = RouteSocket.open(groups: 0)
        guard descriptor >= 0, requests >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if requests >= 0 { close(requests) }
    }

    /// How things stand now; nil if the kernel does not answer.
    func snapshot() -> RouteTable? {
        for _ in 0..<RouteSocket.attempts {
            var table = RouteTable()
            let dumps = [(RTM_GETLINK, AF_UNSPEC), (RTM_GETROUTE, AF_INET), (RTM_GETROUTE, AF_INET6)]
            switch dumps.map({ dump($0.0, family: $0.1, into: &table) }).max() {
            case .whole?: return table
            case .disturbed?: continue
            default: return nil
            }
        }
        return nil
    }

    /// Reads what the kernel has told since the last time.
    ///
    /// - Returns: whether a new snapshot may differ.
    func drain() -> Bool {
        var hasChanged = false
        for _ in 0..<RouteSocket.datagramsAtATime {
            switch receive(from: descriptor, flags: Int32(MSG_DONTWAIT)) {
            case .datagram(let messages): hasChanged = hasChanged || messages.contains(where: RouteTable.isAboutIt)
            case .foreign: continue
            // More changed than its buffer holds; what was lost is unknown.
            case .failed(ENOBUFS): hasChanged = true
            case .failed: return hasChanged
            }
        }
        return hasChanged
    }

    // MARK: Dumps

    /// In the order in which they outweigh each other.
    private enum DumpResult: Int, Comparable {
        case whole
        case disturbed
        case failed

        static func < (left: DumpResult, right: DumpResult) -> Bool { left.rawValue < right.rawValue }
    }

    private func dump(_ type: Int, family: Int32, into table: inout RouteTable) -> DumpResult {
        sequence += 1
        guard ask(type, family: family) else { return .failed }
        var result = DumpResult.whole
        while true {
            switch receive(from: requests, flags: 0) {
            case .foreign, .failed(EINTR): continue
            case .failed: return .failed
            case .datagram(let messages):
                for message in messages where message.sequence == sequence {
                    if message.type == NLMSG_ERROR { return .failed }
                    if message.flags & Int(NLM_F_DUMP_INTR) != 0 { result = .disturbed }
                    if message.type == NLMSG_DONE { return result }
                    table.take(message)
                }
            }
        }
    }

    private func ask(_ type: Int, family: Int32) -> Bool {
        // A struct nlmsghdr and a struct rtmsg or ifinfomsg, of which only the family counts.
        var request: [UInt8] = []
        for number in [
            32, UInt32(type) | UInt32(NLM_F_REQUEST | NLM_F_DUMP) << 16, sequence, 0, UInt32(family), 0, 0, 0,
        ] {
            unsafe withUnsafeBytes(of: number) { unsafe request.append(contentsOf: $0) }
        }
        return unsafe request.withUnsafeBytes { unsafe send(requests, $0.baseAddress, $0.count, 0) } == request.count
    }

    // MARK: The socket

    private enum Received {
        case datagram([NetlinkMessage])
        /// Of another process, which may say anything.
        case foreign
        case failed(Int32)
    }

    private func receive(from socket: Int32, flags: Int32) -> Received {
        var sender = sockaddr_nl()
        var size = socklen_t(MemoryLayout<sockaddr_nl>.size)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe withUnsafeMutableBytes(of: &sender) { address in
                unsafe recvfrom(
                    socket, bytes.baseAddress, bytes.count, flags,
                    address.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
            }
        }
        guard count >= 0 else { return .failed(errno) }
        guard sender.nl_pid == 0 else { return .foreign }
        return .datagram(NetlinkMessage.all(in: buffer[..<count]))
    }

    private static func open(groups: UInt32) -> Int32 {
        let socket = Glibc.socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), NETLINK_ROUTE)
        guard socket >= 0 else { return -1 }
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = groups
        // The kernel answers a dump within microseconds; a sandbox may swallow the question.
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        let size = socklen_t(MemoryLayout<sockaddr_nl>.size)
        let isReady = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe setsockopt(
                socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size)) == 0
                && bind(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), size) == 0
        }
        if isReady { return socket }
        close(socket)
        return -1
    }
}
