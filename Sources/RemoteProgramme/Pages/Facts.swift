package import Protocol
package import Texts

/// `/r/`: the state of the moment.
package struct NowFacts: Sendable, Equatable {
    package struct Entry: Codable, Sendable, Equatable {
        package let prayer: String
        /// `16:32`
        package let time: String
        package let enabled: Bool
        package let outcome: Outcome
        package let stage: PrayerStage
        /// Outputs where a window or a mute silences it while others play it; left out where there are none.
        package var silentOn: [String]?
        /// The window that silences it everywhere; left out where none does.
        package var quiet: String?

        package init(
            prayer: String, time: String, enabled: Bool, outcome: Outcome, stage: PrayerStage,
            silentOn: [String] = [], quiet: String? = nil
        ) {
            self.quiet = quiet
            self.stage = stage
            self.silentOn = silentOn.isEmpty ? nil : silentOn
            self.prayer = prayer
            self.time = time
            self.enabled = enabled
            self.outcome = outcome
        }
    }

    package struct Mute: Codable, Sendable, Equatable {
        package let active: Bool
        /// `16:32`; `nil` while it has no end.
        @Nullable package var until: String?
        /// `2026-11-25`; `nil` while it ends today, or has no end.
        @Nullable package var day: String?
        @Nullable package var by: String?
        /// The one adhan that is muted, by its prayer; `nil` where all are.
        @Nullable package var prayer: String?

        package init(
            active: Bool, until: String? = nil, day: String? = nil, by: String? = nil,
            prayer: String? = nil
        ) {
            self.prayer = prayer
            self.active = active
            self.until = until
            self.day = day
            self.by = by
        }
    }

    package struct Next: Codable, Sendable, Equatable {
        package let prayer: String
        package let time: String
        package let seconds: Double

        package init(prayer: String, time: String, seconds: Double) {
            self.prayer = prayer
            self.time = time
            self.seconds = seconds
        }
    }

    /// An output that the configuration names.
    package struct Output: Sendable, Equatable {
        package let name: String
        package let hasFailed: Bool
        /// The window that silences it now, or `mute`, and its end in `16:32`.
        package let quiet: String?
        package let quietUntil: String?

        package init(name: String, hasFailed: Bool = false, quiet: String? = nil, quietUntil: String? = nil) {
            (self.name, self.hasFailed, self.quiet, self.quietUntil) = (name, hasFailed, quiet, quietUntil)
        }

        var isMuted: Bool { quiet == OutputState.mute }
    }

    package let place: String
    /// `16:32`
    package let now: String
    package let next: Next?
    package let today: [Entry]
    package let mute: Mute
    package let isPlaying: Bool
    package let isClockTrusted: Bool
    /// Whether something is wrong of which the page of health tells; the clock has a line of its own.
    package let hasFault: Bool
    /// `16:52` by the prayer's name, of those that have a congregation today.
    package let iqama: [String: String]
    /// Empty where the configuration names none.
    package let outputs: [Output]
    /// The reason why nothing is called at all: then no time is shown as one to come.
    package var awaiting: StatusDocument.Awaiting?

    package init(
        place: String, now: String, next: Next?, today: [Entry], mute: Mute, isPlaying: Bool,
        isClockTrusted: Bool, hasFault: Bool = false, iqama: [String: String] = [:], outputs: [Output] = []
    ) {
        (self.hasFault, self.iqama, self.outputs) = (hasFault, iqama, outputs)
        self.place = place
        self.now = now
        self.next = next
        self.today = today
        self.mute = mute
        self.isPlaying = isPlaying
        self.isClockTrusted = isClockTrusted
    }

    /// - Parameter day: times of today; without them no congregation is shown.
    package init(_ status: StatusDocument, on day: TimesDocument.Day? = nil) {
        let isToday = day?.date == LocalText.date(status.now)
        iqama = isToday ? day.map(Self.iqama) ?? [:] : [:]
        outputs = (status.namedOutputs ?? []).map {
            Output(
                name: $0.name, hasFailed: $0.hasFailed, quiet: $0.quiet,
                quietUntil: $0.quietUntil.map(LocalText.minute))
        }
        awaiting = status.awaiting
        place = status.location.name
        now = LocalText.minute(status.now)
        next = (status.awaiting == nil ? status.next : nil).map {
            Next(prayer: $0.prayer, time: LocalText.minute($0.at), seconds: $0.inSeconds)
        }
        today = status.prayers.map {
            Entry(
                prayer: $0.prayer, time: LocalText.minute($0.at), enabled: $0.enabled, outcome: $0.state,
                stage: status.stage(of: $0), silentOn: Self.silentOutputs(of: $0),
                quiet: Self.window(over: $0))
        }
        mute = Mute(
            active: status.mute.active, until: status.mute.until.map(LocalText.minute),
            day: status.mute.until.map(LocalText.date).flatMap {
                $0 == LocalText.date(status.now) ? nil : $0
            },
            by: status.mute.by,
            prayer: status.mute.id.flatMap { id in id.lastIndex(of: "_").map { String(id[..<$0]) } })
        isPlaying = status.playback.state != .idle
        isClockTrusted = status.clock.trusted
        // The page has lines of its own for these two.
        hasFault = (status.problems ?? []).contains {
            $0.severity == .problem && ![.clock, .place].contains($0.kind)
        }
    }

    private static func silentOutputs(of prayer: StatusDocument.PrayerState) -> [String] {
        guard prayer.state == .upcoming, prayer.enabled, let outputs = prayer.outputs,
            outputs.contains(where: { $0.volume > 0 })
        else { return [] }
        return outputs.filter { $0.volume == 0 && $0.quiet != nil }.map(\.name)
    }

    private static func window(over prayer: StatusDocument.PrayerState) -> String? {
        guard prayer.state == .upcoming || prayer.state == .quiet, prayer.enabled else { return nil }
        return prayer.outputs?.silencedBy.flatMap { $0 == OutputState.mute ? nil : $0 }
    }

    private static func iqama(of day: TimesDocument.Day) -> [String: String] {
        var times = (day.iqama ?? [:]).mapValues(LocalText.minute)
        if let first = day.jumua?.first?.prayer { times["jumua"] = LocalText.minute(first) }
        return times
    }
}

