import Announcements
package import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// Requests from the control socket.
extension DaemonState {
    mutating func answer(
        _ request: ControlRequest, _ id: RequestID, from peer: Peer, _ batch: inout EffectBatch
    ) {
        if let change = request.change {
            guard inputs.permits(change, to: peer) else {
                deny(change, to: peer, &batch)
                return batch.add(.reply(id, .refused(.notPermitted(needed: inputs.config.controlGroup))))
            }
            if let role = inputs.limitedRole(of: peer), role < change.lowestRole {
                return batch.add(.reply(id, .refused(.roleNeeded(change.lowestRole))))
            }
            batch.explain("user \(peer.user) asks: \(change.verb)")
        }
        do {
            try perform(request, id, from: peer, &batch)
        } catch {
            batch.add(.reply(id, .refused(error)))
        }
    }

    private mutating func perform(
        _ request: ControlRequest, _ id: RequestID, from peer: Peer, _ batch: inout EffectBatch
    ) throws(ControlError) {
        let now = batch.now
        switch request {
        case .getStatus: send(StatusReply(status: status(at: now)), to: id, &batch)
        case .getTimes(let date, let days): send(try times(from: date, days: days, now: now), to: id, &batch)
        case .getAgenda(let from, let days):
            send(try agenda(from: from, days: days, now: now), to: id, &batch)
        case .getLog(let limit):
            send(LogReply(entries: log.last(limit).map { LogEntry($0, in: zone) }), to: id, &batch)
        case .getHistory(let days): batch.add(.replyWithHistory(id, days: days))
        case .getTimers: send(timersReply(), to: id, &batch)
        case .getHealth: batch.add(.replyWithHealth(id, status(at: now)))
        case .getDevices: batch.add(.replyWithDevices(id, named: namedDevices))
        case .testDevice(let asked): try testDevice(asked, id, from: peer, &batch)
        case .getSounds: batch.add(.replyWithSounds(id))
        case .getDiagnostics(let exact):
            send(DiagnosticsReply(text: diagnostics(at: now, exact: exact)), to: id, &batch)
        case .check(let file):
            batch.add(.check(id, file: file))
        case .monitor(let snapshot):
            batch.add(.beginMonitor(id, snapshot ? status(at: now) : nil))
        case .setSettings(let asked): try changeSettings(.set(asked), id, from: peer, &batch)
        case .undoSettings(let change): try changeSettings(.undo(change), id, from: peer, &batch)
        case .getSettings(let prefix): send(settingsReply(prefix: prefix), to: id, &batch)
        case .applyEnvelope(let text): try applyEnvelope(text, id, &batch)
        case .getFleet: send(fleetReply(at: now), to: id, &batch)
        case .getChanges(let limit): send(ChangesReply(settings, limit: limit), to: id, &batch)
        case .mute(let asked): send(try mute(asked, by: peer, &batch), to: id, &batch)
        case .unmute: send(unmute(&batch), to: id, &batch)
        case .muteOutput(let asked): send(try muteOutput(asked, by: peer, &batch), to: id, &batch)
        case .unmuteOutput(let name): send(try unmuteOutput(name, &batch), to: id, &batch)
        case .enablePrayers(let names): send(try toggle(names, true, &batch), to: id, &batch)
        case .disablePrayers(let names): send(try toggle(names, false, &batch), to: id, &batch)
        case .skipPrayers(let asked): send(try skip(asked, &batch), to: id, &batch)
        case .unskipPrayers(let asked): send(try unskip(asked, &batch), to: id, &batch)
        case .getSkips: send(SkipsReply(skips: skips(at: now)), to: id, &batch)
        case .stop: send(try stop(by: peer, &batch), to: id, &batch)
        case .getOutputs: send(OutputsReply(outputs: outputStates(at: now)), to: id, &batch)
        case .testPlay(let name, let seconds, let despiteQuiet, let outputs):
            let prayer = try prayer(name)
            try test(
                prayer, sounds: inputs.config[prayer].sound.sounds(on: zone.civilDate(of: now)),
                limitSeconds: seconds, strict: false, on: outputs,
                despiteQuiet: despiteQuiet && inputs.limitedRole(of: peer) == nil, id, &batch)
        case .playSound(let name, let prayer, let despiteQuiet, let outputs):
            // A caller that acts for another person must not open files by path.
            if inputs.limitedRole(of: peer) != nil, name.contains("/") {
                throw .soundUnusable(sound: name, reason: "only a sound's name is played by this role")
            }
            let prayer = try prayer.map { name throws(ControlError) in try self.prayer(name) } ?? .dhuhr
            try test(
                prayer, sounds: [name], limitSeconds: nil, strict: true, on: outputs,
                despiteQuiet: despiteQuiet && inputs.limitedRole(of: peer) == nil, id, &batch)
        case .setException(let asked): send(try setException(asked, &batch), to: id, &batch)
        case .removeException(let asked): send(try removeException(asked, &batch), to: id, &batch)
        case .getExceptions: send(ExceptionsReply(saved.exceptions), to: id, &batch)
        case .hijriSighted(let date): send(try hijriSighted(on: date, &batch), to: id, &batch)
        case .hijriComplete(let date): send(try hijriComplete(on: date, &batch), to: id, &batch)
        case .removeHijriPin(let month): send(try removeHijriPin(month, &batch), to: id, &batch)
        case .getHijriPins: send(hijriPins(), to: id, &batch)
        case .getTimetable: send(TimetableReply(table: inputs.site.times.table.csv()), to: id, &batch)
        case .reloadTimetable: batch.add(.readTimetable(id))
        case .reload(let written, let isUnattended):
            read(.reload(id, written: written, isUnattended: isUnattended), &batch)
        case .trigger(let name, let delay): send(try trigger(prayer(name), delay, &batch), to: id, &batch)
        }
    }

