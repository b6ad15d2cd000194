import Announcements
import PrayerEngine
import Protocol
import Settings
import Times

/// Reads the configuration, the machine's zone and the timetable again, and applies the result.
extension DaemonState {
    /// Begins a reading, which may take as long as a file system needs: it runs beside the daemon, and its end is an event.
    mutating func read(_ change: InputsChange, _ batch: inout EffectBatch) {
        if change.isMeant { batch.add(.notifyService(.reloading)) }
        if readings.begin(change) { begin(change, &batch) }
    }

    mutating func begin(_ change: InputsChange, _ batch: inout EffectBatch) {
        switch change {
        case .settings(let ask): trySettings(ask, &batch)
        case .fleet(let task):
            isTrialStale = false
            batch.add(.tryFleet(task))
        case .reload, .retry, .zone: batch.add(.readInputs(change))
        }
    }

    private mutating func readingEnded(
        _ change: InputsChange, _ next: InputsChange?, _ batch: inout EffectBatch
    ) {
        if change.isMeant { batch.add(.notifyService(.ready)) }
        if let next { begin(next, &batch) }
    }

    /// Ends a reading that changes nothing.
    mutating func endReading(_ change: InputsChange, _ batch: inout EffectBatch) {
        readingEnded(change, readings.end(change, at: batch.now), &batch)
    }

    /// Whether a part could not be read, so that its earlier content remains in force.
    var needsReadingAgain: Bool {
        configurationProblem != nil || inputs.zoneProblem != nil || inputs.timetableProblem != nil
    }

    mutating func readAgain(_ batch: inout EffectBatch) {
        guard !stopping, needsReadingAgain, readings.isDue(at: batch.now) else { return }
        read(.retry, &batch)
    }

    mutating func enter(
        _ new: DaemonInputs, _ change: InputsChange, _ lost: [ConfigurationLoss], _ batch: inout EffectBatch
    ) {
        let old = inputs
        let before = configurationProblem
        let wasBroken = before != nil
        let next = readings.end(change, at: batch.now)
        if change.readsFiles { configurationProblem = new.problem }
        health.outputsChanged(to: new.config.allOutputs)
        let muted = mutedAdhan(at: batch.now)
        inputs = new
        forgetOutputs(&batch)
        renewSite(at: batch.now)
        renameMutedAdhan(since: muted, now: batch.now)
        reportZone(since: old, &batch)
        adopt(new, &batch)
        switch change {
        case .reload(let request, let written, _):
            let isKnown = before?.error.cause == .lost
            reloaded(
                Self.unmeant(lost, written, since: old, in: new, isKnown: isKnown), request,
                confirms: change.confirmsLosses, since: old, &batch)
        case .retry where wasBroken && configurationProblem == nil:
            batch.publish(
                .configReloaded, .notice,
                "the configuration can be used again and is in force: \(new.configuration)")
            reportProblems(of: new, &batch)
            reconcile(&batch)
        case .retry, .zone, .settings, .fleet: reconcile(&batch)
        }
        leaveFleets(&batch)
        reportFleet(since: old, &batch)
        reportSettings(since: old, &batch)
        if change.isMeant || inputs.config.allOutputs.map(\.devices) != old.config.allOutputs.map(\.devices) {
            checkDevices(&batch)
        }
        if !change.isMeant { reportTimetable(since: old, &batch) }
        readingEnded(change, next, &batch)
        // A problem that is checked every minute is reported only when it changes.
        let isNews = inputs.site.times != old.site.times || inputs.config != old.config
        if change != .retry || isNews {
            reportPlaceProblem(&batch)
            publishPlan(&batch)
        }
    }

    /// Reports a fleet's configuration, or a part of it, that the files of this box do not allow.
    mutating func reportFleet(since old: DaemonInputs?, _ batch: inout EffectBatch) {
        guard let problem = inputs.fleet?.problem, problem != old?.fleet?.problem else { return }
        batch.publish(.configReloaded, .warning, problem)
    }

