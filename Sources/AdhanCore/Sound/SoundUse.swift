/// One place in the configuration that names a sound.
package struct SoundUse: Sendable, Hashable {
    package let prayer: Prayer
    package let isReminder: Bool
    /// As the configuration has it: a name or an absolute path.
    package let sound: String

    /// Everything that `config` may play, prayer by prayer; silence is no sound.
    package static func all(in config: Config) -> [SoundUse] {
        Prayer.allCases.flatMap { prayer in
            let settings = config[prayer]
            let sounds = settings.sound.map { SoundUse(prayer: prayer, isReminder: false, sound: $0) }
            return sounds + [SoundUse(prayer: prayer, isReminder: true, sound: settings.reminderSound)]
        }
        .filter { $0.sound != AdhanSettings.silent }
    }

    /// The configuration's keys that come to these uses: `adhan.sound` where it is every prayer, else `adhan.fajr.sound` and
    /// so on; in the order of the day, none twice.
    package static func keys(of uses: some Sequence<SoundUse>) -> [String] {
        let uses = Set(uses.map { Key(prayer: $0.prayer, isReminder: $0.isReminder) })
        return [false, true].flatMap { isReminder -> [String] in
            let key = isReminder ? "reminder-sound" : "sound"
            let prayers = Prayer.allCases.filter { uses.contains(Key(prayer: $0, isReminder: isReminder)) }
            if prayers.count == Prayer.allCases.count { return ["adhan.\(key)"] }
            return prayers.map { "adhan.\($0.rawValue).\(key)" }
        }
    }

    private struct Key: Hashable {
        let prayer: Prayer
        let isReminder: Bool
    }
}
