package import PrayerEngine

/// One thing that is to be heard at one instant: a prayer's adhan, a reminder before it, or something asked for by hand.
package struct Announcement: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case adhan
        case reminder(before: Double)
        /// `debug trigger`: a pretended prayer that takes the whole path.
        case pretended
        /// `test-play` and `sound play`: heard at once, whatever the plan says.
        case test
    }

    /// What is acted on at most once, whatever the clock does: `fajr_20261120`, `reminder-10m_fajr_20261120`.
    package let id: String
    package let kind: Kind
    package let prayer: Prayer
    package let at: Instant
    /// Sound names in the order in which they are heard; `["silent"]` makes none.
    package let sounds: [String]
    /// Percent of perceived loudness.
    package let volume: Int
    /// Seconds.
    package let fadeIn: Double
    /// Seconds after ``at`` within which it may still be called.
    package let lateGrace: Double

    package var isSilent: Bool { sounds.allSatisfy { $0 == AdhanSettings.silent } }

    /// `Fajr`, `reminder 10m before Fajr`, `Fajr (pretended)`, `test of Fajr`: what a person reads.
    package var title: String {
        switch kind {
        case .adhan: prayer.title
        case .reminder(let before): "reminder \(DurationText.format(before)) before \(prayer.title)"
        case .pretended: "\(prayer.title) (pretended)"
        case .test: "test of \(prayer.title)"
        }
    }

    /// Whether the history's success rate counts it.
    package var isAdhan: Bool { kind == .adhan }

    /// Whether it comes from the plan, and nobody asked for it by hand.
    package var isPlanned: Bool { isAdhan || isReminder }

    package var isReminder: Bool {
        if case .reminder = kind { true } else { false }
    }

    package static func adhan(_ prayer: Prayer, on date: CivilDate, at: Instant, settings: AdhanSettings)
        -> Self
    {
        Self(
            id: "\(prayer.rawValue)_\(date.compact)", kind: .adhan, prayer: prayer, at: at,
            sounds: settings.sound, volume: settings.volume, fadeIn: settings.fadeIn,
            lateGrace: settings.lateGrace)
    }

    package static func reminder(
        before seconds: Double, of prayer: Prayer, on date: CivilDate, prayerAt: Instant,
        settings: AdhanSettings
    ) -> Self {
        Self(
            id: "reminder-\(DurationText.format(seconds))_\(prayer.rawValue)_\(date.compact)",
            kind: .reminder(before: seconds), prayer: prayer, at: prayerAt - seconds,
            sounds: [settings.reminderSound], volume: settings.volume, fadeIn: 0,
            // A reminder is worth nothing once the prayer itself is due.
            lateGrace: min(settings.lateGrace, seconds))
    }

    /// A pretended prayer; `serial` tells those of one run apart.
    package static func pretended(_ prayer: Prayer, serial: Int, at: Instant, settings: AdhanSettings) -> Self
    {
        Self(
            id: "trigger-\(serial)_\(prayer.rawValue)_\(Int(at.unixSeconds))", kind: .pretended,
            prayer: prayer,
            at: at, sounds: settings.sound, volume: settings.volume,
            fadeIn: settings.fadeIn, lateGrace: settings.lateGrace)
    }
}

extension CivilDate {
    /// `20261120`, as identities carry it.
    package var compact: String { String(description.filter { $0 != "-" }) }
}

extension Announcement {
    /// What an earlier run of the program was calling, when the plan no longer tells: as its identity says.
    /// `nil` when that is none.
    init?(_ entry: SavedState.Underway, in config: Config) {
        let parts = entry.id.split(separator: "_")
        let isPlanned = parts.count == 2 && !entry.id.contains("trigger-")
        guard parts.count >= 2, let prayer = parts.compactMap({ Prayer(rawValue: String($0)) }).first else {
            return nil
        }
        let settings = config[prayer]
        var kind = isPlanned ? Kind.adhan : .pretended
        if parts[0].hasPrefix("reminder-"), let before = DurationText.parse(String(parts[0].dropFirst(9))) {
            kind = .reminder(before: before)
        }
        self.init(
            id: entry.id, kind: kind, prayer: prayer, at: entry.scheduled, sounds: settings.sound,
            volume: settings.volume, fadeIn: settings.fadeIn, lateGrace: settings.lateGrace)
    }
}
