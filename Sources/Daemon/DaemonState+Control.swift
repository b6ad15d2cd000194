import PrayerEngine
import Protocol
import Settings
import Texts
import Times

/// Requests from the control socket.
extension DaemonState {
    mutating func answer(_ request: ControlRequest, _ id: RequestID, from peer: Peer, _ turn: inout Turn) {
        guard request.isReading || mayChange(peer) else {
            deny(request, to: peer, &turn)
            return turn.add(.reply(id, .refused(.notPermitted(needed: world.config.controlGroup))))
        }
        if !request.isReading { turn.explain("user \(peer.user) asks: \(request.verb)") }
        do {
            try perform(request, id, from: peer, &turn)
        } catch {
            turn.add(.reply(id, .refused(error)))
        }
    }

    private func mayChange(_ peer: Peer) -> Bool { world.rank(of: peer) > .stranger }

    private mutating func perform(
        _ request: ControlRequest, _ id: RequestID, from peer: Peer, _ turn: inout Turn
    ) throws(ControlError) {
        let now = turn.now
        switch request {
        case .getStatus: say(StatusReply(status: status(at: now)), to: id, &turn)
        case .getTimes(let date, let days): say(try times(from: date, days: days, now: now), to: id, &turn)
        case .getAgenda(let from, let days):
            say(try agenda(from: from, days: days, now: now), to: id, &turn)
        case .getLog(let limit):
            say(LogReply(entries: log.last(limit).map { LogEntry($0, in: zone) }), to: id, &turn)
        case .getHistory(let days): turn.add(.replyWithHistory(id, days: days))
        case .getTimers: say(timersReply(), to: id, &turn)
        case .getSounds: turn.add(.replyWithSounds(id))
        case .getDiagnostics(let exact):
            say(DiagnosticsReply(text: diagnostics(at: now, exact: exact)), to: id, &turn)
        case .check(let file): turn.add(.check(id, file: file, sparingDevices: reasonToSpareDevices(at: now)))
        case .monitor(let snapshot):
            turn.add(.beginMonitor(id, snapshot ? status(at: now) : nil))
        case .mute(let asked): say(try mute(asked, &turn), to: id, &turn)
        case .unmute: say(unmute(&turn), to: id, &turn)
        case .enablePrayers(let names): say(try toggle(names, true, &turn), to: id, &turn)
        case .disablePrayers(let names): say(try toggle(names, false, &turn), to: id, &turn)
        case .skipPrayers(let asked): say(try skip(asked, &turn), to: id, &turn)
        case .unskipPrayers(let asked): say(try unskip(asked, &turn), to: id, &turn)
        case .getSkips: say(SkipsReply(skips: skips(at: now)), to: id, &turn)
        case .stop: say(try stop(by: peer, &turn), to: id, &turn)
        case .testPlay(let name, let seconds):
            let prayer = try prayer(name)
            try test(prayer, sounds: world.config[prayer].sound, limit: seconds, strict: false, id, &turn)
        case .playSound(let name, let prayer):
            let prayer = try prayer.map { name throws(ControlError) in try self.prayer(name) } ?? .dhuhr
            try test(prayer, sounds: [name], limit: nil, strict: true, id, &turn)
        case .setException(let asked): say(try setException(asked, &turn), to: id, &turn)
        case .removeException(let asked): say(try removeException(asked, &turn), to: id, &turn)
        case .getExceptions: say(ExceptionsReply(saved.exceptions), to: id, &turn)
        case .hijriSighted(let date): say(try hijriSighted(on: date, &turn), to: id, &turn)
        case .hijriComplete(let date): say(try hijriComplete(on: date, &turn), to: id, &turn)
        case .removeHijriPin(let month): say(try removeHijriPin(month, &turn), to: id, &turn)
        case .getHijriPins: say(hijriPins(), to: id, &turn)
        case .getTimetable: say(TimetableReply(table: world.site.times.table.csv()), to: id, &turn)
        case .reloadTimetable: turn.add(.readTimetable(id))
        case .reload(let written, let isUnattended):
            read(.reload(id, written: written, isUnattended: isUnattended), &turn)
        case .trigger(let name, let delay): say(try trigger(prayer(name), delay, &turn), to: id, &turn)
        }
    }

    /// Seconds before an announcement from which on no device is tried: the announcement needs it free.
    private static let quietTime = 60.0

    func reasonToSpareDevices(at now: Instant) -> String? {
        if jobs.contains(where: { $0.hasDevice }) { return "adhand is using it" }
        let isNear = plan(at: now).contains { (0...Self.quietTime).contains($0.announcement.at - now) }
        return isNear || !jobs.isEmpty ? "adhand is about to call, and needs it" : nil
    }

    private func say(_ document: some ReplyDocument, to id: RequestID, _ turn: inout Turn) {
        turn.add(.reply(id, .document(document)))
    }

    /// Nobody waits any longer.
    mutating func forget(_ id: RequestID) {
        for index in jobs.indices where jobs[index].waiting == id { jobs[index].waiting = nil }
    }

