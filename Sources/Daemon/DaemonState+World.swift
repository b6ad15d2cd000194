import PrayerEngine
import Protocol
import Settings
import Times

/// Reading the configuration, the machine's zone and the timetable again, and what comes of it.
extension DaemonState {
    /// A reading may take as long as a file system likes: it goes on beside the daemon, and its end is an event.
    mutating func read(_ change: WorldChange, _ turn: inout Turn) {
        if change.isMeant { turn.add(.tell(.reloading)) }
        if readings.begin(change) { turn.add(.readWorld(change)) }
    }

    private func readingEnded(_ change: WorldChange, _ next: WorldChange?, _ turn: inout Turn) {
        if change.isMeant { turn.add(.tell(.ready)) }
        if let next { turn.add(.readWorld(next)) }
    }

    /// Whether something could not be read, so that what was read before stays in force.
    var needsReadingAgain: Bool {
        configurationProblem != nil || world.zoneProblem != nil || world.timetableProblem != nil
    }

    mutating func readAgain(_ turn: inout Turn) {
        guard !stopping, needsReadingAgain, readings.isDue(at: turn.now) else { return }
        read(.retry, &turn)
    }

    mutating func enter(
        _ new: World, _ change: WorldChange, _ lost: [ConfigurationLoss], _ turn: inout Turn
    ) {
        let old = world
        let before = configurationProblem
        let wasBroken = before != nil
        let next = readings.end(change, at: turn.now)
        if change != .zone { configurationProblem = new.problem }
        audio.devicesChanged(to: new.config.devices)
        let muted = mutedAdhan(at: turn.now)
        world = new
        renewSite(at: turn.now)
        renameMutedAdhan(since: muted, now: turn.now)
        tellZone(since: old, &turn)
        takeOver(new, &turn)
        switch change {
        case .reload(let request, let written, _):
            let isKnown = before?.error.cause == .lost
            reloaded(
                Self.unmeant(lost, written, since: old, in: new, isKnown: isKnown), request,
                confirms: change.confirmsLosses, since: old, &turn)
        case .retry where wasBroken && configurationProblem == nil:
            turn.publish(
                .configReloaded, .notice,
                "the configuration can be used again and is in force: \(new.configuration)")
            tellProblems(of: new, &turn)
            settle(&turn)
        case .retry, .zone: settle(&turn)
        }
        if change.isMeant || world.config.devices != old.config.devices { lookAtDevices(&turn) }
        if !change.isMeant { tellTimetable(since: old, &turn) }
        readingEnded(change, next, &turn)
        // What is read every minute is told when it says something new.
        let isNews = world.site.times != old.site.times || world.config != old.config
        if change != .retry || isNews {
            tellPlaceProblem(&turn)
            publishPlan(&turn)
        }
    }

    /// What the caller of a reload has not lost itself, by what it has just written.
    /// - Parameter isKnown: whether a part was lost before.
    private static func unmeant(
        _ lost: [ConfigurationLoss], _ written: WrittenFile?, since old: World, in new: World, isKnown: Bool
    ) -> [ConfigurationLoss] {
        guard let written else { return lost }
        // Whoever writes a whole file means what it says, unless a part of it was lost before.
        guard written.removed != nil else { return isKnown ? lost : lost.filter { $0.file != written.file } }
        let own = ConfigurationLoss.keys(
            since: old.kept?.sources ?? [], in: new.kept?.sources ?? [], written: written)
        return lost.filter { $0.file != written.file } + [own].compactMap(\.self)
    }

    private mutating func reloaded(
        _ lost: [ConfigurationLoss], _ request: RequestID?, confirms: Bool, since old: World,
        _ turn: inout Turn
    ) {
        turn.publish(.configReloaded, .info, "configuration reloaded: \(world.configuration)")
        let move = world.site.move(from: old.site)
        if let move { turn.publish(.configReloaded, .notice, move) }
        let lost = lost.map(\.notice)
        for problem in lost { turn.publish(.configReloaded, .warning, problem) }
        tellProblems(of: world, &turn)
        tellPracticeNews(&turn)
        let confirmed = confirms ? [confirmStateLoss(), timetableGone(since: old)].compactMap(\.self) : []
        for sentence in confirmed { turn.publish(.configReloaded, .warning, sentence) }
        let news = muteNews(&turn) + confirmed + practiceNews
        settle(&turn)
        guard let request else { return }
        let next = nextAdhan(at: turn.now).map { "; next is \(upcomingText($0, now: turn.now))" } ?? ""
        let said = SaidReply(
            "reloaded \(world.configuration)\(move.map { "; \($0)" } ?? "")\(next)",
            problems: lost + world.soundProblems + world.mosqueProblems + exceptionProblems(at: turn.now)
                + [
                    world.placeProblem?.message, world.zoneProblem?.message, world.zoneLoss?.message,
                    world.timetableProblem,
                ]
                .compactMap(\.self) + news)
        turn.add(.reply(request, .document(said)))
    }

    private func timetableGone(since old: World) -> String? {
        guard old.kept?.hasTimetable == true || !old.site.times.table.isEmpty, world.site.times.table.isEmpty,
            world.timetableProblem == nil
        else { return nil }
        return "confirmed: the timetable that was in force is gone, and the times are computed"
    }

    /// What this version of adhand chooses for the place otherwise than another one did.
    private var practiceNews: [String] {
        [
            MethodNews(world.kept?.practisedBefore, world.site)?.message,
            CalendarNews(world.kept?.calendarBefore, world.site)?.message,
        ].compactMap(\.self)
    }