    /// Losses that are not explained by the file that the caller of a reload has just written.
    /// - Parameter isKnown: whether a part was lost before.
    private static func unmeant(
        _ lost: [ConfigurationLoss], _ written: WrittenFile?, since old: DaemonInputs, in new: DaemonInputs,
        isKnown: Bool
    ) -> [ConfigurationLoss] {
        guard let written else { return lost }
        // A caller that writes a whole file intends its content, unless a part was lost before.
        guard written.removed != nil else { return isKnown ? lost : lost.filter { $0.file != written.file } }
        let own = ConfigurationLoss.keys(
            since: old.kept?.sources ?? [], in: new.kept?.sources ?? [], written: written)
        return lost.filter { $0.file != written.file } + [own].compactMap(\.self)
    }

    private mutating func reloaded(
        _ lost: [ConfigurationLoss], _ request: RequestID?, confirms: Bool, since old: DaemonInputs,
        _ batch: inout EffectBatch
    ) {
        batch.publish(.configReloaded, .info, "configuration reloaded: \(inputs.configuration)")
        let move = inputs.site.move(from: old.site)
        if let move { batch.publish(.configReloaded, .notice, move) }
        let lost = lost.map(\.notice)
        for problem in lost { batch.publish(.configReloaded, .warning, problem) }
        reportProblems(of: inputs, &batch)
        reportPracticeNews(&batch)
        let confirmed = confirms ? [confirmStateLoss(), timetableGone(since: old)].compactMap(\.self) : []
        for sentence in confirmed { batch.publish(.configReloaded, .warning, sentence) }
        let news = muteNews(&batch) + confirmed + practiceNews
        reconcile(&batch)
        guard let request else { return }
        let next = nextAdhan(at: batch.now).map { "; next is \(upcomingText($0, now: batch.now))" } ?? ""
        let reply = ChangeReply(
            "reloaded \(inputs.configuration)\(move.map { "; \($0)" } ?? "")\(next)",
            problems: lost + problems(of: inputs, at: batch.now).map(\.sentence)
                + [
                    inputs.placeProblem?.message, inputs.zoneProblem?.message, inputs.zoneLoss?.message,
                    inputs.timetableProblem,
                ]
                .compactMap(\.self) + news)
        batch.add(.reply(request, .document(reply)))
    }

    private func timetableGone(since old: DaemonInputs) -> String? {
        guard old.kept?.hasTimetable == true || !old.site.times.table.isEmpty,
            inputs.site.times.table.isEmpty,
            inputs.timetableProblem == nil
        else { return nil }
        return "confirmed: the timetable that was in force is gone, and the times are computed"
    }

    /// The choices for the place that this version of adhand makes differently from another version.
    private var practiceNews: [String] {
        [
            MethodNews(inputs.kept?.practisedBefore, inputs.site)?.message,
            CalendarNews(inputs.kept?.calendarBefore, inputs.site)?.message,
        ].compactMap(\.self)
    }

    mutating func reportPracticeNews(_ batch: inout EffectBatch) {
        for news in practiceNews { batch.publish(.configReloaded, .warning, news) }
    }

    private mutating func reportProblems(of inputs: DaemonInputs, _ batch: inout EffectBatch) {
        for problem in problems(of: inputs, at: batch.now) {
            batch.publish(.configReloaded, .warning, problem.sentence)
        }
        reportTimetableProblem(afterReload: true, &batch)
    }

    /// The problems of the inputs, with manual times that do not fit the place, which the configuration's reader does not know.
    private func problems(of inputs: DaemonInputs, at now: Instant) -> [InputsProblem] {
        inputs.soundProblems + inputs.mosqueProblems
            + self.inputs.site.exceptionProblems(from: zone.civilDate(of: now)).map(\.problem)
    }

    private mutating func reportZone(since old: DaemonInputs, _ batch: inout EffectBatch) {
        if inputs.site.zone.name != old.site.zone.name || inputs.site.zone != old.site.zone {
            batch.publish(.zoneChanged, .notice, "the time zone is now \(zone.name)")
        }
        if let loss = inputs.zoneLoss { batch.publish(.zoneChanged, .warning, loss.message) }
        if inputs.zoneProblem != old.zoneProblem {
            if inputs.zoneProblem == nil {
                guard inputs.zoneLoss == nil else { return }
                batch.publish(.zoneChanged, .notice, "the time zone \(zone.name) can be read again")
            } else {
                reportZoneProblem(&batch)
            }
        }
    }

