/// The address of a broker: `mqtt://HOST[:PORT]` or `mqtts://HOST[:PORT]`.
package struct BrokerAddress: Sendable, Equatable {
    package let host: String
    package let port: Int
    /// Whether the connection uses TLS.
    package let isSecure: Bool

    package init?(_ text: String) {
        guard let (scheme, rest) = AddressText.scheme(of: text), scheme == "mqtt" || scheme == "mqtts",
            let (host, port) = AddressText.hostAndPort(rest)
        else { return nil }
        isSecure = scheme == "mqtts"
        self.host = host
        self.port = port ?? (isSecure ? 8883 : 1883)
    }

    /// Whether it is an address within this machine.
    package var isLoopback: Bool {
        ["localhost", "::1", "[::1]"].contains(host.lowercased()) || host.hasPrefix("127.")
    }
}

/// The address for a message or a heartbeat: `https://` anywhere; `http://` only within a trusted network.
package struct DeliveryAddress: Sendable, Equatable {
    package let text: String
    package let host: String

    package struct AddressError: Error, Sendable, Equatable {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// Reads an address as a person types it: without `https://`, as apps display it.
    /// - Returns: the address, or the error.
    package static func typed(_ text: String) -> Result<DeliveryAddress, AddressError> {
        let text = text.trimming { $0.isWhitespace || $0 == "\"" || $0 == "'" || $0 == "<" || $0 == ">" }
        if !text.contains("://"), text.contains("."), case .success(let address) = read("https://" + text) {
            return .success(address)
        }
        return read(text)
    }

    /// - Returns: the address, or the error.
    package static func read(_ text: String) -> Result<DeliveryAddress, AddressError> {
        func refuse(_ reason: String) -> Result<DeliveryAddress, AddressError> {
            .failure(AddressError(reason: reason))
        }
        guard text.utf8.count <= 2000, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return refuse("an address has no spaces and no letters but those of ASCII")
        }
        guard let (scheme, rest) = AddressText.scheme(of: text), scheme == "https" || scheme == "http" else {
            return refuse(
                text.contains("@")
                    ? "it is an e-mail address, and an address that begins with https:// is needed"
                    : "it does not begin with https://")
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else {
            return refuse(
                "a password in it would be readable; put the whole address into a file and name that by url-file"
            )
        }
        guard let (host, _) = AddressText.hostAndPort(String(authority)) else {
            return refuse("it has no host")
        }
        if scheme == "http", !isNear(host) {
            return refuse("without https it is readable on its way; http:// is for this network alone")
        }
        return .success(DeliveryAddress(text: text, host: host))
    }

    /// Whether it is ntfy's front page, which delivers to nobody.
    package var isFrontPage: Bool {
        host.lowercased() == "ntfy.sh" && text.split(separator: "/").count <= 2
    }

    package static let noTopic =
        "behind ntfy.sh stands the name that the phone is subscribed to: ntfy.sh/NAME"

    /// Returns the address with something after its path: `/fail`.
    package func appending(_ path: String) -> String {
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        var base = String(text[..<end])
        while base.hasSuffix("/") { base.removeLast() }
        return base + path + text[end...]
    }

    /// Whether a host is a loopback or private address, or a name of the home network.
    package static func isNear(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".local") || host.hasSuffix(".localhost") { return true }
        if host == "::1" { return true }
        // fc00::/7 and fe80::/10.
        if host.contains(":") {
            return host.hasPrefix("fc") || host.hasPrefix("fd")
                || ["fe8", "fe9", "fea", "feb"].contains { host.hasPrefix($0) }
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 4, let first = parts[0], let second = parts[1], parts.allSatisfy({ $0 != nil })
        else {
            return false
        }
        return first == 127 || first == 10 || first == 172 && (16...31).contains(second)
            || first == 192 && second == 168 || first == 169 && second == 254
    }
}

/// An address within this machine: `127.0.0.1:9464` or `[::1]:9464`.
package struct LoopbackAddress: Sendable, Equatable {
    package let host: String
    package let port: Int

    package init?(_ text: String) {
        guard let (host, port) = AddressText.hostAndPort(text), let port else { return nil }
        guard host == "::1" || host.hasPrefix("127.") && DeliveryAddress.isNear(host) else { return nil }
        (self.host, self.port) = (host, port)
    }
}

/// Addresses as people write them: schemes, hosts and ports.
package enum AddressText {
    package static func scheme(of text: String) -> (scheme: String, rest: String)? {
        guard let range = text.firstRange(of: "://") else { return nil }
        return (text[..<range.lowerBound].lowercased(), String(text[range.upperBound...]))
    }

    /// Parses `host`, `host:port`, `[address]`, `[address]:port`.
    package static func hostAndPort(_ text: String) -> (host: String, port: Int?)? {
        var host = text
        var port: Int?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = String(text[text.index(after: text.startIndex)..<end])
            let rest = text[text.index(after: end)...]
            if !rest.isEmpty {
                guard rest.hasPrefix(":"), let number = number(rest.dropFirst()) else { return nil }
                port = number
            }
            let isAddress = host.contains(":") && host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
            return isAddress ? (host, port) : nil
        }
        if let colon = text.lastIndex(of: ":") {
            guard let number = number(text[text.index(after: colon)...]) else { return nil }
            (host, port) = (String(text[..<colon]), number)
        }
        let isName = isHostName(host, more: "_") && !host.hasPrefix("-") && !host.hasPrefix(".")
        return isName ? (host, port) : nil
    }

    /// Whether a text consists of letters, digits, hyphens and dots, within DNS limits.
    /// - Parameter more: a further character that is allowed.
    package static func isHostName(_ text: String, more: Unicode.Scalar? = nil) -> Bool {
        let isWritten = text.unicodeScalars.allSatisfy { sign in
            switch sign {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".": true
            default: sign == more
            }
        }
        return isWritten && (1...253).contains(text.utf8.count)
    }

    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.count <= 5, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text)
        else {
            return nil
        }
        return (1...65_535).contains(number) ? number : nil
    }
}

/// A topic at ntfy that cannot be guessed: anybody who knows it can read along.
package struct NtfyTopic: Sendable, Equatable {
    package let name: String

    package init(name: String) { self.name = name }

    /// Makes a topic of 60 bits, without letters and digits that look alike.
    package static func new() -> NtfyTopic {
        let letters = Array("abcdefghjkmnpqrstuvwxyz023456789")
        var generator = SystemRandomNumberGenerator()
        return NtfyTopic(
            name: "adhan-"
                + String((0..<12).map { _ in letters[Int(generator.next(upperBound: UInt(letters.count)))] }))
    }

    package var address: String { "https://ntfy.sh/\(name)" }
}
