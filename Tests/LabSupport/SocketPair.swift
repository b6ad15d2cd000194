import Glibc

/// Two connected ends, closed with their owner.
package final class SocketPair {
    package let own: Int32
    package let other: Int32

    package init() {
        var ends: [Int32] = [0, 0]
        unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        (own, other) = (ends[0], ends[1])
    }

    deinit {
        close(own)
        close(other)
    }

    /// Sends the text from the other end.
    /// - Parameter ends: whether nothing comes after it.
    package func transmit(_ text: String, ends: Bool = false) {
        let bytes = Array(text.utf8)
        unsafe bytes.withUnsafeBytes { _ = unsafe send(other, $0.baseAddress, $0.count, 0) }
        if ends { shutdown(other, Int32(SHUT_WR)) }
    }
}
