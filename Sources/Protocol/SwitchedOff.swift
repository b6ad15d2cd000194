package import Settings
public import Texts
package import Times

/// A prayer that is switched off or silent, or an announcement beside it without a sound, on any day: Jumu'ah that is
/// off is listed on Saturday, too.
public struct SwitchedOff: Codable, Sendable, Equatable {
    /// Why it is silent.
    public enum How: String, Codable, Sendable, CaseIterable {
        /// `adhanctl disable`
        case command
        /// `enabled = false`
        case configuration
        /// The volume is 0.
        case volume
        /// The sound is "silent".
        case sound
    }

    /// The prayer's name, on any day: `jumua`, too.
    public let prayer: String
    /// The number of one of Friday's congregations, from 1; `null` for all of them.
    @Nullable public var slot: Int?
    /// Why it is silent.
    public let how: How
    /// The part of the prayer that is set up without a sound; omitted for its adhan.
    public var occasion: OccasionDocument.Kind?

    package init(prayer: Prayer, slot: Int? = nil, how: How, occasion: OccasionDocument.Kind? = nil) {
        (self.prayer, self.slot, self.how, self.occasion) = (prayer.rawValue, slot, how, occasion)
    }

    /// Whether it is not called at all, rather than called without a sound.
    public var isOff: Bool { how == .command || how == .configuration }

    /// `Jumu'ah`, `Jumu'ah 2`, `reminders of Asr`, `imsak`
    public var title: String {
        let name = Prayer(rawValue: prayer)?.title ?? prayer
        return switch occasion {
        case .reminder: "reminders of \(name)"
        case .iqama: "iqama of \(name)"
        case .wake: "wake-up before Fajr"
        case .imsak, .takbirat: occasion?.rawValue ?? name
        default: slot.map { "\(name) \($0)" } ?? name
        }
    }

    /// All such prayers and announcements, in the order of the day.
    package static func all(_ config: Config, _ toggles: Toggles) -> [SwitchedOff] {
        prayers(config, toggles) + company(config, toggles)
    }

    private static func prayers(_ config: Config, _ toggles: Toggles) -> [SwitchedOff] {
        Prayer.allCases.flatMap { prayer -> [SwitchedOff] in
            let settings = config[prayer]
            if !toggles.isEnabled(prayer, in: config) {
                return [.init(prayer: prayer, how: settings.enabled ? .command : .configuration)]
            }
            if config.isSilent([.adhan], of: prayer, settings.volumePercent) {
                return [.init(prayer: prayer, how: .volume)]
            }
            if settings.sound.isSilent { return [.init(prayer: prayer, how: .sound)] }
            guard prayer == .jumua else { return [] }
            return config.jumua.slots.enumerated().compactMap { index, slot in
                slot.sound?.isSilent == true
                    ? .init(prayer: .jumua, slot: index + 1, how: .sound) : nil
            }
        }
    }

    /// Announcements of prayers that are called, which are set up but have no sound.
    private static func company(_ config: Config, _ toggles: Toggles) -> [SwitchedOff] {
        let called = Prayer.allCases.filter { toggles.isEnabled($0, in: config) }
        func mute(
            _ occasion: OccasionDocument.Kind, _ prayer: Prayer, _ sounds: [RotatingSound], _ volume: Int,
            _ kinds: [AnnouncedKind]
        ) -> [SwitchedOff] {
            if config.isSilent(kinds, of: occasion == .takbirat ? nil : prayer, volume) {
                return [.init(prayer: prayer, how: .volume, occasion: occasion)]
            }
            return sounds.contains(where: \.isSilent)
                ? [.init(prayer: prayer, how: .sound, occasion: occasion)] : []
        }
        var all: [SwitchedOff] = []
        for prayer in called where !config[prayer].reminderSeconds.isEmpty {
            let volume = config[prayer].volumePercent
            // Where its adhan is silent as well, one entry suffices.
            guard !config.isSilent([.adhan], of: prayer, volume) else { continue }
            all += mute(.reminder, prayer, [config[prayer].reminderSound], volume, [.reminder])
        }
        let iqama = config.iqamaAnnouncement
        let isIqamaHeard = !iqama.sound.isSilent
        // A silent iqama is only displayed, which is usual; one with reminders or a sound was meant to be heard.
        for prayer in called
        where config.iqama.rules[prayer] != nil && (isIqamaHeard || !iqama.reminderSeconds.isEmpty) {
            all += mute(
                .iqama, prayer, iqama.reminderSeconds.isEmpty ? [] : [iqama.reminderSound],
                iqama.volumePercent, iqama.reminderSeconds.isEmpty ? [.iqama] : [.iqama, .reminder])
        }
        let ramadan = config.ramadan
        if called.contains(.fajr) {
            if !ramadan.wake.isEmpty {
                all += mute(.wake, .fajr, [ramadan.wakeSound], ramadan.volumePercent, [.wake])
            }
            if ramadan.imsak != nil {
                all += mute(.imsak, .fajr, [ramadan.imsakSound], ramadan.volumePercent, [.imsak])
            }
        }
        if !config.eid.takbiratSound.isEmpty {
            all += mute(
                .takbirat, .maghrib, [config.eid.takbiratSound], config.eid.volumePercent, [.takbirat])
        }
        return all
    }
}

extension Config {
    /// Whether a volume is 0 and no output overrides it. Outputs that silence a volume above 0 are not considered: those that
    /// play nothing are reported separately.
    fileprivate func isSilent(_ kinds: [AnnouncedKind], of prayer: Prayer?, _ volumePercent: Int) -> Bool {
        guard volumePercent == 0 else { return false }
        return !kinds.contains { kind in
            allOutputs.contains { $0.plays(kind, of: prayer) && $0.volumePercent(0, of: prayer) > 0 }
        }
    }
}
