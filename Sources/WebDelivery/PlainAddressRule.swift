internal import CCurl
internal import Glibc

/// The destinations of unencrypted requests: this machine, private networks, and names of the local network.
enum PlainAddressRule {
    /// Whether the name alone suffices: `.local` names are resolved within the local network, whatever the addresses are.
    static func allows(host: String) -> Bool {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return name.lowercased().hasSuffix(".local")
    }

    /// - Parameter address: 4 or 16 bytes in network byte order.
    static func allows(address: [UInt8]) -> Bool {
        switch address.count {
        case 4:
            switch (address[0], address[1]) {
            case (127, _), (10, _), (172, 16...31), (192, 168), (169, 254): return true
            default: return false
            }
        case 16:
            // An IPv4 address mapped into IPv6.
            if address[..<10].allSatisfy({ $0 == 0 }), address[10] == 0xFF, address[11] == 0xFF {
                return allows(address: Array(address[12...]))
            }
            let isLoopback = address[..<15].allSatisfy { $0 == 0 } && address[15] == 1
            let isUniqueLocal = address[0] & 0xFE == 0xFC
            let isLinkLocal = address[0] == 0xFE && address[1] & 0xC0 == 0x80
            return isLoopback || isUniqueLocal || isLinkLocal
        default: return false
        }
    }

    /// The bytes of an IPv4 or IPv6 address; `nil` for any other kind.
    static func bytes(family: Int32, _ address: UnsafePointer<sockaddr>) -> [UInt8]? {
        switch family {
        case AF_INET:
            unsafe UnsafeRawPointer(address).withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe withUnsafeBytes(of: $0.pointee.sin_addr) { unsafe Array($0) }
            }
        case AF_INET6:
            unsafe UnsafeRawPointer(address).withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe withUnsafeBytes(of: $0.pointee.sin6_addr) { unsafe Array($0) }
            }
        default: nil
        }
    }
}
