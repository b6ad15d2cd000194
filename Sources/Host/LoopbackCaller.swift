internal import CLinux
internal import Glibc

/// The user of the program at the other end of a TCP connection within this machine. The connection itself does not reveal it,
/// but the kernel knows the socket at the other end (sock_diag(7)).
package enum LoopbackCaller {
    /// - Parameter connection: a connection accepted from 127.0.0.0/8.
    /// - Returns: `nil` when that end is no longer connected, is not a socket of this machine, or the kernel does not report it.
    package static func user(of connection: Int32) -> UInt32? {
        guard let own = unsafe name(connection, getsockname),
            let peer = unsafe name(connection, getpeername)
        else {
            return nil
        }
        let raw = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | O_CLOEXEC | O_NONBLOCK, netlinkSockDiag)
        guard raw >= 0 else { return nil }
        let descriptor = OwnedDescriptor(raw)
        let question = question(from: peer, to: own)
        let sent = unsafe question.withUnsafeBytes {
            unsafe send(descriptor.raw, $0.baseAddress, $0.count, 0)
        }
        guard sent == question.count else { return nil }
        var answer = [UInt8](repeating: 0, count: 1024)
        // The kernel has answered when send returns.
        let count = unsafe answer.withUnsafeMutableBytes {
            unsafe recv(descriptor.raw, $0.baseAddress, $0.count, 0)
        }
        return count > 0 ? user(in: Array(answer[..<count])) : nil
    }

    // linux/netlink.h, linux/sock_diag.h, linux/inet_diag.h; their layout is part of the kernel's interface.
    private static let netlinkSockDiag: Int32 = 4
    private static let sockDiagByFamily: UInt16 = 20
    private static let established: UInt8 = 1
    private static let headerSize = 16
    /// Offsets in struct inet_diag_msg.
    private static let stateAt = 1
    private static let userAt = 64

    /// The request about one socket, from its own point of view.
    static func question(from own: sockaddr_in, to other: sockaddr_in) -> [UInt8] {
        func bytes<T>(_ value: T) -> [UInt8] { unsafe withUnsafeBytes(of: value) { unsafe Array($0) } }
        let padding = [UInt8](repeating: 0, count: 12)
        var body: [UInt8] = [UInt8(AF_INET), UInt8(IPPROTO_TCP), 0, 0]
        body += bytes(UInt32.max)
        // Ports and addresses are in network byte order.
        body += bytes(own.sin_port) + bytes(other.sin_port)
        body += bytes(own.sin_addr.s_addr) + padding + bytes(other.sin_addr.s_addr) + padding
        // Any interface; no cookie.
        body += bytes(UInt32(0)) + bytes(UInt32.max) + bytes(UInt32.max)
        let request: UInt16 = 1
        return bytes(UInt32(headerSize + body.count)) + bytes(sockDiagByFamily) + bytes(request)
            + bytes(UInt32(1)) + bytes(UInt32(0)) + body
    }

    /// The user in the kernel's answer, if the socket is connected.
    static func user(in answer: [UInt8]) -> UInt32? {
        func number(at index: Int, _ size: Int) -> UInt32 {
            answer[index..<index + size].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        guard answer.count >= headerSize + userAt + 4 else { return nil }
        #if _endian(little)
            let type = number(at: 4, 2)
            let user = number(at: headerSize + userAt, 4)
        #else
            #error("the kernel's answer is read for little-endian machines")
        #endif
        // A socket that its program has closed has no owner, and the kernel reports root.
        guard type == UInt32(sockDiagByFamily), answer[headerSize + stateAt] == established else {
            return nil
        }
        return user
    }

    private static func name(
        _ descriptor: Int32,
        _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> sockaddr_in? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe ask(descriptor, $0, &size)
            }
        }
        return result == 0 && address.sin_family == sa_family_t(AF_INET) ? address : nil
    }
}
