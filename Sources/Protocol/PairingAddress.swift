internal import Texts

/// The addresses of the phone page. Its own process sees no network and calls the machine by its name; telephones that know
/// no such names want a number.
package struct PairingAddress: Sendable, Equatable {
    /// Each with its path, the likeliest to be reached first.
    package let urls: [String]

    /// - Parameters:
    ///   - url: as the page's own process names it.
    ///   - numbers: of this machine on its networks.
    ///   - isInHotspot: Whether phones are in the box's own network. Its door alone takes the name of another network.
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
