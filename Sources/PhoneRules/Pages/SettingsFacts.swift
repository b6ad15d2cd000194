internal import PrayerEngine
package import Protocol
internal import Texts

/// `/r/settings`, and the parts of it on other pages.
package struct SettingsFacts: Sendable, Equatable {
    /// The least rights that setting a key requires.
    package enum Right: String, Sendable, CaseIterable { case household, keeper, fresh }

    package enum State: String, Sendable, CaseIterable { case set, pinned, superseded, invalid, unknown }

    package struct Key: Sendable, Equatable {
        package let key: String
        /// `flag`, `volume`, `integer`, `choice`, `duration`, `text`, `tables`, …, as in `GetSettings`.
        package let kind: String
        /// Completes "KEY must be …".
        package let allowed: String
        package let right: Right
        /// The value in force, as plain text.
        package let value: String
        /// `nil` if the key was never set by command.
        package let state: State?
        package let by: String?
        /// The reason why the key cannot be set, or why its setting is not in force.
        package let reason: String?

        package init(
            key: String, kind: String, allowed: String, right: Right, value: String, state: State? = nil,
            by: String? = nil, reason: String? = nil
        ) {
            self.key = key
            self.kind = kind
            self.allowed = allowed
            self.right = right
            self.value = value
            self.state = state
            self.by = by
            self.reason = reason
        }

        /// Whether the key consists of tables, which have forms of their own.
        var isList: Bool { ["tables", "table"].contains(kind) }
    }

    package struct Change: Sendable, Equatable {
        package let number: Int
        /// The time as `2026-11-24T16:32:00+01:00`.
        package let at: String
        package let by: String
        package let steps: [Step]

        package init(number: Int, at: String, by: String, steps: [Step]) {
            self.number = number
            self.at = at
            self.by = by
            self.steps = steps
        }
    }

    /// One key of a change.
    package struct Step: Sendable, Equatable {
        package let key: String
        /// The value in TOML; empty if there is none, `nil` if nothing was set by command.
        package let before: String?
        package let after: String?

        package init(_ key: String, from before: String?, to after: String?) {
            (self.key, self.before, self.after) = (key, before, after)
        }
    }

    /// The number of the newest change, which forms send as `expect`.
    package let change: Int
    package let keys: [Key]
    /// The changes, newest first.
    package let changes: [Change]

    package init(change: Int, keys: [Key], changes: [Change] = []) {
        self.change = change
        self.keys = keys
        self.changes = changes
    }
}

/// `/r/friday`: the keys below `jumua`.
package struct FridayFacts: Sendable, Equatable {
    package let settings: SettingsFacts
    /// The rows of `jumua.slot`.
    package let slots: [RowFacts]

    package init(settings: SettingsFacts, slots: [RowFacts] = []) {
        (self.settings, self.slots) = (settings, slots)
    }
}

/// `/r/ramadan`: the keys below `ramadan`, and today's date in the Hijri calendar.
package struct RamadanFacts: Sendable, Equatable {
    package let settings: SettingsFacts
    package let year: Int
    /// The Hijri month, from 1.
    package let month: Int
    package let day: Int
    /// Changes of months' beginnings that can be undone, newest first.
    package var hand: [HandChanges.Change] = []

    package init(settings: SettingsFacts, year: Int, month: Int, day: Int) {
        self.settings = settings
        (self.year, self.month, self.day) = (year, month, day)
    }

    package static let dayBegins = "hijri.day-begins"

    /// - Parameters:
    ///   - days: today and tomorrow.
    ///   - now: the current time, needed if a day begins at maghrib.
    package init(settings: SettingsFacts, _ days: [TimesDocument.Day], now: String) {
        let beginsAtMaghrib = settings.keys.first { $0.key == Self.dayBegins }?.value != "midnight"
        let maghrib = days.first?.events[DayEvent.maghrib.rawValue]?.wrappedValue.flatMap(InstantText.parse)
        let isEvening = maghrib.flatMap { at in InstantText.parse(now).map { at <= $0 } } ?? false
        let hijri = (isEvening && beginsAtMaghrib ? days.dropFirst().first : days.first)?.hijri
        self.init(
            settings: settings, year: hijri?.year ?? 0, month: hijri?.month ?? 0, day: hijri?.day ?? 0)
    }
}

