import Announcements
package import PrayerEngine
package import Protocol
import Settings
import StateFile
import Texts
import Times

/// The agenda: announcements, and the events that a display shows beside them, day by day.
extension DaemonState {
    func agenda(from text: String, days: Int, now: Instant) throws(ControlError) -> AgendaReply {
        let dates = try dates(from: text, days: days)
        guard inputs.placeProblem == nil else { return AgendaReply(occasions: []) }
        let all = inputs.site.times.days(from: dates[0], count: dates.count)
        return AgendaReply(occasions: all.flatMap { occasions(on: $0, at: now) })
    }

    /// The agenda from yesterday to tomorrow, from which doctor reports coming silences; `nil` without outputs and windows.
    package func agenda(around now: Instant) -> [OccasionDocument]? {
        guard inputs.config.tellsOutputs, inputs.placeProblem == nil else { return nil }
        let yesterday = zone.civilDate(of: now).adding(days: -1)
        return inputs.site.times.days(from: yesterday, count: 3).flatMap { occasions(on: $0, at: now) }
    }

    private typealias Placed = (at: Instant, occasion: OccasionDocument)

    private func occasions(on day: SiteDay, at now: Instant) -> [OccasionDocument] {
        let entries = DayPlan.announcements(
            on: day, site: inputs.site, config: inputs.config, toggles: saved.toggles)
        let announced = entries.map { placed($0, day, at: now) }
        let known = Set(entries.map { $0.announcement.id.description })
        let shown = eventsOfInterest(day, at: now, entries).filter { !known.contains($0.occasion.id) }
        return (announced + shown)
            .sorted { ($0.at, $0.occasion.rank, $0.occasion.id) < ($1.at, $1.occasion.rank, $1.occasion.id) }
            .map(\.occasion)
    }

    private func placed(_ entry: PlannedAnnouncement, _ day: SiteDay, at now: Instant) -> Placed {
        let announcement = entry.announcement
        let id = announcement.id
        // The printed time stays, even if the sound waits for the adhan to end.
        let at = id.kind == .iqama ? day.stands(id)?.at ?? announcement.at : announcement.at
        let document = OccasionDocument(
            id: id.description, kind: id.occasion, prayer: id.ofPrayer?.rawValue,
            slot: id.ofPrayer == nil ? nil : id.slot, at: text(at), source: source(of: id, day),
            sounds: announcement.sounds, enabled: entry.enabled, state: state(entry, at: now),
            outputs: outputs(of: announcement))
        return (at, document)
    }

    private func state(_ entry: PlannedAnnouncement, at now: Instant) -> String {
        let (id, at) = (entry.announcement.id, entry.announcement.at)
        let outcome = saved.outcome(of: id)
        if let outcome, outcome.isFinal || at <= now { return outcome.rawValue }
        if at <= now { return "unknown" }
        return entry.whileToCome.rawValue
    }

