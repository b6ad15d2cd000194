/// An address of IPv4 or IPv6, as bytes. An IPv4 address in the form `::ffff:192.0.2.1` equals the plain IPv4 address.
package struct NetworkAddress: Sendable, Hashable {
    package let bytes: [UInt8]

    /// Makes an address; `nil` for anything but 4 or 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let isMapped =
            bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
        self.bytes = isMapped ? Array(bytes[12...]) : bytes
    }

    /// `192.0.2.1`, `fd00::1`; without a port, brackets or a zone. `nil` for anything else.
    package init?(_ text: some StringProtocol) {
        guard let bytes = text.contains(":") ? Self.six(text) : Self.four(text) else { return nil }
        self.init(bytes)
    }

    package static let localhost = [
        NetworkAddress("127.0.0.1"), NetworkAddress("::1"),
    ].compactMap { $0 }

    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Whether the address is private (RFC 1918), link-local or a unique local address of IPv6.
    package var isOfANeighbour: Bool {
        if bytes.count == 4 {
            switch (bytes[0], bytes[1]) {
            case (10, _), (172, 16...31), (192, 168), (169, 254): return true
            default: return false
            }
        }
        return bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// Whether both addresses are in one /64 of IPv6.
    package func sharesPrefix(with other: NetworkAddress) -> Bool {
        bytes.count == 16 && other.bytes.count == 16 && bytes[..<8] == other.bytes[..<8]
    }

    private static func four(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { part -> UInt8? in
            guard let byte = UInt8(part), String(byte) == part else { return nil }
            return byte
        }
        return bytes.count == 4 ? bytes : nil
    }

    private static func six(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count <= 45 else { return nil }
        let halves = String(text).components(at: "::")
        guard halves.count <= 2 else { return nil }
        let parsed = halves.map(groups)
        guard let head = parsed[0], let tail = parsed.last ?? nil else { return nil }
        guard halves.count == 2 else { return head.count == 16 ? head : nil }
        let missing = 16 - head.count - tail.count
        return missing >= 2 ? head + [UInt8](repeating: 0, count: missing) + tail : nil
    }

    private static func groups(_ text: String) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains("."), let last = four(part) {
                bytes += last
            } else if (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexDigit),
                let group = UInt16(part, radix: 16)
            {
                bytes += [UInt8(group >> 8), UInt8(group & 255)]
            } else {
                return nil
            }
        }
        return bytes
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

extension String {
    /// The parts between all occurrences of a separator, including empty parts.
    fileprivate func components(at separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
