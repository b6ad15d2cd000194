package import PrayerEngine
package import Protocol
package import Texts

/// The faults that are shown above every scene; the most pressing first.
package struct Alert: Sendable, Equatable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// adhand does not answer.
        case lost
        /// No device can be made to sound.
        case noSound = "no-sound"
        /// No device of one output can be made to sound, and others can.
        case noSoundIn = "no-sound-in"
        /// The last call that was due was not heard, or not to its end.
        case notHeard = "not-heard"
        case clock
        case mute
        /// The configuration on disk has a mistake; an earlier one is in force.
        case configuration
        /// Settings made now do not outlive a restart.
        case state
        /// adhand found its own state contradictory, and continues to call.
        case internalProblem = "internal"
        /// People's decisions were lost with the state on disk, and no person has confirmed it yet.
        case stateLoss = "state-loss"
        /// An iqama of the coming day is before its adhan.
        case earlyIqama = "early-iqama"
        /// The timetable on disk is damaged or gone; an earlier one is in force, or times are computed.
        case timetable
        case timetableEnds = "timetable-ends"
        /// No place is set, and nothing is called.
        case noPlace = "no-place"
        /// No place is set: the times are those of the zone's main place.
        case approximate
        /// The machine's zone files lack a change of its zone, or are old.
        case zoneFiles = "zone-files"
        /// Slides that cannot be shown.
        case slides
        /// display.toml has a mistake, and the defaults replace it.
        case screen
    }

    package let kind: Kind
    package var prayer: Prayer?
    /// The time of the alert's beginning, end or occasion, by kind.
    package var at: Instant?
    package var date: CivilDate?
    /// A name or a reason from the daemon.
    package var text: String?

    package init(
        _ kind: Kind, prayer: Prayer? = nil, at: Instant? = nil, date: CivilDate? = nil, text: String? = nil
    ) {
        self.kind = kind
        self.prayer = prayer
        self.at = at
        self.date = date
        self.text = text
    }
}

extension Alert {
    /// The alert for visitors: that something is wrong, but no device, file or setting of this machine; `nil` for alerts that
    /// only its keeper can use.
    package var forVisitors: Alert? {
        switch kind {
        case .configuration, .state, .internalProblem, .stateLoss, .timetable, .slides, .screen: nil
        case .approximate, .noSoundIn: self
        default: Alert(kind, prayer: prayer, at: at, date: date)
        }
    }
}

extension Alert {
    /// Days before a timetable's end on which it is reported.
    static let timetableNoticeDays = 30

    package static func all(
        status: StatusDocument?, lostSince: Instant?, silentSince: Instant?, history: [HistoryEntry],
        tableEnd: CivilDate?, earlyIqama: Congregation? = nil, brokenSlides: [String],
        isScreenWrong: Bool = false, today: CivilDate, now: Instant
    ) -> [Alert] {
        var alerts: [Alert] = []
        if let lostSince { alerts.append(Alert(.lost, at: lostSince)) }
        if let status {
            // The set-up asks about the loudspeaker.
            if status.awaiting == nil { alerts += silence(status, since: silentSince, history) }
            if let missed = lastUnheard(history, now) { alerts.append(missed) }
            if !status.clock.trusted { alerts.append(Alert(.clock)) }
            if status.mute.active {
                alerts.append(Alert(.mute, at: status.mute.until.flatMap(InstantText.parse)))
            }
            if status.configurationProblem != nil { alerts.append(Alert(.configuration)) }
            if status.stateProblem != nil { alerts.append(Alert(.state)) }
            if status.internalProblem != nil { alerts.append(Alert(.internalProblem)) }
            // Decisions that came back from their copy are not lost.
            if let loss = status.stateLoss, !loss.restored { alerts.append(Alert(.stateLoss)) }
            if status.timetable?.problem != nil { alerts.append(Alert(.timetable)) }
            if let tableEnd, tableEnd.dayNumber - today.dayNumber <= timetableNoticeDays {
                alerts.append(Alert(.timetableEnds, date: tableEnd))
            }
            if status.zoneWarning != nil { alerts.append(Alert(.zoneFiles)) }
            if let early = earlyIqama {
                alerts.append(Alert(.earlyIqama, prayer: early.prayer, at: early.iqama?.at))
            }
            if status.placeProblem != nil {
                alerts.append(Alert(.noPlace))
            } else if status.location.approximate {
                alerts.append(Alert(.approximate, text: status.location.name))
            }
        }
        if isScreenWrong { alerts.append(Alert(.screen)) }
        if !brokenSlides.isEmpty { alerts.append(Alert(.slides, text: brokenSlides.joined(separator: ", "))) }
        return alerts
    }

