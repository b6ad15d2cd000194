import AdhanCore
import Host

/// Which sound cards Linux knows of.
extension Gathering {
    /// The outputs of all sound cards. `/proc/asound/pcm` has lines such as `00-03: HDMI 0 : HDMI 0 : playback 1`: card,
    /// device, names, directions.
    static var hasCards: Bool {
        let table = (try? FileBytes.read("/proc/asound/pcm", limit: 1 << 16)) ?? []
        return String(decoding: table, as: UTF8.self).split(separator: "\n")
            .contains { $0.contains(": playback ") }
    }
}