    func prayer(_ name: String) throws(ControlError) -> Prayer {
        guard let prayer = Prayer(rawValue: name.lowercased()) else { throw .unknownPrayer(prayer: name) }
        return prayer
    }

    private mutating func toggle(
        _ names: [String], _ enabled: Bool, _ turn: inout Turn
    ) throws(ControlError) -> SaidReply {
        guard !names.isEmpty else { throw .invalidParameter(parameter: "prayers") }
        var prayers: [Prayer] = []
        for name in names { prayers.append(try prayer(name)) }
        // What is past was decided by the switches of its own time.
        settle(&turn)
        let changed = prayers.filter { saved.toggles.set($0, enabled, in: world.config) }
        planCache.invalidate()
        let word = enabled ? "enabled" : "disabled"
        guard !changed.isEmpty else {
            return SaidReply("\(titles(prayers)) \(prayers.count == 1 ? "was" : "were") \(word) already")
        }
        if !enabled {
            let (toggles, config) = (saved.toggles, world.config)
            let isOff: (Job) -> Bool = {
                $0.announcement.isPlanned && $0.announcement.id.kind != .takbirat
                    && !toggles.isEnabled($0.announcement.prayer, in: config)
            }
            fadeOut(because: Ending(.toggle, "adhanctl disable"), where: isOff, &turn)
        }
        let message = "\(titles(changed)) \(word)"
        turn.publish(.toggleChanged, .notice, message)
        publishPlan(&turn)
        return SaidReply(message + followers(of: changed), problems: muteNews(&turn))
    }

    private func titles(_ prayers: [Prayer]) -> String {
        prayers.map(\.title).joined(separator: ", ")
    }

    private func followers(of changed: [Prayer]) -> String {
        let follows =
            changed.contains(.dhuhr) && !changed.contains(.jumua) && saved.toggles.switches[.jumua] == nil
            && world.config[.jumua].enabled == world.config[.dhuhr].enabled
        return follows ? " (Friday's Jumu'ah follows Dhuhr)" : ""
    }

    private mutating func stop(by peer: Peer, _ turn: inout Turn) throws(ControlError) -> SaidReply {
        // What has just become due is meant as well.
        settle(&turn)
        guard let job = jobs.first(where: \.isToGoOn) else { throw .nothingPlaying }
        fadeOut(because: Ending(.stop, "adhanctl stop (user \(peer.user))"), &turn)
        return SaidReply("stopping \(job.announcement.title)", id: job.announcement.id.description)
    }

    private mutating func test(
        _ prayer: Prayer, sounds: [String], limit: Double?, strict: Bool, _ id: RequestID, _ turn: inout Turn
    ) throws(ControlError) {
        if let job = jobs.first(where: { $0.phase != .cued }) {
            throw .busy(playing: "\(job.announcement.title) is playing")
        }
        if let job = jobs.first {
            let wait = NumberText.decimals(max(0, job.announcement.at - turn.now), 0)
            throw .busy(playing: "\(job.announcement.title) is called in \(wait) s")
        }
        let announcement = Announcement(
            testing: prayer, serial: tokens + 1, at: turn.now, sounds: sounds, settings: world.config[prayer])
        guard !announcement.isSilent else {
            let message = "\(prayer.title) is set to \"silent\": there is nothing to hear"
            return say(SaidReply(message, id: announcement.id.description), to: id, &turn)
        }
        let index = jobs.endIndex
        _ = add(announcement, .playing)
        jobs[index].waiting = id
        jobs[index].strict = strict
        turn.add(.cue(order(for: jobs[index], limit: limit, strict: strict)))
        turn.add(.start(token: jobs[index].token))
    }

    /// `playing what Fajr would play: standard, volume 60, 10.8 s, on "default"`
    func soundingText(_ job: Job) -> String {
        let announcement = job.announcement
        let what = announcement.sounds.joined(separator: ", ")
        let length = job.duration.map { ", \(NumberText.decimals($0, 1)) s" } ?? ""
        let device = job.device.map { ", on \"\($0)\"" } ?? ""
        let note = job.substitution.map { "; note: \($0)" } ?? ""
        let subject = job.strict ? "playing" : "playing what \(announcement.prayer.title) would play:"
        return "\(subject) \(what), volume \(announcement.volume)\(length)\(device)\(note)"
    }

    private mutating func trigger(
        _ prayer: Prayer, _ delay: String?, _ turn: inout Turn
    ) throws(ControlError) -> SaidReply {
        guard world.config.debugTriggers else { throw .debugDisabled }
        var seconds = 0.0
        if let delay {
            guard let parsed = DurationText.parse(delay), parsed <= Self.horizon else {
                throw .invalidTime(value: delay, reason: "write a duration up to 24h such as 20s or 5m")
            }
            seconds = parsed
        }
        tokens += 1
        let at = turn.now + seconds
        let announcement = Announcement(
            .pretended(prayer, serial: tokens, at: at), at: at, settings: world.config[prayer])
        pretended.append(announcement)
        let caution = trust.trusted ? "" : "; nothing is called until the clock is set"
        return SaidReply(
            "a simulated \(prayer.title) is set for \(InstantText.second(at, in: zone))\(caution)",
            id: announcement.id.description)
    }
}