    /// No sound at all, or the outputs that have none.
    private static func silence(_ status: StatusDocument, since: Instant?, _ history: [HistoryEntry])
        -> [Alert]
    {
        if let outputs = status.namedOutputs, outputs.contains(where: { !$0.hasFailed }) {
            return outputs.filter(\.hasFailed).map { output in
                let failed = firstFailure(on: output.name, history)
                return Alert(
                    .noSoundIn, prayer: failed.flatMap { Prayer(rawValue: $0.prayer) },
                    at: failed.flatMap { InstantText.parse($0.scheduled) }, text: output.name)
            }
        }
        let hasFailed = status.namedOutputs.map { $0.contains(where: \.hasFailed) } ?? status.audio.hasFailed
        return hasFailed ? [Alert(.noSound, at: since, text: status.audio.lastError)] : []
    }

    /// The first of the announcements that failed on an output in a row, up to the last one there.
    private static func firstFailure(on output: String, _ history: [HistoryEntry]) -> HistoryEntry? {
        let there = history.filter {
            $0.outputs?.contains { $0.name == output && $0.outcome != .quiet } == true
        }
        return there.reversed().prefix { entry in
            entry.outputs?.contains { $0.name == output && $0.outcome == .failed } == true
        }.last
    }

    /// The last adhan that was due, if people waited for it in vain.
    private static func lastUnheard(_ history: [HistoryEntry], _ now: Instant) -> Alert? {
        guard let last = history.last(where: { $0.isDue && !$0.isToCome(now) }),
            !last.outcome.isHeardSomewhere,
            let at = InstantText.parse(last.scheduled)
        else { return nil }
        return Alert(.notHeard, prayer: Prayer(rawValue: last.prayer), at: at, text: last.reason)
    }

    /// The last day of a published timetable, if an agenda that continues beyond it shows that.
    package static func tableEnd(_ occasions: [Occasion]) -> CivilDate? {
        let adhans = occasions.filter { $0.kind == .adhan }
        guard let last = adhans.last(where: { $0.isPublished })?.date, let end = adhans.last?.date,
            last < end
        else { return nil }
        return last
    }
}

extension StateDocument.LastPlayed {
    /// The last adhan that was heard, from the daemon's proof of play.
    /// - Parameters:
    ///   - history: in the order of the daemon's file.
    ///   - text: an instant by the clock of the place.
    package init?(_ history: [HistoryEntry], now: Instant, text: (Instant) -> String) {
        guard
            let last = history.last(where: {
                $0.outcome.isHeardSomewhere && AnnouncementID($0.id)?.kind == .adhan && !$0.isToCome(now)
            }),
            let prayer = Prayer(rawValue: last.prayer), let at = last.started.flatMap(InstantText.parse),
            let rate = last.rate, rate > 0
        else { return nil }
        let heard = (last.outputs ?? []).named.filter { $0.outcome == .played }
        self.init(
            prayer: prayer.rawValue, at: text(at),
            seconds: Int((Double(last.framesPlayed) / Double(rate)).rounded()),
            outputs: heard.isEmpty ? nil : heard.map(\.name))
    }
}

extension HistoryEntry {
    /// Whether an entry's time is still to come. A clock that was ahead and was set back leaves such entries.
    fileprivate func isToCome(_ now: Instant) -> Bool {
        InstantText.parse(scheduled).map { now < $0 } ?? false
    }
}
