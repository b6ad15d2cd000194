internal import Glibc

/// The addresses by which other machines reach this one.
package enum NetworkAddresses {
    /// IPv4 addresses of the interfaces that are up, without the loopback's, in the system's order.
    package static var all: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var found: [String] = []
        var next = unsafe first
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            guard let address = unsafe entry.pointee.ifa_addr,
                unsafe address.pointee.sa_family == sa_family_t(AF_INET),
                unsafe entry.pointee.ifa_flags & UInt32(IFF_UP) != 0,
                unsafe entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            let bytes = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
            }
            found.append([24, 16, 8, 0].map { String(bytes >> $0 & 0xFF) }.joined(separator: "."))
        }
        return found
    }
}
