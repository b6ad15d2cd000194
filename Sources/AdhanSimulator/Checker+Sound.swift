import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// Checks which sounds may be heard, and when.
extension Checker {
    /// Checks a sound that begins to be audible.
    mutating func checkStart(_ job: Job, state: DaemonState, disk: Disk, now: Instant, elapsed: Double) {
        let (announcement, prerollSeconds) = (job.announcement, job.leadSeconds)
        guard !announcement.isTest else { return }
        eventHadSound = true
        checkCall(job, state: state, now: now)
        let id = announcement.id
        soundOf[job.token] = id
        require(state.trust.trusted, "\(id) is called by a clock that is not trusted")
        // If the sound is due at the moment of the request that silences it, it fades out before anything is heard.
        let isFading = job.phase == .stopping
        // A sound that starts by itself starts earlier by its initial silence.
        let first = job.phase == .cued ? now + prerollSeconds : now
        // A reminder that is due at the moment when the next adhan is muted counts as due before the mute.
        let wasDue = announcement.isReminder && announcement.at <= now
        let mute = state.saved.mute
        let wasFree = wasDue && mute?.scope == .next && !isSilenced(id, by: muteBefore, at: first)
        require(
            isFading || wasFree || !isSilenced(id, by: mute, at: first),
            "\(id) is called while muted")
        require(isFading || isEnabled(announcement, state), "\(id) is called though it is disabled")
        // A cued sound starts by itself at the instant; a late one is started once the disk has recorded it.
        let isPunctual = job.positionSeconds == 0 && now - announcement.at < Limits.punctualSeconds
        require(isPunctual || disk.isGappy || disk.knows(id), "\(id) is called before the disk knows of it")
        if job.positionSeconds > 0 {
            resumed += 1
            let gap = elapsed - (cutOff[id] ?? elapsed - (now - announcement.at))
            require(
                isUnsure || gap <= Limits.resumeWithinSeconds + 1,
                "\(id) is resumed \(gap) s after it was cut off")
            require(!lostWithPower.contains(id), "\(id) is resumed though the machine was started again")
            require(
                abs(job.positionSeconds - (now + prerollSeconds - (job.startedAt ?? announcement.at))) < 0.01,
                "\(id) is resumed at \(job.positionSeconds) s, which is not where it would be")
        } else {
            called += 1
            lostWithPower.remove(id)
            checkPunctual(announcement, state.inputs.config, now: first, elapsed: elapsed)
            if let number = begun[id] {
                require(sounds - number > Limits.soundsRemembered, "\(id) is called twice")
            }
        }
        sounds += 1
        if job.positionSeconds == 0 { beganAt[id] = nil }
        audibleFrom[id] = elapsed + prerollSeconds
        begun[id] = sounds
    }

    /// Only another adhan, or a simulated one, may cut an adhan short.
    mutating func checkUncut(_ state: DaemonState) {
        let mayTakeOver = state.jobs.contains {
            $0.phase != .stopping && ($0.announcement.isAdhan || $0.announcement.isSimulated)
        }
        for job in jobsBefore where job.phase == .playing && job.announcement.isAdhan {
            let isCut = state.jobs.contains { $0.token == job.token && $0.phase == .stopping }
            require(!isCut || mayTakeOver, "\(job.announcement.id) is cut short by nothing that may")
        }
    }

    private mutating func checkPunctual(
        _ announcement: Announcement, _ config: Config, now: Instant, elapsed: Double
    ) {
        let id = announcement.id
        var lateness = now - announcement.at
        // An iqama waits for its adhan to end, and counts as late from then on.
        if id.kind == .iqama, let end = adhanEnd, end.id == id.adhan {
            lateness = min(lateness, max(0, elapsed - end.at))
        }
        // A triggered announcement keeps the settings of its trigger.
        let grace =
            announcement.isSimulated ? announcement.lateGraceSeconds : ReferencePlan.grace(of: id, in: config)
        require(lateness >= -0.001, "\(id) is called \(-lateness) s early")
        require(
            lateness <= grace + Limits.punctualSeconds + 0.001,
            "\(id) is called \(lateness) s late, beyond its grace")
        require(
            lateness < 0.1 || !isCalm(since: lateness, elapsed), "\(id) is \(lateness) s late for no reason")
    }

    // MARK: Requests

    /// A request that changes something is answered once the change is on disk.
    mutating func replied(_ reply: Reply, state: DaemonState, disk: Disk) {
        guard case .document(let document) = reply, document is ChangeReply, disk.unsaved == nil else {
            return
        }
        let kept = disk.saved
        require(
            kept?.mute.isSame(as: state.saved.mute) == true && kept?.toggles == state.saved.toggles
                && kept?.exceptions == state.saved.exceptions && kept?.pins == state.saved.pins,
            "a reply leaves before the disk holds what it says")
    }

    mutating func checkRequest(
        _ request: ControlRequest, _ effects: [Effect], state: DaemonState, elapsed: Double
    ) {
        var reply: ChangeReply?
        for case .reply(_, .document(let document)) in effects { reply = document as? ChangeReply ?? reply }
        guard let reply else {
            if case .mute = request { mute = muteKept }
            return
        }
        switch request {
        case .mute(let asked): mute.noteRequest(asked, reply, elapsed: elapsed)
        case .unmute:
            mute.forget()
            require(state.saved.mute == nil, "unmuted, and yet muted")
        case .enablePrayers(let names), .disablePrayers(let names):
            var wanted = false
            if case .enablePrayers = request { wanted = true }
            for prayer in names.compactMap({ Prayer(rawValue: $0) }) {
                require(
                    ReferencePlan.isEnabled(prayer, state.inputs.config, state.saved.toggles.switches)
                        == wanted,
                    "the switch of \(prayer.rawValue) does nothing")
                requireNoIdleSwitch(prayer, state)
                if prayer == .dhuhr { requireNoIdleSwitch(.jumua, state) }
            }
        case .stop: require(!state.jobs.contains { $0.phase == .playing }, "stopped, and yet it sounds")
        default: break
        }
    }

    /// Checks for a switch that repeats the file's value. It has no effect, but would hide a later edit of the file.
    private mutating func requireNoIdleSwitch(_ prayer: Prayer, _ state: DaemonState) {
        let (config, switches) = (state.inputs.config, state.saved.toggles.switches)
        guard let own = switches[prayer], own == config[prayer].enabled else { return }
        let others = switches.filter { $0.key != prayer }
        require(
            ReferencePlan.isEnabled(prayer, config, others) != own,
            "the switch of \(prayer.rawValue) says what the file says, and is kept")
    }
}

extension Mute? {
    /// Whether two mutes are equal. The file drops fractions of a millisecond, and a clock that is set back moves the beginning.
    func isSame(as other: Mute?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        let ends = [self, other].map { $0.until?.unixSeconds ?? 0 }
        return self.scope == other.scope && self.id == other.id && abs(ends[0] - ends[1]) <= 0.001
    }
}
