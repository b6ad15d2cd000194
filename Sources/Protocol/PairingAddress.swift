internal import Texts

/// The addresses of the phone page. Its own process sees no network and uses the machine's name; phones that cannot resolve such
/// names need a number.
package struct PairingAddress: Sendable, Equatable {
    /// The addresses with their paths, the most reachable first.
    package let urls: [String]

    /// - Parameters:
    ///   - url: the address as the page's own process states it.
    ///   - numbers: the machine's addresses on its networks.
    ///   - isInHotspot: whether phones are in the box's own network. Only the page there accepts the name of another network.
    package init(_ url: String, numbers: [String], isInHotspot: Bool = false) {
        guard !isInHotspot else {
            urls = [Hotspot.pairingPage]
            return
        }
        let rest = url.dropFirst("http://".count)
        guard url.hasPrefix("http://"), let end = rest.firstIndex(where: { $0 == ":" || $0 == "/" }),
            rest[..<end].hasSuffix(".local")
        else {
            // HTTPS is for one name, and a page on one address alone has no other.
            urls = [url]
            return
        }
        urls = numbers.map { "http://\($0)\(rest[end...])" } + [url]
    }

    /// Makes the text of the QR code.
    package func pairing(_ key: String) -> String { "\(urls[0])#\(key)" }
}
