import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import Times

/// The checker's own computation of quiet windows: minute by minute of the wall clock, from the day on which a
/// window begins.
struct QuietReferencePlan {
    let config: Config
    let zone: Zone

    init(_ state: DaemonState) {
        (config, zone) = (state.inputs.config, state.inputs.site.zone)
    }

    /// The highest percentage at an instant, and the name of the window that sets it; `nil` where none is in force.
    func cap(of id: AnnouncementID, at instant: Instant, on output: String? = nil) -> (
        percent: Int, window: String
    )? {
        let kind = Self.kind(of: id)
        var lowest: (percent: Int, window: String)?
        for window in config.quiet where lowest.map({ window.volumePercent < $0.percent }) ?? true {
            guard window.kinds.isEmpty || window.kinds.map(\.rawValue).contains(kind),
                covers(window, instant),
                output.map({ window.outputs.isEmpty || window.outputs.contains($0) }) ?? true
            else { continue }
            lowest = (window.volumePercent, window.name)
        }
        return lowest
    }

    func isSilent(_ id: AnnouncementID, at instant: Instant) -> Bool {
        cap(of: id, at: instant)?.percent == 0
    }

    /// The volume of a sound, limited by the windows.
    func volume(_ own: Int, of id: AnnouncementID, at instant: Instant) -> Int {
        min(own, cap(of: id, at: instant)?.percent ?? 100)
    }

    func covers(_ window: QuietWindow, _ instant: Instant) -> Bool {
        let shown = zone.clock(of: instant)
        // An instant that was written to disk has milliseconds, which must not change the minute.
        let minute = Int((shown.secondOfDay / 60).rounded(.down))
        let (from, until) = (window.fromMinutes ?? 0, window.untilMinutes ?? 1440)
        let length = until > from ? until - from : until + 1440 - from
        // A window is at most a day long: it began today or yesterday.
        return [0, 1].contains { ago in
            let began = shown.date.adding(days: -ago)
            let since = minute + ago * 1440 - from
            return since >= 0 && since < length && isDay(began, of: window)
        }
    }

    private func isDay(_ date: CivilDate, of window: QuietWindow) -> Bool {
        let text = date.description
        let (first, last) = (window.firstDay?.text ?? "", window.lastDay?.text ?? "")
        let isWithin: Bool
        if first.count == 5 {
            let day = String(text.dropFirst(5))
            isWithin = first <= last ? first <= day && day <= last : !(last < day && day < first)
        } else {
            isWithin = (first.isEmpty || first <= text) && (last.isEmpty || text <= last)
        }
        return isWithin && (window.days.isEmpty || window.days.contains(date.weekday))
    }

    static func kind(of id: AnnouncementID) -> String {
        let text = id.description
        if text.hasPrefix("iqama-reminder-") || text.hasPrefix("reminder-") { return "reminder" }
        let kinds = ["iqama", "khutba", "wake", "imsak", "takbirat", "call"]
        return kinds.first { text.hasPrefix($0 + "_") || text.hasPrefix($0 + "-") } ?? "adhan"
    }
}

extension Checker {
    /// Checks a prepared sound: as loud as its instant allows, and not prepared at all where that is silent. A sound that is
    /// resumed after a restart keeps its volume.
    mutating func checkLoudness(_ order: JobOrder, _ state: DaemonState, now: Instant) {
        guard let job = state.jobs.first(where: { $0.token == order.token }),
            !state.inputs.config.quiet.isEmpty
        else { return }
        let (announcement, id) = (job.announcement, job.announcement.id)
        if job.positionSeconds > 0 {
            let before = loudness[id]
            return require(
                isUnsure || before == nil || before == order.outputs[0].volumePercent,
                "\(id) goes on at \(order.outputs[0].volumePercent) % after \(before ?? 0) %")
        }
        let reference = QuietReferencePlan(state)
        // A sound that is prepared in advance has the volume of its instant; a late one, that of the moment of the call.
        let isLate = order.heardAt == nil && now - announcement.at >= Limits.punctualSeconds
        let instant = isLate || announcement.isTest ? now : announcement.at
        require(
            announcement.isTest && isDespiteQuiet
                || order.outputs[0].volumePercent
                    == reference.volume(announcement.ownVolumePercent, of: id, at: instant),
            "\(id) is prepared at \(order.outputs[0].volumePercent) %, which a quiet window does not allow")
        require(
            announcement.isTest && isDespiteQuiet || !reference.isSilent(id, at: instant),
            "\(id) is prepared in a quiet window")
        loudness[id] = order.outputs[0].volumePercent
    }

    /// Checks that the outcome quiet is recorded exactly if a window silences the instant, or the moment of a late call.
    mutating func checkQuiet(
        _ entry: HistoryEntry, _ id: AnnouncementID, at: Instant, _ state: DaemonState, now: Instant
    ) {
        let reference = QuietReferencePlan(state)
        let grace = ReferencePlan.grace(of: id, in: state.inputs.config) + Limits.punctualSeconds
        let isLate = now - at >= Limits.punctualSeconds
        switch entry.outcome {
        case .quiet:
            // The history stores milliseconds. The lateness of an iqama that waited for its adhan counts from that adhan's end.
            let instants = [at] + (isLate ? [now] : [])
            require(
                instants.contains { reference.cap(of: id, at: $0).map { $0.percent == 0 } ?? false },
                "\(id) is recorded as quiet, and no window silences it")
            require(
                instants.contains { reference.cap(of: id, at: $0)?.window == entry.quiet },
                "\(id) is recorded as quiet by \(entry.quiet ?? "nothing")")
        case .missed where now - at > grace:
            require(!reference.isSilent(id, at: at), "\(id) is recorded as missed in a quiet window")
        case .silent where !isLate:
            require(!reference.isSilent(id, at: at), "\(id) is recorded as silent in a quiet window")
        default: break
        }
    }
}
