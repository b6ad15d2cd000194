/// The parts of a web address that determine whether a request to it is allowed.
public struct WebAddress: Sendable, Equatable {
    public let isEncrypted: Bool
    public let host: String

    /// Returns `nil` for anything but an http:// or https:// address with a host.
    public init?(_ url: String) {
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        let lower = url.prefix(8).lowercased()
        if lower.hasPrefix("https://") {
            isEncrypted = true
        } else if lower.hasPrefix("http://") {
            isEncrypted = false
        } else {
            return nil
        }
        let authority = url.dropFirst(isEncrypted ? 8 : 7).prefix { !"/?#\\".contains($0) }
        // Refuse credentials in the address, because they can disguise the host; secrets belong in a header.
        guard !authority.contains("@") else { return nil }
        let host =
            authority.hasPrefix("[")
            ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
    }
}
