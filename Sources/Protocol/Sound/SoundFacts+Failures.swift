import Texts

extension SoundFacts.Device {
    /// The problem of each device, in sentences.
    public static func failures(_ devices: ArraySlice<SoundFacts.Device>) -> String {
        devices.map { device in
            switch device.outcome {
            case .opens: "\"\(device.name)\" opens."
            case .fails(let reason, _, needsServer: true):
                "\(PlainText.sentence(reason).dropLast()): the name leads to a sound server, which is another user's or does not run; name "
                    + "the sound card itself."
            case .fails(let reason, _, _): PlainText.sentence(reason)
            case .hangs: "Opening \"\(device.name)\" takes longer than it may: is a sound server stuck?"
            case .untried(let reason): "\"\(device.name)\" was not tried: \(reason)."
            }
        }.joined(separator: " ")
    }
}
