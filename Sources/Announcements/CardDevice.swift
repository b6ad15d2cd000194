/// A device of a sound card, as the names `hw:` and `plughw:` have it: `hw:0`, `hw:0,0` and `hw:CARD=Hall,DEV=1`. A card has a number
/// and a name, and which belong together is known only on the machine.
struct CardDevice {
    private(set) var card = "0"
    private(set) var device = "0"
    /// `nil`: any of them.
    private(set) var subdevice: String?

    /// `nil`: another kind of device.
    init?(_ name: String) {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "hw" || parts[0] == "plughw" else { return nil }
        let arguments = parts[1].split(separator: ",", omittingEmptySubsequences: false)
        for (index, argument) in arguments.enumerated() {
            let pair = argument.split(separator: "=", maxSplits: 1).map(String.init)
            // Without a key an argument counts by its place.
            let key = pair.count == 2 ? pair[0] : ["CARD", "DEV", "SUBDEV"].dropFirst(index).first ?? ""
            switch (key, pair.last) {
            case ("CARD", let value?): card = value
            case ("DEV", let value?): device = value
            case ("SUBDEV", let value?): subdevice = value == "-1" ? nil : value
            default: break
            }
        }
    }

    /// Whether one of the two finds what the other one uses busy.
    func isSame(as other: CardDevice) -> Bool {
        card == other.card && device == other.device
            && (subdevice == nil || other.subdevice == nil || subdevice == other.subdevice)
    }
}
