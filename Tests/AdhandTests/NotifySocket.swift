import Foundation
import Host

/// A service manager's notification socket.
final class NotifySocket {
    let path: String
    private let descriptor: Int32
    private var received: [String] = []

    init(in directory: URL) throws {
        path = directory.appending(path: "n").path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        let address = try SocketAddress(path)
        guard unsafe address.withPointer({ unsafe bind(descriptor, $0, $1) }) == 0 else {
            throw SocketError.broken(path: path, code: errno)
        }
    }

    deinit { close(descriptor) }

    /// Leaves no room for another message, as long as nobody reads.
    func fill() throws {
        let sender = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        defer { close(sender) }
        let address = try SocketAddress(path)
        var byte: UInt8 = 0
        while unsafe address.withPointer({ unsafe sendto(sender, &byte, 1, 0, $0, $1) }) == 1 {}
    }

    /// Everything told so far, in order.
    var messages: [String] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
            }
            guard count > 0 else { return received }
            received.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
    }
}
