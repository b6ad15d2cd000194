internal import Glibc
package import NIOCore

/// Facts and limits of this machine that servers need.
package enum Machine {
    /// The machine's host name; empty if it has none.
    package static let name: String = {
        var buffer = [UInt8](repeating: 0, count: 256)
        let code = unsafe buffer.withUnsafeMutableBytes { raw -> Int32 in
            guard let start = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self) else { return -1 }
            return unsafe gethostname(start, raw.count - 1)
        }
        return code == 0 ? String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self).lowercased() : ""
    }()

    /// Whether an address is this machine's own.
    package static func isNear(_ address: String?) -> Bool {
        guard let address, !address.isEmpty else { return true }
        return address.hasPrefix("127.") || address == "::1"
    }

    /// The address to type in a browser, from the first of these sockets that is on a network.
    package static func address(of channels: [any Channel]) -> String {
        guard let address = channels.compactMap(\.localAddress).first(where: { $0.port != nil }),
            let port = address.port,
            let host = address.ipAddress
        else { return "the socket that was passed" }
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
    }

    /// Raises the limit on descriptors, because many callers need more than a shell usually grants.
    package static func raiseDescriptorLimit(to most: UInt) {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, rlim_t(most)))
        _ = unsafe setrlimit(__rlimit_resource_t(7), &limit)
    }
}
