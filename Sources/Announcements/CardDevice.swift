/// A device of a sound card, in the names of `hw:` and `plughw:`: `hw:0`, `hw:0,0` and `hw:CARD=Hall,DEV=1`. A card has a number
/// and a name, and only the machine knows which belong together.
struct CardDevice {
    private(set) var card = "0"
    private(set) var device = "0"
    /// The subdevice; `nil`: any of them.
    private(set) var subdevice: String?

    /// Parses a device's name; `nil`: another kind of device.
    init?(_ name: String) {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "hw" || parts[0] == "plughw" else { return nil }
        let arguments = parts[1].split(separator: ",", omittingEmptySubsequences: false)
        for (index, argument) in arguments.enumerated() {
            let pair = argument.split(separator: "=", maxSplits: 1).map(String.init)
            // Without a key an argument is positional.
            let key = pair.count == 2 ? pair[0] : ["CARD", "DEV", "SUBDEV"].dropFirst(index).first ?? ""
            switch (key, pair.last) {
            case ("CARD", let value?): card = value
            case ("DEV", let value?): device = value
            case ("SUBDEV", let value?): subdevice = value == "-1" ? nil : value
            default: break
            }
        }
    }

    /// Whether either device is busy while the other is in use.
    func isSame(as other: CardDevice) -> Bool {
        card == other.card && device == other.device
            && (subdevice == nil || other.subdevice == nil || subdevice == other.subdevice)
    }
}