    mutating func tellPracticeNews(_ turn: inout Turn) {
        for news in practiceNews { turn.publish(.configReloaded, .warning, news) }
    }

    private mutating func tellProblems(of world: World, _ turn: inout Turn) {
        for problem in world.soundProblems + world.mosqueProblems + exceptionProblems(at: turn.now) {
            turn.publish(.configReloaded, .warning, problem)
        }
        tellTimetableProblem(afterReload: true, &turn)
    }

    /// What was set by hand and does not fit the place; the reader of the configuration does not know of it.
    private func exceptionProblems(at now: Instant) -> [String] {
        world.site.exceptionProblems(from: zone.civilDate(of: now)).map(\.sentence)
    }

    private mutating func tellZone(since old: World, _ turn: inout Turn) {
        if world.site.zone.name != old.site.zone.name || world.site.zone != old.site.zone {
            turn.publish(.zoneChanged, .notice, "the time zone is now \(zone.name)")
        }
        if let loss = world.zoneLoss { turn.publish(.zoneChanged, .warning, loss.message) }
        if world.zoneProblem != old.zoneProblem {
            if world.zoneProblem == nil {
                guard world.zoneLoss == nil else { return }
                turn.publish(.zoneChanged, .notice, "the time zone \(zone.name) can be read again")
            } else {
                tellZoneProblem(&turn)
            }
        }
    }

    private mutating func tellTimetable(since old: World, _ turn: inout Turn) {
        guard world.timetableProblem != old.timetableProblem else { return }
        guard world.timetableProblem == nil else { return tellTimetableProblem(&turn) }
        turn.publish(.timetableChanged, .notice, "the timetable can be read again and is in force")
    }

    /// What can be used now may be needed when it no longer can.
    mutating func takeOver(_ world: World, _ turn: inout Turn) {
        if world.problem == nil, let kept = world.kept { turn.add(.keep(kept)) }
    }

    /// At the start and every midnight, so that an old configuration in force is noticed before a wrong time is.
    mutating func tellConfigurationProblem(_ turn: inout Turn) {
        tellZoneProblem(&turn)
        guard let problem = configurationProblem else { return }
        turn.publish(
            .configRejected, .error,
            "\(problem.message). \(ConfigurationProblem.remedy(problem.error.cause, fix: ConfigurationProblem.fix))",
            Notice.Fields(reason: problem.error.message))
    }

    /// At the start, at every midnight, and when it begins or ends.
    mutating func tellPlaceProblem(_ turn: inout Turn) {
        guard let problem = world.placeProblem else { return }
        turn.publish(
            .planComputed, .error, "\(problem.message): run \"sudo \(PlaceProblem.fix)\"",
            Notice.Fields(reason: problem.code.rawValue))
    }

    private mutating func tellZoneProblem(_ turn: inout Turn) {
        if let warning = zoneWarning(at: turn.now), warning.code == .outdated {
            turn.publish(
                .zoneChanged, .warning, "\(warning.message); run \"\(ZoneFilesWarning.fix)\"",
                Notice.Fields(reason: warning.code.rawValue))
        }
        guard let problem = world.zoneProblem else { return }
        turn.publish(.zoneChanged, .error, problem.message, Notice.Fields(reason: problem.reason))
    }

    mutating func reject(_ error: ConfigError, _ change: WorldChange, _ turn: inout Turn) {
        let isNews = configurationProblem?.error != error
        let next = readings.end(change, at: turn.now)
        configurationProblem = ConfigurationProblem(error, keptAt: configurationProblem?.keptAt)
        if change != .retry || isNews {
            turn.publish(
                .configRejected, .error,
                "configuration not reloaded, the old one stays in force: \(error.summary)",
                Notice.Fields(reason: error.summary))
        }
        if case .reload(let request?, _, _) = change {
            let refusal = ControlError.configurationInvalid(
                file: error.file, line: error.line, column: error.column, reason: error.reason + error.andMore
            )
            turn.add(.reply(request, .refused(refusal)))
        }
        readingEnded(change, next, &turn)
    }
}

/// What is being read of the machine, and what is to be read after that: one reading at a time, so that what a later one finds is never
/// overtaken by what an earlier one found.
struct WorldReadings: Sendable {
    /// Seconds until what could not be read is looked at again.
    static let interval = 60.0

    private var underway: WorldChange?
    private var waiting: [WorldChange] = []
    /// When the last reading ended.
    var endedAt = Instant(unixSeconds: 0)

    /// Whether the reading is to begin at once.
    mutating func begin(_ change: WorldChange) -> Bool {
        guard underway != nil else {
            underway = change
            return true
        }
        // Only a reload has somebody who waits for its end.
        if change.isMeant || !waiting.contains(change) { waiting.append(change) }
        return false
    }

    /// The reading that begins now.
    mutating func end(_ change: WorldChange, at now: Instant) -> WorldChange? {
        endedAt = now
        guard underway == change else { return nil }
        underway = waiting.isEmpty ? nil : waiting.removeFirst()
        return underway
    }

    /// When to look again; `nil` while a reading is going on.
    var due: Instant? { underway == nil ? endedAt + Self.interval : nil }

    /// A clock that was set back would otherwise put it off for as long.
    func isDue(at now: Instant) -> Bool { due.map { $0 <= now || now < endedAt } ?? false }
}
