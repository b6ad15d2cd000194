/// The box's own network. Its units and box/hotspot.sh have the same address.
package enum Hotspot {
    package static let address = "10.77.77.1"
    package static let addressBytes: [UInt8] = [10, 77, 77, 1]
    /// The page to which a phone's question for the internet leads.
    package static let setUpPage = "http://\(address)/r/setup"
    /// The page on which a code is typed there.
    package static let pairingPage = "http://\(address)/r/pair"
}