    private mutating func reportTimetable(since old: DaemonInputs, _ batch: inout EffectBatch) {
        guard inputs.timetableProblem != old.timetableProblem else { return }
        guard inputs.timetableProblem == nil else { return reportTimetableProblem(&batch) }
        batch.publish(.timetableChanged, .notice, "the timetable can be read again and is in force")
    }

    /// Puts inputs in force. A configuration that can be used now may be needed when the next cannot.
    mutating func adopt(_ inputs: DaemonInputs, _ batch: inout EffectBatch) {
        if inputs.problem == nil, let kept = inputs.kept { batch.add(.keep(kept)) }
    }

    /// Reports a configuration problem at the start and every midnight: an old one is noticed before a wrong time is called.
    mutating func reportConfigurationProblem(_ batch: inout EffectBatch) {
        reportZoneProblem(&batch)
        guard let problem = configurationProblem else { return }
        batch.publish(
            .configRejected, .error,
            "\(problem.message). \(UnusableConfiguration.remedy(problem.error.cause, fix: UnusableConfiguration.fix))",
            Notice.Fields(reason: problem.error.message))
    }

    /// Reports a problem of the place at the start, at every midnight, and when it begins or ends.
    mutating func reportPlaceProblem(_ batch: inout EffectBatch) {
        guard let problem = inputs.placeProblem else { return }
        batch.publish(
            .planComputed, .error, "\(problem.message): run \"sudo \(PlaceProblem.fix)\"",
            Notice.Fields(reason: problem.code.rawValue))
    }

    private mutating func reportZoneProblem(_ batch: inout EffectBatch) {
        if let warning = zoneWarning(at: batch.now), warning.code == .outdated {
            batch.publish(
                .zoneChanged, .warning, "\(warning.message); run \"\(ZoneFilesWarning.fix)\"",
                Notice.Fields(reason: warning.code.rawValue))
        }
        guard let problem = inputs.zoneProblem else { return }
        batch.publish(.zoneChanged, .error, problem.message, Notice.Fields(reason: problem.reason))
    }

    mutating func reject(_ error: ConfigError, _ change: InputsChange, _ batch: inout EffectBatch) {
        let isNews = configurationProblem?.error != error
        let next = readings.end(change, at: batch.now)
        configurationProblem = UnusableConfiguration(error, keptAt: configurationProblem?.keptAt)
        if change != .retry || isNews {
            batch.publish(
                .configRejected, .error,
                "configuration not reloaded, the old one stays in force: \(error.summary)",
                Notice.Fields(reason: error.summary))
        }
        if case .reload(let request?, _, _) = change {
            let refusal = ControlError.configurationInvalid(
                file: error.file, line: error.line, column: error.column, reason: error.reason + error.andMore
            )
            batch.add(.reply(request, .refused(refusal)))
        }
        readingEnded(change, next, &batch)
    }
}

/// The reading in progress, and those to follow: one at a time, so that the findings of a later reading are never overwritten by
/// those of an earlier one.
struct InputsReadings: Sendable {
    /// Seconds until an unreadable part is read again.
    static let intervalSeconds = 60.0

    private var underway: InputsChange?
    private var waiting: [InputsChange] = []
    /// When the last reading ended.
    var endedAt = Instant(unixSeconds: 0)

    /// Adds a reading; returns whether it is to begin at once.
    mutating func begin(_ change: InputsChange) -> Bool {
        guard underway != nil else {
            underway = change
            return true
        }
        // Only the caller of a reload waits for its end.
        if change.isMeant || !waiting.contains(change) { waiting.append(change) }
        return false
    }

    /// Ends a reading; returns the one that begins now.
    mutating func end(_ change: InputsChange, at now: Instant) -> InputsChange? {
        endedAt = now
        guard underway == change else { return nil }
        underway = waiting.isEmpty ? nil : waiting.removeFirst()
        return underway
    }

    /// When to read again; `nil` while a reading is in progress.
    var due: Instant? { underway == nil ? endedAt + Self.intervalSeconds : nil }

    /// Whether a reading is due. A clock that was set back would otherwise delay it by as much.
    func isDue(at now: Instant) -> Bool { due.map { $0 <= now || now < endedAt } ?? false }
}
