package import Settings
package import Texts

/// The findings about devices and sound files.
public struct SoundFacts: Sendable {
    /// Why no program with adhand's rights could look; the rest is unknown then.
    public var unseen: String?
    /// Why no device was tried: adhand is playing, or about to.
    public var untried: String?
    /// The devices that were tried, in the order in which they would be used.
    public var devices: [Device] = []
    package var holders: [CardHolder] = []
    package var hasCards = true
    /// The files of every sound that the configuration plays.
    public var files: [File] = []

    package init() {}

    /// The length of each prayer's adhan; `nil` where a recording could not be read.
    package func adhanSeconds(_ config: Config) -> (Prayer) -> Double? {
        var lengths: [Prayer: Double] = [:]
        for prayer in Prayer.allCases {
            // The longest of a rotation.
            let wholes = config[prayer].sound.entries.map { sounds in
                var whole = 0.0
                for name in sounds where name != AdhanSettings.silent {
                    let file = files.first {
                        $0.occasion == .adhan && $0.name == name && $0.prayers.contains(prayer)
                    }
                    whole += file?.outcome.seconds ?? .nan
                }
                return whole
            }
            if let longest = wholes.filter({ $0 > 0 }).max() { lengths[prayer] = longest }
        }
        return { lengths[$0] }
    }
}