/// The announcements on the screen, for their page.
package struct AnnouncementsFacts: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let text: String
        package let until: String
        package let hasPicture: Bool
        package let mark: String

        package init(text: String, until: String, hasPicture: Bool = false, mark: String = "") {
            self.text = text
            self.until = until
            self.hasPicture = hasPicture
            self.mark = mark
        }
    }

    package let entries: [Entry]
    /// The digest of an uploaded picture that no announcement uses yet.
    package let picture: String?

    package init(entries: [Entry], picture: String? = nil) {
        self.entries = entries
        self.picture = picture
    }
}

/// The sounds, and the keys that select them, for their page.
package struct SoundsFacts: Sendable, Equatable {
    package struct Sound: Sendable, Equatable {
        package let name: String
        /// Whether it belongs to a package and cannot be removed.
        package let isShipped: Bool
        /// The length of the longest recording in seconds; `nil` if it was not measured.
        package let seconds: Double?
        /// Whether one of its recordings cannot be played.
        package let isBroken: Bool

        package init(name: String, isShipped: Bool, seconds: Double? = nil, isBroken: Bool = false) {
            self.name = name
            self.isShipped = isShipped
            self.seconds = seconds
            self.isBroken = isBroken
        }
    }

    package let sounds: [Sound]
    /// The keys that select sounds.
    package let settings: SettingsFacts

    package init(sounds: [Sound], settings: SettingsFacts) {
        (self.sounds, self.settings) = (sounds, settings)
    }

    package init(_ reply: SoundsReply, _ settings: SettingsFacts) {
        sounds = reply.sounds.map { sound in
            Sound(
                name: sound.name, isShipped: sound.origin == .shipped,
                seconds: sound.files.compactMap(\.durationSeconds).max(),
                isBroken: sound.files.contains { $0.problem != nil })
        }
        self.settings = settings
    }

    /// Whether a key selects a sound, such as `adhan.sound` and `adhan.fajr.sound`.
    package static func isChoice(_ key: String) -> Bool {
        key.hasPrefix("adhan.") && key.hasSuffix(".sound") && key.split(separator: ".").count <= 3
            || key == "iqama.sound"
    }
}

/// The timetable in force and the uploaded one, for their page.
package struct TimetableFacts: Sendable, Equatable {
    /// The waiting upload, as far as it is understood.
    package struct Pending: Sendable, Equatable {
        package struct Finding: Sendable, Equatable {
            package let kind: String
            package let isWarning: Bool
            package let from: String
            package let until: String
            package let text: String

            package init(kind: String, isWarning: Bool, from: String, until: String, text: String) {
                (self.kind, self.isWarning, self.text) = (kind, isWarning, text)
                (self.from, self.until) = (from, until)
            }
        }

        /// A number that changes with every upload and answer.
        package let mark: Int
        package let days: Int
        package let first: String?
        package let last: String?
        /// An open question, `dates`, `asr` or `year`, without whose answer the timetable cannot be put in force.
        package let question: IntakeReply.Question?
        package let findings: [Finding]
        package let clock: String?
        package let hours: Int?

        package init(_ reply: IntakeReply, mark: Int) {
            self.mark = mark
            let table = reply.timetable
            (days, first, last) = (table?.days ?? 0, table?.first, table?.last)
            (question, clock, hours) = (reply.question, table?.clock, table?.hours)
            findings = (table?.findings ?? []).map {
                Finding(kind: $0.kind, isWarning: $0.isWarning, from: $0.from, until: $0.until, text: $0.text)
            }
        }
    }

    /// The days of the table in force, with the first and the last one.
    package let days: Int
    package let first: String?
    package let last: String?
    package let pending: Pending?
    /// Whether a table was put in force and not undone since.
    package let canBeUndone: Bool

    package init(
        days: Int, first: String? = nil, last: String? = nil, pending: Pending? = nil,
        canBeUndone: Bool = false
    ) {
        (self.days, self.first, self.last) = (days, first, last)
        (self.pending, self.canBeUndone) = (pending, canBeUndone)
    }

    /// - Parameter table: the table in force in its strict form: comments, a header, and rows that begin with a date.
    package init(table: String, pending: Pending?, canBeUndone: Bool) {
        var (days, first, last) = (0, Substring?.none, Substring?.none)
        for line in table.utf8.split(separator: UInt8(ascii: "\n")) {
            guard let mark = line.first, (0x30...0x39).contains(mark),
                let date = Substring(line).split(separator: ",").first
            else { continue }
            days += 1
            first = first ?? date
            last = date
        }
        self.init(
            days: days, first: first.map(String.init), last: last.map(String.init), pending: pending,
            canBeUndone: canBeUndone)
    }
}
