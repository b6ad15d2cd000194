package import Texts

/// The network of a flashed box, as in `/run/adhan-box/network.json` and `/r/network.json`.
package struct NetworkDocument: Codable, Sendable, Equatable {
    package enum State: String, Codable, CaseIterable, Sendable { case hotspot, joining, joined }

    /// Why the box has returned to its own network.
    package enum Failure: String, Codable, CaseIterable, Sendable {
        case wrongPassword = "wrong-password"
        /// It is out of reach, or only on 5 GHz.
        case notFound = "not-found"
        /// It uses only WPA3, or company authentication.
        case refused
        /// It was joined, but assigned no address.
        case noAddress = "no-address"
    }

    /// A network seen before the hotspot came up: one radio cannot scan and serve at once.
    package struct Network: Codable, Sendable, Equatable {
        package let ssid: String
        /// The signal in dBm.
        package let signal: Int
        package let secured: Bool

        package init(ssid: String, signal: Int, secured: Bool) {
            (self.ssid, self.signal, self.secured) = (ssid, signal, secured)
        }
    }

    package var state: State
    @Nullable package var last: Failure?
    package var networks: [Network]
    /// The network that was tried last, as typed.
    package var name: String?
    /// The country that was typed with it, otherwise that of the box.
    package var country: String?
    /// `true` where the known network comes from Raspberry Pi Imager, with a key that WPA3 does not accept; otherwise `nil`.
    package var hasDerivedKey: Bool?

    package init(state: State, last: Failure? = nil, networks: [Network] = []) {
        (self.state, self.last, self.networks) = (state, last, networks)
    }
}

/// A network that a phone selects, as one line of JSON on `/run/adhan-box/join.sock`.
package struct JoinRequest: Codable, Sendable, Equatable {
    package static let longest = 1024

    package let ssid: String
    /// The password; `nil` for an open network.
    @Nullable package var password: String?
    package let hidden: Bool
    /// The country, in two capital letters.
    @Nullable package var country: String?

    /// Makes the request; `nil` where a field is not valid for a network.
    package init?(ssid: String, password: String?, hidden: Bool, country: String?) {
        (self.ssid, self.password, self.hidden, self.country) = (ssid, password, hidden, country)
        guard isPossible else { return nil }
    }

    /// The invalid field; `nil` where all are valid.
    package static func wrongField(ssid: String, password: String?, country: String?) -> String? {
        func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
        guard (1...32).contains(ssid.utf8.count), isPlain(ssid) else { return "ssid" }
        if let password {
            let bytes = Array(password.utf8)
            let isPhrase = (8...63).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7E).contains($0) }
            let isKey = bytes.count == 64 && password.allSatisfy { $0.isASCII && $0.isHexDigit }
            guard isPhrase || isKey else { return "password" }
        }
        if let country {
            guard country.utf8.count == 2, country.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
                return "country"
            }
        }
        return nil
    }

    package var isPossible: Bool { Self.wrongField(ssid: ssid, password: password, country: country) == nil }
}
