import PrayerEngine

/// `state.json`: the saved state as people and tools may read it, instants in RFC 3339.
extension SavedState {
    package func fileBytes() throws -> [UInt8] {
        try JSON.encode(File(self), pretty: true) + [UInt8(ascii: "\n")]
    }

    /// Throws when the bytes are not a saved state: the caller sets the file aside and starts afresh.
    package init(fileBytes: [UInt8]) throws {
        self = try JSON.decode(File.self, from: fileBytes).state()
    }

    private struct File: Codable {
        struct Mute: Codable {
            let scope: AdhanCore.Mute.Scope
            let until: Stamp?
            let followsElapsedTime: Bool
            let id: String?
        }

        struct Handled: Codable {
            let id: String
            let outcome: Outcome
            let at: Stamp
        }

        struct Underway: Codable {
            let id: String
            let scheduled: Stamp
            let startedAt: Stamp?
            let aliveAt: Stamp
            let sounds: [String]?
            let duration: Double?
            let boot: String?
            let endedBy: String?
        }

        struct Exception: Codable {
            let date: String
            let prayer: Prayer
            let adhan: String?
            let iqama: String?
            let reason: String?
        }

        struct Clock: Codable {
            let confirmed: Stamp
            let candidate: Stamp
            let ranSeconds: Double
        }

        struct Loss: Codable {
            let cause: StateLoss.Cause
            let at: Stamp
            let restored: Bool
        }

        let version: Int
        let since: Stamp
        let judgedThrough: Stamp
        let clock: Clock?
        let mute: Mute?
        let toggles: [String: Bool]
        let withoutPlace: Bool?
        /// Prayers by date; left out while there are none.
        let skips: [String: [String]]?
        let exceptions: [Exception]?
        let hijriMonths: [String: String]?
        let handled: [Handled]
        let underway: [Underway]
        /// Left out while there is none.
        let lost: Loss?

        init(_ state: SavedState) {
            version = 1
            since = Stamp(state.since)
            judgedThrough = Stamp(state.judgedThrough)
            clock = Clock(
                confirmed: Stamp(state.clock.confirmed), candidate: Stamp(state.clock.candidate),
                ranSeconds: state.clock.ran.rounded())
            mute = state.mute.map {
                Mute(
                    scope: $0.scope, until: $0.until.map { Stamp($0) },
                    followsElapsedTime: $0.followsElapsedTime,
                    id: $0.id?.description)
            }
            toggles = Dictionary(uniqueKeysWithValues: state.toggles.switches.map { ($0.rawValue, $1) })
            withoutPlace = state.isWithoutPlace ? true : nil
            lost = state.loss.map { Loss(cause: $0.cause, at: Stamp($0.at), restored: $0.isRestored) }
            let skipped = Dictionary(grouping: state.toggles.skips.all) { $0.date.description }
            skips = skipped.isEmpty ? nil : skipped.mapValues { $0.map(\.prayer.rawValue) }
            exceptions = state.exceptions.all.map {
                Exception(
                    date: $0.date.description, prayer: $0.prayer, adhan: $0.adhan.map(ClockText.format),
                    iqama: $0.iqama.map(ClockText.format), reason: $0.reason)
            }
            hijriMonths = Dictionary(
                uniqueKeysWithValues: state.pins.map { ($0.description, $1.description) })
            handled = state.handled.inOrder.map {
                Handled(id: $0.id.description, outcome: $0.outcome, at: Stamp($0.at))
            }
            underway = state.underway.map {
                Underway(
                    id: $0.id.description, scheduled: Stamp($0.scheduled),
                    startedAt: $0.startedAt.map { Stamp($0) },
                    aliveAt: Stamp($0.aliveAt), sounds: $0.sounds, duration: $0.duration, boot: $0.boot,
                    endedBy: $0.endedBy)
            }
        }

        func state() -> SavedState {
            var state = SavedState(since: since.instant)
            state.loss = lost.map { StateLoss($0.cause, at: $0.at.instant, isRestored: $0.restored) }
            state.judgedThrough = judgedThrough.instant
            // An older adhand believed every clock that it had.
            state.clock =
                clock.map {
                    ClockRecord(
                        confirmed: $0.confirmed.instant, candidate: $0.candidate.instant, ran: $0.ranSeconds)
                } ?? ClockRecord(confirmed: judgedThrough.instant)
            state.mute = mute.map {
                AdhanCore.Mute(
                    scope: $0.scope, until: $0.until?.instant, followsElapsedTime: $0.followsElapsedTime,
                    id: $0.id.flatMap { AnnouncementID($0) })
            }
            state.isWithoutPlace = withoutPlace ?? false
            let switches = toggles.compactMap { name, on in Prayer(rawValue: name).map { ($0, on) } }
            state.toggles = Toggles(Dictionary(switches) { _, last in last })
            for (date, prayers) in skips ?? [:] {
                guard let date = CivilDate(date) else { continue }
                for prayer in prayers.compactMap({ Prayer(rawValue: $0) }) {
                    state.toggles.skips.insert(prayer, on: date)
                }
            }
            state.exceptions = DayExceptions(
                (exceptions ?? []).compactMap { entry in
                    CivilDate(entry.date).map {
                        DayException(
                            date: $0, prayer: entry.prayer,
                            adhan: entry.adhan.flatMap { ClockText.parse($0) },
                            iqama: entry.iqama.flatMap { ClockText.parse($0) }, reason: entry.reason)
                    }
                })
            for (month, date) in hijriMonths ?? [:] {
                guard let month = HijriMonth(month), let date = CivilDate(date) else { continue }
                state.pins[month] = date
            }
            // What has no meaning here another version wrote; it cannot be called either.
            for entry in handled {
                guard let id = AnnouncementID(entry.id) else { continue }
                state.setOutcome(entry.outcome, of: id, at: entry.at.instant)
            }
            state.underway = underway.compactMap { entry in
                guard let id = AnnouncementID(entry.id) else { return nil }
                return SavedState.Underway(
                    id: id, scheduled: entry.scheduled.instant, startedAt: entry.startedAt?.instant,
                    aliveAt: entry.aliveAt.instant, sounds: entry.sounds, duration: entry.duration,
                    boot: entry.boot, endedBy: entry.endedBy)
            }
            return state
        }
    }

    /// An instant as RFC 3339 in UTC, to the millisecond.
    private struct Stamp: Codable {
        let instant: Instant

        init(_ instant: Instant) { self.instant = instant }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let instant = InstantText.parse(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "not an RFC 3339 instant")
            }
            self.instant = instant
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(InstantText.rfc3339(instant, in: .utc, milliseconds: true))
        }
    }
}
