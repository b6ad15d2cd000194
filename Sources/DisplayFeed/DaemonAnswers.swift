package import ControlClient
package import Host
package import PrayerEngine
package import Protocol
package import ScreenPlan
import Settings

/// adhand's answers to the questions of a screen.
package struct DaemonAnswers: Sendable {
    package let status: StatusDocument
    package let agenda: [OccasionDocument]
    package let days: [TimesDocument.Day]
    package let history: [HistoryEntry]
    package let zone: Zone
    /// The display's settings that were made by command; `nil` if adhand is too old to keep any.
    package let settings: [SettingDocument]?
    package let at: Instant

    /// The days of the agenda to request: enough for yesterday, next Friday, and notice of a timetable's end.
    private static let agendaDays = 34
    private static let historyDays = 7
    /// Seconds to wait for each answer.
    private static let patienceSeconds = 1.5

    package init(asking client: ControlClient, zones: ZoneFiles, now: Instant) throws(ControlClientError) {
        status = try client.call(.getStatus, patienceSeconds: Self.patienceSeconds)
            .status
        zone = Self.zone(of: status, zones)
        let yesterday = zone.civilDate(of: now).adding(days: -1).description
        agenda = try client.call(
            .getAgenda, AgendaParameters(from: yesterday, days: Self.agendaDays)
        ).occasions
        days = try client.call(.getTimes, TimesParameters(date: yesterday, days: 5))
            .times.days
        history = try client.call(
            .getHistory, HistoryParameters(days: Self.historyDays)
        ).history.announcements
        settings = Self.settings(asking: client)
        at = now
    }

    private static func settings(asking client: ControlClient) -> [SettingDocument]? {
        try? client.call(
            .getSettings, SettingsPrefixParameters(prefix: SettableKey.Home.displayTable),
            patienceSeconds: patienceSeconds
        ).settings
    }

    /// The place's zone alone.
    package static func zone(
        asking client: ControlClient, zones: ZoneFiles
    ) throws(ControlClientError) -> Zone {
        zone(
            of: try client.call(.getStatus, patienceSeconds: patienceSeconds).status,
            zones)
    }

    /// The place's zone; if its file is missing here, the offset in adhand's timestamps.
    private static func zone(of status: StatusDocument, _ zones: ZoneFiles) -> Zone {
        if let zone = try? zones.zone(named: status.location.timezone) { return zone }
        let offset = status.now.suffix(6)
        // POSIX counts westwards, so invert the sign.
        let posix = "<local>\(offset.hasPrefix("-") ? "+" : "-")\(offset.dropFirst())"
        return (try? Zone(name: status.location.timezone, posix: posix)) ?? .utc
    }

    /// The part of the answers that is shown.
    /// - Parameters:
    ///   - lostSince: the time when adhand stopped answering.
    ///   - silentSince: the time since when no device plays.
    ///   - isSetUpByPhone: whether this machine is a box that a phone may claim.
    package func inputs(
        lostSince: Instant? = nil, silentSince: Instant? = nil, slides: SlideFolder.Found = .init(),
        isScreenWrong: Bool = false, isSetUpByPhone: Bool = false, now: Instant
    ) -> DisplayInputs {
        let schedule = Schedule(zone: zone, agenda: agenda, days: days)
        var inputs = DisplayInputs(
            schedule: schedule, facts: DisplayFacts(status: status, history: history, now: at),
            alerts: Alert.all(
                status: status, lostSince: lostSince, silentSince: silentSince, history: history,
                tableEnd: Alert.tableEnd(schedule.occasions),
                earlyIqama: Congregation.earlyIqama(in: schedule, after: now), brokenSlides: slides.broken,
                isScreenWrong: isScreenWrong,
                today: zone.civilDate(of: now), now: now),
            lastPlayed: StateDocument.LastPlayed(history, now: now, text: schedule.text),
            place: status.location.name,
            basis: status.calculation.names,
            slides: slides.slides, pictures: Set(slides.pictures))
        inputs.isBeingSetUp = isSetUpByPhone && status.awaiting == .place
        return inputs
    }
}