    /// Events that are not announced but are of interest to people.
    private func eventsOfInterest(_ day: SiteDay, at now: Instant, _ entries: [PlannedAnnouncement])
        -> [Placed]
    {
        var all: [Placed] = []
        func show(
            _ kind: OccasionDocument.Kind, _ id: String, _ at: Instant?, _ source: TimeOrigin,
            _ prayer: Prayer? = nil, slot: Int? = nil, sounds: [String] = [], enabled: Bool = false
        ) {
            guard let at else { return }
            let document = OccasionDocument(
                id: id, kind: kind, prayer: prayer?.rawValue, slot: prayer == nil ? nil : slot ?? 1,
                at: text(at), source: source, sounds: sounds, enabled: enabled,
                state: at <= now ? "passed" : Outcome.upcoming.rawValue)
            all.append((at, document))
        }
        let compact = day.date.compact
        show(.sunrise, "sunrise_\(compact)", day[.sunrise], day.origin(of: .sunrise))
        for (prayer, stands) in day.congregations {
            let name = prayer == .dhuhr && !day.prayers.contains(.dhuhr) ? Prayer.jumua : prayer
            let id = AnnouncementID.iqama(name, on: day.date).description
            show(.iqama, id, stands.at, stands.origin, name)
        }
        for slot in day.slots {
            let khutba = AnnouncementID.khutba(slot: slot.number, on: day.date).description
            let iqama = AnnouncementID.iqama(.jumua, slot: slot.number, on: day.date).description
            if let time = slot.khutba {
                show(.khutba, khutba, time.at, time.origin, .jumua, slot: slot.number)
            }
            if let time = slot.prayer { show(.iqama, iqama, time.at, time.origin, .jumua, slot: slot.number) }
        }
        let observances = day.observances
        if observances.isFasting, !inputs.config.ramadan.iftarSound.isEmpty {
            let maghrib = entries.first { $0.announcement.prayer == .maghrib && $0.announcement.isAdhan }
            show(
                .iftar, "iftar_\(compact)", maghrib?.announcement.at, day.origin(of: .maghrib),
                sounds: inputs.config.ramadan.iftarSound.sounds(on: day.date),
                enabled: maghrib?.enabled ?? false)
        }
        show(.tarawih, "tarawih_\(compact)", observances.tarawih, .rule)
        show(.qiyam, "qiyam_\(compact)", observances.qiyam, .rule)
        for (index, at) in observances.eidPrayers.enumerated() {
            show(.eid, index == 0 ? "eid_\(compact)" : "eid-\(index + 1)_\(compact)", at, .rule)
        }
        return all
    }

    /// The source of an announcement's time.
    func source(of announcement: Announcement) -> TimeOrigin {
        guard !inputs.site.times.mosque.isPlain, announcement.isPlanned, let date = announcement.id.date
        else {
            return .computed
        }
        return source(of: announcement.id, inputs.site.times.day(date))
    }

    func source(of id: AnnouncementID, _ day: SiteDay) -> TimeOrigin {
        switch id.kind {
        case .iqama, .iqamaReminder: day.stands(id)?.origin ?? .rule
        case .khutba: day.slot(id.slot)?.khutba?.origin ?? .rule
        case .imsak: day.observances.imsak?.origin ?? .rule
        case .wake, .takbirat, .call: .rule
        case .adhan, .reminder, .simulated, .test:
            day.isByRule(id) ? .rule : day.origin(of: id.prayer.event)
        }
    }
}

extension PlannedAnnouncement {
    /// The state of an announcement until its instant comes.
    var whileToCome: Outcome { isSkipped ? .skipped : enabled ? .upcoming : .disabled }
}

extension SiteDay {
    fileprivate func slot(_ number: Int) -> FridaySlot? { slots.first { $0.number == number } }

    /// The time of the iqama that an identity names.
    fileprivate func stands(_ id: AnnouncementID) -> SourcedTime? {
        if id.prayer == .jumua, !slots.isEmpty { return slot(id.slot)?.prayer }
        return congregations[id.prayer == .jumua ? .dhuhr : id.prayer]
    }

    /// Whether a rule moves an adhan away from its prayer's time.
    fileprivate func isByRule(_ id: AnnouncementID) -> Bool {
        let begins = self[id.prayer.event]
        if id.prayer == .jumua, !slots.isEmpty { return slot(id.slot)?.adhan != begins }
        return call(of: id.prayer) != begins
    }
}

extension AnnouncementID {
    fileprivate var occasion: OccasionDocument.Kind {
        switch kind {
        case .adhan, .simulated, .test: .adhan
        case .iqama: .iqama
        case .khutba: .khutba
        case .reminder, .iqamaReminder: .reminder
        case .wake: .wake
        case .imsak: .imsak
        case .takbirat: .takbirat
        case .call: .call
        }
    }

    /// The prayer to which an event belongs.
    fileprivate var ofPrayer: Prayer? {
        switch kind {
        case .wake, .imsak, .takbirat, .call: nil
        default: prayer
        }
    }
}

extension OccasionDocument {
    /// The order of events at one instant: the iqama follows the adhan, and iftar comes when the adhan begins.
    fileprivate var rank: Int {
        switch kind {
        case .adhan: 1
        case .iqama: 2
        default: 0
        }
    }
}
