import Texts

/// The names and addresses by which this server may be called.
package struct ServerNames: Sendable, Equatable {
    /// The host's name, lower case, without a domain; empty if it has none.
    package var own: String
    package var addresses: [NetworkAddress]
    package var port: Int
    /// `[network] names`, lower case.
    package var added: [String]
    /// Whether a proxy on this machine provides HTTPS for the added names.
    package var proxy: Bool

    package init(
        own: String, addresses: [NetworkAddress], port: Int = PhonePage.port, added: [String] = [],
        proxy: Bool = false
    ) {
        self.own = own.lowercased()
        self.addresses = addresses
        self.port = port
        self.added = added.map { $0.lowercased() }
        self.proxy = proxy
    }

    enum Match { case own, added }

    /// - Parameter host: the value of `Host` with the port.
    func match(_ host: String) -> Match? {
        guard host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let host = host.lowercased()
        if added.contains(host) || added.contains(where: { host == "\($0):\(port)" }) { return .added }
        // Browsers omit only the default port of HTTP.
        let suffix = port == 80 ? "" : ":\(port)"
        guard host.hasSuffix(suffix) else { return nil }
        let name = host.dropLast(suffix.utf8.count)
        if name == "localhost" { return .own }
        if !own.isEmpty, name == own || name == own + ".local" { return .own }
        let all = addresses + NetworkAddress.localhost
        if name.hasPrefix("["), name.hasSuffix("]"), let six = NetworkAddress(name.dropFirst().dropLast()) {
            return six.bytes.count == 16 && all.contains(six) ? .own : nil
        }
        guard let four = NetworkAddress(name), four.bytes.count == 4 else { return nil }
        return all.contains(four) ? .own : nil
    }

    /// The origins from which forms for this `Host` are accepted.
    func origins(of host: String, _ match: Match, throughProxy: Bool) -> [String] {
        let host = host.lowercased()
        return ["http://" + host] + (match == .added && throughProxy ? ["https://" + host] : [])
    }
}
