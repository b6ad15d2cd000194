import PrayerEngine

/// What is announced, and what a display shows beside it, day by day.
extension DaemonState {
    func agenda(from text: String, days: Int, now: Instant) throws(ControlError) -> AgendaReply {
        AgendaReply(occasions: try dates(from: text, days: days).flatMap { occasions(on: $0, at: now) })
    }

    private func occasions(on date: CivilDate, at now: Instant) -> [OccasionDocument] {
        let day = world.site.times.day(date)
        let announced = DayPlan.announcements(on: day, config: world.config, toggles: saved.toggles).map {
            (at: $0.announcement.at, occasion: occasion($0, day, at: now))
        }
        let shown = [day[.sunrise].map { (at: $0, occasion: sunrise(day, at: $0, now: now)) }].compactMap(
            \.self)
        return (announced + shown).sorted { $0.at < $1.at }.map(\.occasion)
    }

    private func occasion(_ entry: DayPlan.Entry, _ day: SiteDay, at now: Instant) -> OccasionDocument {
        let announcement = entry.announcement
        let id = announcement.id
        return OccasionDocument(
            id: id.description, kind: id.isReminder ? .reminder : .adhan, prayer: id.prayer.rawValue,
            slot: id.slot, at: text(announcement.at), source: source(of: id.prayer.event, day),
            sounds: announcement.sounds, enabled: entry.enabled, state: state(entry, at: now))
    }

    private func state(_ entry: DayPlan.Entry, at now: Instant) -> String {
        let (id, at) = (entry.announcement.id, entry.announcement.at)
        let outcome = saved.outcome(of: id)
        if let outcome, outcome.isFinal || at <= now { return outcome.rawValue }
        if at <= now { return "unknown" }
        return (entry.enabled ? Outcome.upcoming : .disabled).rawValue
    }

    private func sunrise(_ day: SiteDay, at instant: Instant, now: Instant) -> OccasionDocument {
        OccasionDocument(
            id: "sunrise_\(day.date.compact)", kind: .sunrise, at: text(instant),
            source: source(of: .sunrise, day), sounds: [], enabled: false,
            state: instant <= now ? "passed" : Outcome.upcoming.rawValue)
    }

    private func source(of event: DayEvent, _ day: SiteDay) -> OccasionDocument.Source {
        switch day.origin(of: event) {
        case .computed: .computed
        case .published: .published
        case .rule: .rule
        case .exception: .exception
        }
    }
}
