import PrayerEngine
package import Settings
package import Texts

/// A mosque's own times, beside the computed ones: its rules, its timetable, and its exceptions.
package struct MosqueTimes: Sendable, Equatable {
    package var table = PublishedTimetable()
    package var exceptions = DayExceptions()
    package var missing = MissingDays.compute
    package var iqama = IqamaSettings()
    package var jumua = JumuaSettings()
    package var ramadan = RamadanSettings()
    package var eid = EidSettings()
    /// Seconds before its congregation at which an adhan is called.
    package var beforeIqamaSeconds: [Prayer: Double] = [:]
    /// Prayers that are switched off. They have times, and are shown with a mark.
    package var off: Set<Prayer> = []
    /// Prayers of single days that are skipped, and are also shown with a mark.
    package var skips = PrayerSkips()

    package init() {}

    /// The rules of a configuration.
    package init(_ config: Config, table: PublishedTimetable = PublishedTimetable()) {
        self.table = table
        missing = config.missing
        iqama = config.iqama
        jumua = config.jumua
        ramadan = config.ramadan
        eid = config.eid
        for prayer in Prayer.allCases {
            if let seconds = config[prayer].beforeIqamaSeconds { beforeIqamaSeconds[prayer] = seconds }
            if !config[prayer].enabled { off.insert(prayer) }
        }
    }

    /// Whether everything is as computed.
    package var isPlain: Bool {
        table.isEmpty && exceptions.isEmpty && iqama.isEmpty && jumua.slots.isEmpty && ramadan.isPlain
            && eid.isPlain
    }

    /// Whether some congregation is set once a week: its day depends on the surrounding days.
    var isWeekly: Bool { iqama.rules.values.contains { $0.weekly != nil } }
}

extension RamadanSettings {
    var isPlain: Bool {
        wake.isEmpty && imsak == nil && iftarSound.isEmpty && isha == nil && tarawih == nil && qiyam == nil
    }
}

extension EidSettings {
    var isPlain: Bool { prayerMinutes.isEmpty && takbiratSound.isEmpty }
}