    /// Seconds before an announcement in which devices are not tried: the announcement needs them free.
    static let quietSeconds = 60.0

    /// Why devices must not be opened now. The shell asks just before it opens one, because a request may have waited in a queue.
    package func reasonToSpareDevices(at now: Instant) -> String? {
        if jobs.contains(where: { $0.hasDevice }) { return "adhand is using it" }
        if isToneSounding(at: now) { return "adhand is keeping the loudspeaker awake" }
        let isNear = plan(at: now).contains { (0...Self.quietSeconds).contains($0.announcement.at - now) }
        return isNear || !jobs.isEmpty ? "adhand is about to call, and needs it" : nil
    }

    /// Devices on which something sounds: they are open, so they are not tried.
    package var soundingDevices: [String] {
        jobs.filter(\.hasDevice).flatMap(\.parts).filter { $0.end == nil && $0.silence == nil }
            .compactMap(\.device)
    }

    private func send(_ document: some ReplyDocument, to id: RequestID, _ batch: inout EffectBatch) {
        batch.add(.reply(id, .document(document)))
    }

    /// Forgets the request of a caller that has disconnected.
    mutating func forget(_ id: RequestID) {
        for index in jobs.indices where jobs[index].waiting == id { jobs[index].waiting = nil }
        forgetEnvelope(of: id)
    }

    func prayer(_ name: String) throws(ControlError) -> Prayer {
        guard let prayer = Prayer(rawValue: name.lowercased()) else { throw .unknownPrayer(prayer: name) }
        return prayer
    }

    mutating func toggle(
        _ names: [String], _ enabled: Bool, _ batch: inout EffectBatch
    ) throws(ControlError) -> ChangeReply {
        guard !names.isEmpty else { throw .invalidParameter(parameter: "prayers") }
        var prayers: [Prayer] = []
        for name in names { prayers.append(try prayer(name)) }
        // Whatever is already due is decided by the old switches first.
        reconcile(&batch)
        let changed = prayers.filter { saved.toggles.set($0, enabled, in: inputs.config) }
        planCache.invalidate()
        let word = enabled ? "enabled" : "disabled"
        guard !changed.isEmpty else {
            return ChangeReply("\(titles(prayers)) \(prayers.count == 1 ? "was" : "were") \(word) already")
        }
        var echo = ""
        if !enabled {
            let (toggles, config) = (saved.toggles, inputs.config)
            let isOff: (Job) -> Bool = {
                $0.announcement.isPlanned && $0.announcement.id.isOfPrayer
                    && !toggles.isEnabled($0.announcement.prayer, in: config)
            }
            echo = fadeOut(because: EndedBy(.toggle, "adhanctl disable"), where: isOff, &batch)
        }
        let message = "\(titles(changed)) \(word)"
        batch.publish(.toggleChanged, .notice, message)
        publishPlan(&batch)
        return ChangeReply(message + echo + followers(of: changed), problems: muteNews(&batch))
    }

    private func titles(_ prayers: [Prayer]) -> String {
        prayers.map(\.title).joined(separator: ", ")
    }

    private func followers(of changed: [Prayer]) -> String {
        let followsDhuhr =
            changed.contains(.dhuhr) && !changed.contains(.jumua) && saved.toggles.switches[.jumua] == nil
            && inputs.config[.jumua].enabled == inputs.config[.dhuhr].enabled
        return followsDhuhr ? " (Friday's Jumu'ah follows Dhuhr)" : ""
    }

    private mutating func stop(by peer: Peer, _ batch: inout EffectBatch) throws(ControlError) -> ChangeReply
    {
        // Includes a prayer that has just become due.
        reconcile(&batch)
        callWhatWasSent(where: { _ in true }, &batch)
        guard let job = jobs.first(where: \.isToGoOn) else { throw .nothingPlaying }
        let echo = fadeOut(because: EndedBy(.stop, "adhanctl stop (user \(peer.user))"), &batch)
        return ChangeReply("stopping \(job.announcement.title)\(echo)", id: job.announcement.id.description)
    }

