/// The box's own network. Its socket units and box/lib/hotspot.network have the same address.
package enum Hotspot {
    package static let address = "10.77.77.1"
    package static let addressBytes: [UInt8] = [10, 77, 77, 1]
    /// The page to which a phone's connectivity check is redirected.
    package static let setUpPage = "http://\(address)/r/setup"
    /// The page on which a code is typed.
    package static let pairingPage = "http://\(address)/r/pair"

    /// The refusal on any other machine; the program adds the remedy.
    package static let noBox = "this is no flashed box, so it makes no network of its own"

    /// The name of the network. The host name is unsuitable: it may be longer than the 32 bytes of a network's name, and two
    /// cards from one profile of Raspberry Pi Imager have the same.
    /// - Parameter machine: machine-id(5); `nil` where there is none.
    package static func name(machine: String?) -> String {
        let digits = (machine ?? "").prefix(6).lowercased()
        let isKnown = digits.utf8.count == 6 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        return isKnown ? "adhan-\(digits)" : "adhan-box"
    }
}