/// `/r/now.json`
package struct NowDocument: Codable, Sendable {
    package let now: String
    @Nullable package var next: NowFacts.Next?
    package let mute: NowFacts.Mute
    package let playback: Bool
    package let heard: [NowFacts.Entry]
    package let phone: String
    package let role: Role

    package init(_ facts: NowFacts, _ phone: Phone) {
        now = facts.now
        mute = facts.mute
        playback = facts.isPlaying
        heard = facts.today.filter { $0.outcome.isHeard }
        self.phone = phone.name
        role = phone.role
        next = facts.next
    }
}

/// `/r/pair`
package struct PairFacts: Sendable, Equatable {
    /// The name to start with, such as the browser's kind of machine.
    package let suggestedName: String
    /// The page came over HTTPS.
    package let isSecure: Bool
    /// Whether the key of the box's own network or the word of its card counts, beside six digits.
    package let takesWords: Bool
    /// Whether the box's own network was the code: a name is all that is asked for.
    package let hasJoined: Bool
    /// Whether the page is in the network of a box that was claimed before: its key opens the page about the network alone.
    package var namesNetwork = false

    package init(
        suggestedName: String = "", isSecure: Bool = false, takesWords: Bool = false, hasJoined: Bool = false
    ) {
        (self.suggestedName, self.isSecure) = (suggestedName, isSecure)
        (self.takesWords, self.hasJoined) = (takesWords, hasJoined)
    }
}