    /// Refuses a test while something else sounds or is about to.
    func refuseTest(at batch: EffectBatch) throws(ControlError) {
        if let job = jobs.first(where: { $0.phase != .cued }) {
            throw .busy(playing: "\(job.announcement.title) is playing")
        }
        if let job = jobs.first {
            let wait = NumberText.decimals(max(0, job.announcement.at - batch.now), 0)
            throw .busy(playing: "\(job.announcement.title) is called in \(wait) s")
        }
    }

    private mutating func test(
        _ prayer: Prayer, sounds: [String], limitSeconds: Double?, strict: Bool, on outputs: [String],
        despiteQuiet: Bool, _ id: RequestID,
        _ batch: inout EffectBatch
    ) throws(ControlError) {
        try refuseTest(at: batch)
        let announcement = try testWithVolumes(
            Announcement(
                testing: prayer, serial: tokens + 1, at: batch.now, sounds: sounds,
                settings: inputs.config[prayer],
                subject: strict ? sounds.map { "\"\(PlainText.visible($0))\"" }.joined(separator: ", ") : nil),
            on: outputs, despiteQuiet: despiteQuiet, now: batch.now)
        guard !announcement.isSilent else {
            let message = "\(prayer.title) is set to \"silent\": there is nothing to hear"
            return send(ChangeReply(message, id: announcement.id.description), to: id, &batch)
        }
        guard announcement.shares?.heard.isEmpty != true else {
            return send(
                ChangeReply(nothingText(prayer, announcement.shares ?? []), id: announcement.id.description),
                to: id, &batch)
        }
        let index = jobs.endIndex
        _ = add(announcement, .playing, at: batch.now)
        jobs[index].waiting = id
        jobs[index].strict = strict
        jobs[index].limitSeconds = limitSeconds
        batch.add(.cue(order(for: jobs[index])))
        batch.add(.start(token: jobs[index].token))
    }

    /// - Parameter shares: the outputs that would play it, or that were requested; each of them has no volume.
    private func nothingText(_ prayer: Prayer, _ shares: [OutputShare]) -> String {
        guard !shares.isEmpty else { return "no output plays \(prayer.title): there is nothing to hear" }
        let names = shares.map { "\"\($0.output)\"" }.joined(separator: ", ")
        return "the volume of \(prayer.title) on \(names) is 0: there is nothing to hear"
    }

    /// `playing what Fajr would play: standard, volume 60, 10.8 s, on "default"`
    func soundingText(_ job: Job) -> String {
        let announcement = job.announcement
        let soundNames =
            job.onlyDevice == nil
            ? announcement.sounds.joined(separator: ", ") : "the time signal"
        let isAlone = job.strict || job.onlyDevice != nil
        let subject = isAlone ? "playing" : "playing what \(announcement.prayer.title) would play:"
        let length = job.durationSeconds.map { ", \(NumberText.decimals($0, 1)) s" } ?? ""
        let note =
            job.onlyDevice == nil ? job.substitution.map { "; note: \($0)" } ?? "" : ""
        if let shares = announcement.shares, job.onlyDevice == nil {
            let places = shares.map { share in placeText(share, job.parts.first { $0.output == share.output })
            }
            return "\(subject) \(soundNames)\(length), \(places.joined(separator: "; "))\(note)"
        }
        let device = job.device.map { ", on \"\($0)\"" } ?? ""
        let volume = "volume \(announcement.volumePercent)\(reasonText(announcement.quiet))"
        return "\(subject) \(soundNames), \(volume)\(length)\(device)\(note)"
    }

    /// `on "hall" at 20 % (quiet window "nap")`
    private func placeText(_ share: OutputShare, _ part: OutputPart?) -> String {
        if share.isSilent { return "silent on \"\(share.output)\"\(reasonText(share.quiet))" }
        let trouble = part.flatMap { $0.end?.reason ?? $0.silence ?? $0.mixerSilence }
        if let trouble { return "not heard on \"\(share.output)\" (\(trouble))" }
        return "on \"\(share.output)\" at \(share.volumePercent) %\(reasonText(share.quiet))"
    }

    private func reasonText(_ quiet: String?) -> String {
        quiet.map { $0 == OutputMute.name ? " (muted)" : " (quiet window \"\($0)\")" } ?? ""
    }

    private mutating func trigger(
        _ prayer: Prayer, _ delay: String?, _ batch: inout EffectBatch
    ) throws(ControlError) -> ChangeReply {
        guard inputs.config.debugTriggers else { throw .debugDisabled }
        var seconds = 0.0
        if let delay {
            guard let parsed = DurationText.parse(delay), parsed <= Self.horizonSeconds else {
                throw .invalidTime(value: delay, reason: "write a duration up to 24h such as 20s or 5m")
            }
            seconds = parsed
        }
        tokens += 1
        let at = batch.now + seconds
        let announcement = Announcement(
            .simulated(prayer, serial: tokens, at: at), at: at, settings: inputs.config[prayer],
            day: zone.civilDate(of: at))
        simulated.append(announcement)
        let caution = trust.trusted ? "" : "; nothing is called until the clock is set"
        return ChangeReply(
            "a simulated \(prayer.title) is set for \(InstantText.second(at, in: zone))\(caution)",
            id: announcement.id.description)
    }
}
