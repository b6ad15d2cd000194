import Announcements
package import PrayerEngine
package import Protocol
import Settings
import StateFile
import Texts
import Times

/// Documents that can be read over the control socket.
extension DaemonState {
    package func status(at now: Instant) -> StatusDocument {
        let site = inputs.site
        var status = StatusDocument(
            version: adhandVersion,
            now: text(now), startedAt: text(startedAt), configuration: inputs.configuration,
            location: .init(site),
            calculation: .init(
                site, before: inputs.kept?.practisedBefore,
                calendarBefore: inputs.kept?.calendarBefore.flatMap { HijriRule(rawValue: $0) }),
            clock: .init(synchronized: clock.synchronized, trusted: trust.trusted, seen: seenText),
            mute: muteState(at: now),
            next: nextAdhan(at: now).map {
                .init(
                    id: $0.id.description, prayer: $0.prayer.rawValue, at: text($0.at),
                    inSeconds: (($0.at - now) * 10).rounded() / 10, source: source(of: $0),
                    outputs: outputs(of: $0))
            },
            prayers: prayerStates(at: now),
            playback: playback(at: now),
            audio: .init(
                devices: inputs.config.allOutputs[0].devices, healthy: isSoundHealthy,
                lastError: audio.lastError, checkedAt: audio.checkedAt.map { text($0) },
                device: audio.device, heardAt: audio.heardAt.map { text($0) },
                outputs: inputs.config.tellsOutputs ? outputStates(at: now) : nil),
            timers: timersReply().timers,
            configurationProblem: configurationProblem.map(StatusDocument.ConfigurationProblem.init),
            zoneProblem: inputs.zoneProblem.map {
                .init(code: "unreadable", message: $0.message, fix: $0.fix)
            },
            zoneWarning: zoneWarning(at: now).map { .init($0) },
            placeProblem: inputs.placeProblem.map {
                .init(code: $0.code.rawValue, message: $0.message, fix: PlaceProblem.fix)
            },
            timetable: timetable(at: now),
            exceptionProblem: exceptionProblem.map { .init($0.exception, $0.sentence) },
            stateProblem: disk.problem,
            stateLoss: saved.loss.map { .init($0, in: zone) }, stateDirectory: inputs.stateDirectory,
            audioDirectory: inputs.audioDirectory,
            switchedOff: SwitchedOff.all(inputs.config, saved.toggles),
            skips: Self.list(comingSkips(at: now)))
        status.internalProblem = brokenInvariant.map {
            .init(
                code: $0.code.rawValue, message: "adhand contradicts itself: \($0.sentence)",
                fix: InvariantCode.fix)
        }
        status.settingsProblem = settingsLoss.map {
            .init(code: SettingsLoss.code, message: $0.message, fix: SettingsLoss.fix)
        }
        status.problems = problems(at: now)
        status.awaiting = inputs.placeProblem != nil ? .place : trust.trusted ? nil : .clock
        if !inputs.lookedFor.isEmpty { status.configurationLookedFor = inputs.lookedFor }
        return status
    }

    /// The warning about old zone files. An untrusted clock makes nothing old.
    func zoneWarning(at now: Instant) -> ZoneFilesWarning? {
        ZoneFilesWarning(
            inputs.site.zone, inputs.zoneRelease,
            now: clock.synchronized ? now : max(saved.clock.confirmed, adhandRelease))
    }

    /// Omits keys that have no value.
    private static func list(_ skips: [SkipDocument]) -> [SkipDocument]? { skips.isEmpty ? nil : skips }

    private func timetable(at now: Instant) -> StatusDocument.Timetable? {
        let (table, today) = (inputs.site.times.table, zone.civilDate(of: now))
        guard !table.isEmpty || inputs.timetableProblem != nil else { return nil }
        let day = inputs.site.times.day(today)
        return .init(
            days: table.dated.count, everyYear: table.everyYear.count,
            first: table.span?.lowerBound.description, last: table.span?.upperBound.description,
            published: day.published.map(\.rawValue),
            missing: inputs.config.missing, isSilent: day.isSilenced,
            warning: timetableMismatch?.sentence
                ?? TimetableHealth(table, missing: inputs.config.missing, on: today)?.sentence,
            mismatch: timetableMismatch?.code, importedFor: timetableMismatch?.importedFor,
            problem: inputs.timetableProblem)
    }

