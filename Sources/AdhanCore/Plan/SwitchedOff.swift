/// A prayer that somebody switched off or made silent, whatever the day: Jumu'ah must not be forgotten from Saturday on.
package struct SwitchedOff: Codable, Sendable, Equatable {
    package enum How: String, Codable, Sendable {
        /// `adhanctl disable`
        case command
        /// `enabled = false`
        case configuration
        /// The volume is 0.
        case volume
        /// The sound is "silent".
        case sound
    }

    package let prayer: String
    /// Which of Friday's congregations, from 1; `null` where all are meant.
    @Nullable package var slot: Int?
    package let how: How

    package init(prayer: Prayer, slot: Int? = nil, how: How) {
        (self.prayer, self.slot, self.how) = (prayer.rawValue, slot, how)
    }

    /// Whether it is not called, rather than called without a sound.
    package var isOff: Bool { how == .command || how == .configuration }

    /// `Jumu'ah`, `Jumu'ah 2`
    package var title: String {
        let name = Prayer(rawValue: prayer)?.title ?? prayer
        return slot.map { "\(name) \($0)" } ?? name
    }

    /// All of them, in the order of the day.
    package static func all(_ config: Config, _ toggles: Toggles) -> [SwitchedOff] {
        Prayer.allCases.flatMap { prayer -> [SwitchedOff] in
            let settings = config[prayer]
            if !toggles.isEnabled(prayer, in: config) {
                return [.init(prayer: prayer, how: settings.enabled ? .command : .configuration)]
            }
            if settings.volume == 0 { return [.init(prayer: prayer, how: .volume)] }
            if settings.sound == [AdhanSettings.silent] { return [.init(prayer: prayer, how: .sound)] }
            guard prayer == .jumua else { return [] }
            return config.jumua.slots.enumerated().compactMap { index, slot in
                slot.sound == [AdhanSettings.silent]
                    ? .init(prayer: .jumua, slot: index + 1, how: .sound) : nil
            }
        }
    }
}
