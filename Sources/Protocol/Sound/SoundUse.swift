package import Settings
public import Texts

/// One place in the configuration that names a sound.
public struct SoundUse: Sendable, Hashable {
    /// The occasion for which a sound is played.
    public enum Purpose: String, CaseIterable, Codable, Sendable {
        case adhan
        /// The adhan of one of Friday's congregations.
        case slot
        case reminder, iqama
        case iqamaReminder = "iqama-reminder"
        case khutba, wake, imsak, iftar, takbirat, call

        /// The key that names it, or the prayer's own key if there is one.
        func key(_ prayer: String?) -> String {
            let adhan = prayer.map { "adhan.\($0)" } ?? "adhan"
            return switch self {
            case .adhan: adhan + ".sound"
            case .reminder: adhan + ".reminder-sound"
            case .slot: "jumua.slot.sound"
            case .iqama: "iqama.sound"
            case .iqamaReminder: "iqama.reminder-sound"
            case .khutba: "jumua.khutba-sound"
            case .wake: "ramadan.wake-sound"
            case .imsak: "ramadan.imsak-sound"
            case .iftar: "ramadan.iftar-sound"
            case .takbirat: "eid.takbirat-sound"
            case .call: "call.sound"
            }
        }

        /// Whether every prayer may have its own sound.
        public var isByPrayer: Bool { self == .adhan || self == .reminder }
    }

    /// The prayer at which it is played; a placeholder where the occasion belongs to no prayer.
    public let prayer: Prayer
    /// The occasion for which it is played.
    public let occasion: Purpose
    /// The sound as configured: a name or an absolute path.
    public let sound: String

    package init(prayer: Prayer, occasion: Purpose, sound: String) {
        self.prayer = prayer
        self.occasion = occasion
        self.sound = sound
    }

    /// All sounds that `config` may play, prayer by prayer, without silence.
    package static func all(in config: Config) -> [SoundUse] {
        var uses: [SoundUse] = []
        func add(_ occasion: Purpose, _ prayer: Prayer, _ sound: RotatingSound) {
            uses += sound.all.filter { $0 != AdhanSettings.silent }.map {
                SoundUse(prayer: prayer, occasion: occasion, sound: $0)
            }
        }
        for prayer in Prayer.allCases {
            add(.adhan, prayer, config[prayer].sound)
            add(.reminder, prayer, config[prayer].reminderSound)
            add(.iqama, prayer, config.iqamaAnnouncement.sound)
            if !config.iqamaAnnouncement.reminderSeconds.isEmpty {
                add(.iqamaReminder, prayer, config.iqamaAnnouncement.reminderSound)
            }
        }
        for slot in config.jumua.slots { add(.slot, .jumua, slot.sound ?? []) }
        add(.khutba, .jumua, config.jumua.khutbaSound)
        if !config.ramadan.wake.isEmpty { add(.wake, .fajr, config.ramadan.wakeSound) }
        if config.ramadan.imsak != nil { add(.imsak, .fajr, config.ramadan.imsakSound) }
        add(.iftar, .maghrib, config.ramadan.iftarSound)
        add(.takbirat, .maghrib, config.eid.takbiratSound)
        for call in config.calls where call.enabled { add(.call, .dhuhr, call.sound) }
        return uses
    }

    /// Whether it can be played: its prayer is switched on, and a reminder has a time.
    package func isPlayed(by config: Config) -> Bool {
        switch occasion {
        case .takbirat, .call: true
        case .reminder: config[prayer].enabled && !config[prayer].reminderSeconds.isEmpty
        default: config[prayer].enabled
        }
    }

    /// The configuration's keys for these uses: `adhan.sound` if every prayer uses it, otherwise `adhan.fajr.sound` and so on; in
    /// the order of the day, each once.
    public static func keys(of uses: some Sequence<SoundUse>) -> [String] {
        let all = Array(uses)
        return Purpose.allCases.flatMap { occasion -> [String] in
            let prayers = Prayer.allCases.filter { prayer in
                all.contains { $0.occasion == occasion && $0.prayer == prayer }
            }
            guard !prayers.isEmpty else { return [] }
            guard occasion.isByPrayer, prayers.count < Prayer.allCases.count else {
                return [occasion.key(nil)]
            }
            return prayers.map { occasion.key($0.rawValue) }
        }
    }
}