/// `/r/week`: the coming days, and times that were set by hand.
package struct WeekFacts: Sendable, Equatable {
    package struct Time: Sendable, Equatable {
        package let prayer: String
        package let adhan: String?
        package let iqama: String?
        package let isException: Bool

        package init(prayer: String, adhan: String?, iqama: String?, isException: Bool = false) {
            self.prayer = prayer
            self.adhan = adhan
            self.iqama = iqama
            self.isException = isException
        }
    }

    package struct Day: Sendable, Equatable {
        package let date: String
        package let times: [Time]

        package init(date: String, times: [Time]) {
            self.date = date
            self.times = times
        }
    }

    package let days: [Day]
    package let exceptions: [ExceptionsReply.Entry]
    /// The keys below `iqama`; `nil` while adhand does not say them.
    package let settings: SettingsFacts?
    /// Of `iqama.change`.
    package let changes: [RowFacts]
    /// Changes of exceptions that can be undone, the newest first.
    package var hand: [HandChanges.Change] = []
    /// Whether no place is named yet: the days would be those of a place that nobody means.
    package var awaitsPlace = false

    package init(
        days: [Day], exceptions: [ExceptionsReply.Entry], settings: SettingsFacts? = nil,
        changes: [RowFacts] = []
    ) {
        self.days = days
        self.exceptions = exceptions
        (self.settings, self.changes) = (settings, changes)
    }

    package init(
        _ times: TimesDocument, _ exceptions: ExceptionsReply, settings: SettingsFacts? = nil,
        changes: [RowFacts] = []
    ) {
        (self.settings, self.changes) = (settings, changes)
        days = times.days.prefix(7).map { day in
            Day(
                date: day.date,
                times: (day.prayers ?? ["fajr", "dhuhr", "asr", "maghrib", "isha"]).map { prayer in
                    let event = prayer == "jumua" ? "dhuhr" : prayer
                    let slot = prayer == "jumua" ? day.jumua?.first : nil
                    let adhan = slot?.adhan ?? day.events[event]?.wrappedValue
                    let iqama = slot?.prayer ?? day.iqama?[event]
                    // One that sets an iqama alone moves no event.
                    let isSet = exceptions.exceptions.contains {
                        $0.date == day.date && [prayer, event].contains($0.prayer)
                    }
                    return Time(
                        prayer: prayer, adhan: adhan.map(LocalText.minute),
                        iqama: iqama.map(LocalText.minute),
                        isException: isSet)
                })
        }
        self.exceptions = exceptions.exceptions
    }
}

/// `/r/health`: doctor's verdicts on what the daemon knows.
package struct HealthFacts: Sendable, Equatable {
    package enum Verdict: String, Sendable, CaseIterable { case good, warning, fault }

    package struct Check: Sendable, Equatable {
        /// As `GetHealth` names it.
        package let name: String
        package let verdict: Verdict
        package let message: String
        package let fix: String?
        package let output: String?

        package init(
            name: String, verdict: Verdict, message: String, fix: String? = nil, output: String? = nil
        ) {
            self.output = output
            self.name = name
            self.verdict = verdict
            self.message = message
            self.fix = fix
        }
    }

    package let checks: [Check]

    package init(checks: [Check]) { self.checks = checks }

    package init(_ reply: HealthReply) {
        checks = reply.checks.map { check in
            let verdict: Verdict =
                switch check.verdict {
                case .ok: .good
                case .warning: .warning
                case .problem: .fault
                }
            return Check(
                name: check.name, verdict: verdict, message: check.message, fix: check.fix,
                output: check.output)
        }
    }

    /// Pages on which a keeper's phone can mend it.
    static let pages: [String: Route.Name] = [
        "silence": .now, "timetable": .timetable, "location": .setup, "devices": .setup, "sounds": .sounds,
        "mosque-times": .week, "configuration": .settings,
    ]

    /// Checks that tables have words for, with the phrase of each.
    static let words = [
        "service": "health-service", "configuration": "settings", "clock": "health-clock",
        "timezone": "health-timezone", "location": "health-location", "timetable": "timetable",
        "silence": "mute",
        "devices": "setup-loudspeaker", "sounds": "sounds", "announcements": "heard", "disk": "health-disk",
    ]
}

/// `/r/log`: the last announcements, the newest first.
package struct LogFacts: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let date: String
        package let time: String
        package let prayer: String
        package let outcome: Outcome
        package let reason: String?

        package init(date: String, time: String, prayer: String, outcome: Outcome, reason: String? = nil) {
            self.date = date
            self.time = time
            self.prayer = prayer
            self.outcome = outcome
            self.reason = reason
        }
    }

    package static let most = 50
    package let entries: [Entry]

    package init(entries: [Entry]) { self.entries = entries }

    package init(_ history: HistoryDocument) {
        entries = history.announcements.suffix(Self.most).reversed().map {
            Entry(
                date: LocalText.date($0.scheduled), time: LocalText.minute($0.scheduled),
                prayer: AnnouncementID($0.id)?.callName ?? $0.prayer, outcome: $0.outcome, reason: $0.reason)
        }
    }
}

/// `/r/phones`
package struct PhonesFacts: Sendable, Equatable {
    package let phones: [Phone]

    package init(phones: [Phone]) { self.phones = phones }
}
