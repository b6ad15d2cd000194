/// The names by which a browser may call a server of this machine. A page of another site whose name is made to lead here (DNS
/// rebinding) uses that other name, and is refused.
package struct HostNames: Sendable {
    private let machine: String
    private let added: Set<String>

    /// - Parameters:
    ///   - machine: the machine's own name; empty if it has none.
    ///   - added: further names of this machine that its administrator added.
    package init(machine: String, added: [String]) {
        self.machine = machine.lowercased()
        self.added = Set(added.map { $0.lowercased() })
    }

    /// - Parameters:
    ///   - host: the value of `Host`.
    ///   - address: the address of this end of the connection.
    package func isOurs(_ host: String, address: String?) -> Bool {
        guard let name = Self.name(of: host) else { return false }
        if ["localhost", "127.0.0.1", "::1"].contains(name) { return true }
        if let address, name == address.lowercased() { return true }
        if added.contains(name) { return true }
        return !machine.isEmpty && (name == machine || name == machine + ".local")
    }

    /// The name without its port, in lower case; `nil` for an invalid `Host`.
    private static func name(of host: String) -> String? {
        var name = Substring(host)
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return nil }
            let rest = name[name.index(after: end)...]
            name = name[name.index(after: name.startIndex)..<end]
            return isPort(rest) ? name.lowercased() : nil
        }
        if let colon = name.firstIndex(of: ":") {
            guard isPort(name[colon...]) else { return nil }
            name = name[..<colon]
        }
        return name.isEmpty ? nil : name.lowercased()
    }

    /// Whether a text is empty, or a colon and digits.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.hasPrefix(":") && (1...5).contains(text.dropFirst().utf8.count)
                && text.dropFirst().utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
