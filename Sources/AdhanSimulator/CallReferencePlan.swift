import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// The checker's own computation of the times of `[[call]]`, for consecutive days.
struct CallReferencePlan {
    struct Call {
        let name: String
        let at: Instant
        let isSilent: Bool
    }

    let day: MosqueReferencePlan
    /// The plan of any other date, whose maghrib may begin the Islamic day.
    let other: (CivilDate) -> MosqueReferencePlan

    var calls: [Call] {
        day.config.calls.filter(\.enabled).compactMap { call in
            guard let at = instant(call.at.text), holds(call, at) else { return nil }
            return Call(
                name: call.name, at: at,
                isSilent: RotationReferencePlan.sounds(call.sound, on: day.date) == [AdhanSettings.silent])
        }
    }

    /// `02:30`, `last-third`, `fajr-20m`, in the forms of the settings here.
    private func instant(_ text: String) -> Instant? {
        let names = [
            "imsak", "fajr", "sunrise", "dhuhr", "asr", "sunset", "maghrib", "isha", "midnight", "last-third",
        ]
        guard let name = names.first(where: { text.hasPrefix($0) }) else {
            let parts = text.split(separator: ":").compactMap { Int($0) }
            guard parts.count == 2 else { return nil }
            return day.zone.instant(of: day.date, secondOfDay: Double(parts[0] * 3600 + parts[1] * 60))
        }
        guard let event = DayEvent(rawValue: name == "last-third" ? "lastThird" : name),
            let at = time(of: event)
        else {
            return nil
        }
        let rest = text.dropFirst(name.count)
        guard let unit = rest.last, let number = Double(rest.dropFirst().dropLast()) else { return at }
        return at + number * (unit == "h" ? 3600 : 60) * (rest.first == "-" ? -1 : 1)
    }

    /// The time of an event. On a day that the timetable lacks, only times set by hand exist if such days are silent.
    private func time(of event: DayEvent) -> Instant? {
        let source = event == .imsak ? DayEvent.fajr : event
        let isByHand = Prayer.allCases.contains { prayer in
            prayer.event == source && day.byHand[prayer]?.adhanMinutes != nil
                && (prayer != .jumua || day.date.weekday == 5 && !day.hasSlots)
        }
        if day.isSilenced, !isByHand { return nil }
        guard event == .imsak, isByHand, let imsak = day.sky[.imsak], let fajr = day.sky[.fajr] else {
            return day.time(of: event)
        }
        return day.time(of: .fajr).map { $0 + (imsak - fajr) }
    }

    private func holds(_ call: CallSettings, _ at: Instant) -> Bool {
        let date = day.zone.civilDate(of: at)
        if !call.days.isEmpty, !call.days.contains(date.weekday) { return false }
        if let first = call.validity.from?.text, let last = call.validity.until?.text {
            let shown = String(date.description.dropFirst(5))
            guard first <= last ? first <= shown && shown <= last : first <= shown || shown <= last else {
                return false
            }
        }
        guard !call.hijri.isEmpty else { return true }
        // In the settings here, the Islamic day begins at maghrib.
        let isEvening = other(date).time(of: .maghrib).map { $0 <= at } ?? false
        let hijri = day.hijri.date(isEvening ? date.adding(days: 1) : date)
        let number = hijri.month * 100 + hijri.day
        return call.hijri.contains { span in
            let (first, last) = (
                span.first.month * 100 + span.first.day, span.last.month * 100 + span.last.day
            )
            return first <= last ? first <= number && number <= last : first <= number || number <= last
        }
    }
}

extension Checker {
    /// Checks the start of a call: nothing else plays, and nothing is within its lead.
    mutating func checkCall(_ job: Job, state: DaemonState, now: Instant) {
        guard job.announcement.isCall, job.positionSeconds == 0, job.phase != .stopping else { return }
        let id = job.announcement.id
        let others = state.jobs.filter { $0.token != job.token && $0.phase != .cued }.map(\.announcement.id)
        require(others.isEmpty, "\(id) begins while \(others) sound")
        let first = job.phase == .cued ? now + job.leadSeconds : now
        if let next = greater(than: first, state) { broken("\(id) begins within the lead of \(next)") }
    }

    /// Checks that a call has ended by the time at which anything else takes the device.
    mutating func checkGivingWay(_ state: DaemonState, now: Instant) {
        guard state.trust.trusted,
            let call = state.jobs.first(where: { $0.phase == .playing && $0.announcement.isCall })
        else { return }
        if let next = greater(than: now, state) {
            broken("\(call.announcement.id) sounds within the lead of \(next)")
        }
    }

    /// The announcement of a higher rank that is about to take the device.
    private mutating func greater(than now: Instant, _ state: DaemonState) -> AnnouncementID? {
        let lead = state.inputs.config.prerollSeconds + Limits.giveWayLeadSeconds - 0.01
        let reference = QuietReferencePlan(state)
        return referencePlan.plan(state, around: now).first { entry in
            entry.rank > ReferencePlan.callRank && entry.isEnabled && !entry.isSilent && entry.at > now
                && entry.at - now < lead && state.saved.outcome(of: entry.id)?.isFinal != true
                && !isSilenced(entry.id, by: state.saved.mute, at: entry.at)
                && !reference.isSilent(entry.id, at: entry.at)
        }?.id
    }

    /// Checks that a call plays no longer than its settings allow, including its part before a restart.
    mutating func checkLength(_ order: JobOrder, _ state: DaemonState) {
        guard let job = state.jobs.first(where: { $0.token == order.token }),
            case .call(let name) = job.announcement.id.kind
        else { return }
        let most = state.inputs.config.calls.first { $0.name == name }?.limitSeconds
        let limit = order.outputs[0].limitSeconds.map { $0 + order.outputs[0].positionSeconds }
        // A call that continues after a reload keeps its original sounds.
        require(
            order.outputs[0].positionSeconds > 0 || limit == most,
            "\(job.announcement.id) may last \(limit ?? 0) s, not \(most ?? 0)")
    }

    /// Checks that nothing ends for a call, and nothing but a call gives way to one.
    mutating func checkCallRecord(_ entry: HistoryEntry, _ id: AnnouncementID) {
        require(
            entry.endedBy.flatMap { AnnouncementID($0) }?.isCall != true,
            "\(id) was ended by \(entry.endedBy ?? "")")
        require(
            id.isCall || entry.gaveWayTo.flatMap { AnnouncementID($0) }?.isCall != true,
            "\(id) gave way to \(entry.gaveWayTo ?? "")")
        guard id.isCall else { return }
        require(entry.prayer == "none" && !entry.isDue, "\(id) is recorded as of \(entry.prayer)")
        if entry.outcome == .interrupted, entry.cause == .announcement {
            require(
                entry.endedBy.flatMap { AnnouncementID($0) }.map { !$0.isCall } ?? false,
                "\(id) ended for another, and its record does not say for which")
        }
    }
}