    func prayerStates(at now: Instant) -> [StatusDocument.PrayerState] {
        guard inputs.placeProblem == nil else { return [] }
        let today = zone.civilDate(of: now)
        let prayers = DayPlan.prayers(
            on: today, site: inputs.site, config: inputs.config, toggles: saved.toggles)
        let day = inputs.site.times.day(today)
        return prayers.map { entry in
            let announcement = entry.announcement
            return .init(
                id: announcement.id.description, prayer: announcement.prayer.rawValue,
                at: text(announcement.at), enabled: entry.enabled || entry.isSkipped,
                sound: announcement.sounds, volume: announcement.volumePercent,
                state: state(of: entry, at: now),
                source: source(of: announcement.id, day), outputs: outputs(of: announcement))
        }
    }

    private func state(of entry: PlannedAnnouncement, at now: Instant) -> Outcome {
        let outcome = saved.outcome(of: entry.announcement.id)
        if let outcome, outcome.isFinal || entry.announcement.at <= now { return outcome }
        return entry.whileToCome
    }

    private func playback(at now: Instant) -> StatusDocument.Playback {
        guard
            let job = jobs.last(where: { $0.phase == .playing }) ?? jobs.last(where: { $0.phase == .stopping }
            )
                ?? jobs.first
        else { return .init(state: .idle) }
        let position =
            job.phase == .cued ? nil : job.startedAt.map { max(0, ((now - $0) * 10).rounded() / 10) }
        let state: StatusDocument.Playback.State =
            switch job.phase {
            case .cued: .cued
            case .playing: .playing
            case .stopping: .stopping
            }
        let problem = job.phase == .playing ? job.silence : nil
        return .init(
            state: state, id: job.announcement.id.description,
            prayer: job.announcement.isCall ? nil : job.announcement.prayer.rawValue,
            sound: job.announcement.sounds.joined(separator: ", "), positionSeconds: position,
            durationSeconds: job.wholeDurationSeconds.map { ($0 * 10).rounded() / 10 },
            audible: job.phase == .playing ? problem == nil : nil, problem: problem)
    }

    func timersReply() -> TimersReply {
        var timers: [TimerEntry] = []
        var housekeeping: [TimerEntry] = []
        for timer in armed.sorted(by: { $0.at < $1.at }) {
            let entry = TimerEntry(id: timer.name, at: text(timer.at))
            if case .announcement = timer.purpose { timers.append(entry) } else { housekeeping.append(entry) }
        }
        return TimersReply(timers: timers, housekeeping: housekeeping)
    }

    /// The most days that adhand computes. `adhanctl times` computes more without the daemon: nothing here may take long enough
    /// to delay an announcement.
    private static let mostDays = 35

    func times(from date: String?, days: Int, now: Instant) throws(ControlError) -> TimesReply {
        let dates = try dates(from: date ?? zone.civilDate(of: now).description, days: days)
        var mosque = inputs.site.times.mosque
        mosque.switch(saved.toggles)
        return TimesReply(times: TimesDocument(site: inputs.site.following(mosque), dates: dates))
    }

    func dates(from text: String, days: Int) throws(ControlError) -> [CivilDate] {
        guard let first = CivilDate(text) else {
            throw .invalidTime(value: text, reason: "write a date that exists as YYYY-MM-DD")
        }
        guard (1...Self.mostDays).contains(days) else { throw .invalidParameter(parameter: "days") }
        return (0..<days).map { first.adding(days: $0) }
    }

    /// The latest time that adhand knows to have passed, if the clock contradicts it.
    var seenText: String? { trust.seen.map { text($0) } }

    func text(_ instant: Instant) -> String {
        InstantText.rfc3339(instant, in: zone, milliseconds: true)
    }
}
