/// The ways into a network, by the flags of `wpa_cli scan_results`, such as `[WPA2-PSK+SAE-CCMP][ESS]`.
struct NetworkSecurity: Sendable, Equatable {
    /// Neither WPA nor WEP.
    private(set) var isOpen = true
    /// WPA2 and WPA with a password, or with the key that is derived from it.
    private(set) var acceptsPassword = false
    /// Encrypted and without a password (OWE), which the box cannot join.
    private var acceptsNoPassword = false

    /// Whether there is a password to be typed. That of a company's network counts, and so does WEP.
    var needsPassword: Bool { !isOpen && !acceptsNoPassword }

    init(flags: Substring) {
        for flag in flags.split(whereSeparator: { "[]".contains($0) }) {
            if flag == "WEP" { isOpen = false }
            let version = ["WPA2-", "WPA-", "RSN-"].first { flag.hasPrefix($0) }
            guard let version else { continue }
            isOpen = false
            // The last one has the ciphers behind it: "PSK+SAE-CCMP". Roaming ("FT/PSK") is nothing that the box does.
            let kinds = flag.dropFirst(version.count).split(separator: "+")
            acceptsPassword = acceptsPassword || kinds.contains { $0 == "PSK" || $0.hasPrefix("PSK-") }
            acceptsNoPassword = acceptsNoPassword || kinds.contains { $0 == "OWE" || $0.hasPrefix("OWE-") }
        }
    }

    /// Whether every radio gets in with it. WPA3 is left out, as some radios of boxes cannot do it.
    func admits(_ secret: NetworkSecret) -> Bool { secret == .open ? isOpen : acceptsPassword }
}

/// The kind of a password that was typed; the password itself is nowhere kept.
package enum NetworkSecret: String, Codable, Sendable {
    case open
    /// 64 hexadecimal digits, which WPA3 cannot use.
    case key
    case phrase

    package init(_ password: String?) {
        switch password {
        case nil: self = .open
        case let key? where CardNetworks.isKey(key): self = .key
        default: self = .phrase
        }
    }
}

/// A network that a phone named, as it was typed.
package struct AskedNetwork: Codable, Sendable, Equatable {
    package let name: String
    package let country: String?
    package let secret: NetworkSecret

    package init(name: String, country: String?, secret: NetworkSecret) {
        (self.name, self.country, self.secret) = (name, country, secret)
    }
}
