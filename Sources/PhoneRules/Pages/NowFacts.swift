package import Protocol
package import Texts

/// `/r/`: the current state.
package struct NowFacts: Sendable, Equatable {
    package struct Entry: Codable, Sendable, Equatable {
        package let prayer: String
        /// The time as `16:32`.
        package let time: String
        package let enabled: Bool
        package let outcome: Outcome
        package let stage: PrayerStage
        /// The outputs on which a window or a mute silences it while others play it; omitted if there are none.
        package var silentOn: [String]?
        /// The window that silences it on all outputs; omitted if there is none.
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
        /// The end as `16:32`; `nil` if the mute has no end.
        @Nullable package var until: String?
        /// The end's date as `2026-11-25`; `nil` if the mute ends today or has no end.
        @Nullable package var day: String?
        @Nullable package var by: String?
        /// The prayer whose adhan alone is muted; `nil` if all are.
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

    /// An output named in the configuration.
    package struct Output: Sendable, Equatable {
        package let name: String
        package let hasFailed: Bool
        /// The window that silences it now, or `mute`, and the end as `16:32`.
        package let quiet: String?
        package let quietUntil: String?

        package init(name: String, hasFailed: Bool = false, quiet: String? = nil, quietUntil: String? = nil) {
            (self.name, self.hasFailed, self.quiet, self.quietUntil) = (name, hasFailed, quiet, quietUntil)
        }

        var isMuted: Bool { quiet == OutputState.mute }
    }

    package let place: String
    /// The current time as `16:32`.
    package let now: String
    package let next: Next?
    package let today: [Entry]
    package let mute: Mute
    package let isPlaying: Bool
    package let isClockTrusted: Bool
    /// Whether the page of health reports a problem. Problems of the clock have a line of their own.
    package let hasFault: Bool
    /// The times as `16:52`, by the names of prayers that have a congregation today.
    package let iqama: [String: String]
    /// Empty if the configuration names no outputs.
    package let outputs: [Output]
    /// The reason why nothing is called at all. No time is then shown as upcoming.
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

    /// - Parameter day: today's times, without which no congregation is shown.
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
        // Problems of the clock and the place have lines of their own on the page.
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
