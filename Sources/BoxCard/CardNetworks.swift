/// The networks of a card as a configuration of wpa_supplicant. A password goes into that configuration and nowhere else.
package struct CardNetworks: Sendable {
    /// The text for wpa_supplicant.
    package private(set) var configuration = "ctrl_interface=/run/wpa_supplicant\n"

    private struct Network {
        let name: String
        var password: String?
    }

    /// The network of the lines read so far, whose password may still come.
    private var openNetwork: Network?

    init(configuration: String) { self.configuration = configuration }

    /// `wifi.txt`.
    package init(_ text: [UInt8]) throws(CardRefusal) {
        for (index, line) in CardText.lines(text).enumerated() {
            do throws(CardRefusal) {
                try read(line)
            } catch {
                throw CardRefusal(error.lines.map { "line \(index + 1): \($0)" })
            }
        }
        guard openNetwork != nil else { throw CardRefusal("no network is named: network = NAME") }
        finish()
    }

    /// `network-config` of Raspberry Pi Imager.
    package init(_ settings: ImagerSettings) {
        if let country = settings.country { configuration += "country=\(country)\n" }
        for network in settings.wifi {
            configuration += Self.block(network.ssid, network.psk, isHidden: network.hidden)
        }
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>) throws(CardRefusal) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CardRefusal("a letter here is in no UTF-8: save the file with the encoding UTF-8")
        }
        let line = Self.trimmed(text[...])
        if line.isEmpty || line.hasPrefix("#") { return }
        guard let equals = line.firstIndex(of: "=") else {
            throw CardRefusal("is none of network = NAME, password = SECRET, country = GB")
        }
        let key = Self.trimmed(line[..<equals]).lowercased()
        let value = try Self.unquoted(Self.trimmed(line[line.index(after: equals)...]))
        switch key {
        case "country":
            let code = value.uppercased()
            guard code.utf8.count == 2, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
                throw CardRefusal("a country is two letters, such as GB, DE or SA")
            }
            configuration += "country=\(code)\n"
        case "network":
            finish()
            guard (1...32).contains(value.utf8.count) else {
                throw CardRefusal("the name of a network has 1 to 32 bytes")
            }
            openNetwork = Network(name: value)
        case "password":
            guard openNetwork != nil else {
                throw CardRefusal("the line with the network comes before the one with its password")
            }
            guard Self.isPassword(value) else {
                throw CardRefusal(
                    "a password has 8 to 63 characters: letters from A to Z, digits, signs")
            }
            openNetwork?.password = value
        default: throw CardRefusal("only network, password and country are known here")
        }
    }

    static func isPassword(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let isPhrase = (8...63).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7E).contains($0) }
        return isPhrase || isKey(text)
    }

    static func isKey(_ text: String) -> Bool {
        text.utf8.count == 64 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    static func trimmed(_ text: Substring) -> String {
        func isSpace(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace && scalar != "\u{A0}"
        }
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, isSpace(first) { scalars.removeFirst() }
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        return String(scalars)
    }

    /// The value without its quotes and the remark behind them, as in adhand.toml. Without quotes all of the line is the value: a
    /// password may have a "#" in it.
    private static func unquoted(_ value: String) throws(CardRefusal) -> String {
        guard let first = value.unicodeScalars.first else { return value }
        guard !"“”„«‘’".unicodeScalars.contains(first) else {
            throw CardRefusal("this is no quote that is known here: write the straight one, \", or none")
        }
        guard first == "\"" else { return value }
        let inside = value.unicodeScalars.dropFirst()
        /// The value ends at this quote, where behind it there is nothing, or a "#" and a remark.
        func end(at quote: String.UnicodeScalarView.Index, mayQuoteInRemark: Bool) -> String? {
            let rest = trimmed(Substring(inside[inside.index(after: quote)...]))
            guard rest.isEmpty || rest.hasPrefix("#"), mayQuoteInRemark || !rest.contains("\"") else {
                return nil
            }
            return String(String.UnicodeScalarView(inside[..<quote]))
        }
        let quotes = inside.indices.filter { inside[$0] == "\"" }
        let ends = [
            quotes.first.flatMap { end(at: $0, mayQuoteInRemark: true) },
            quotes.last.flatMap { end(at: $0, mayQuoteInRemark: false) },
        ]
        guard let text = ends.compactMap(\.self).first else {
            throw CardRefusal("behind a value in quotes there is nothing, or a \"#\" and a remark")
        }
        return text
    }

    /// The networks of a configuration of wpa_supplicant by name, in their order, whichever version of the box wrote it.
    package static func names(in configuration: [UInt8]) -> [String] {
        CardText.lines(configuration).compactMap { line in
            let text = trimmed(String(decoding: line, as: UTF8.self)[...])
            guard text.hasPrefix("ssid=") else { return nil }
            let value = text.dropFirst(5)
            if value.count > 1, value.first == "\"", value.last == "\"" {
                return String(value.dropFirst().dropLast())
            }
            return name(String(value)[...])
        }
    }

    /// A name in hexadecimal digits as text; other text stays as it is.
    static func name(_ value: Substring) -> String {
        let digits = Array(value.utf8)
        let bytes = stride(from: 0, to: digits.count - digits.count % 2, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
        }
        return bytes.count * 2 == digits.count ? String(decoding: bytes, as: UTF8.self) : String(value)
    }

    static func hexadecimal(_ name: some Sequence<UInt8>) -> String {
        name.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// The network read so far. wifi.txt does not say whether it is hidden, so the box asks for it by name.
    private mutating func finish() {
        guard let network = openNetwork else { return }
        openNetwork = nil
        configuration += Self.block(
            Self.hexadecimal(network.name.utf8), network.password, isHidden: true)
    }

    /// One network. Its name is in hexadecimal digits, so that it may contain any byte.
    static func block(_ ssid: String, _ password: String?, isHidden: Bool) -> String {
        let keys: String
        switch password {
        case nil: keys = "\tkey_mgmt=NONE\n"
        case let key? where isKey(key):
            keys = "\tkey_mgmt=WPA-PSK WPA-PSK-SHA256\n\tieee80211w=1\n\tpsk=\(key)\n"
        case let phrase?:
            keys = "\tkey_mgmt=WPA-PSK WPA-PSK-SHA256 SAE\n\tieee80211w=1\n\tpsk=\"\(phrase)\"\n"
        }
        return "network={\n\tssid=\(ssid)\n" + (isHidden ? "\tscan_ssid=1\n" : "") + keys + "}\n"
    }
}
