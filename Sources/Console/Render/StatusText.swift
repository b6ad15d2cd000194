package import BoxCard
import PrayerEngine
package import Protocol
package import Texts
import Times

/// `adhanctl status` for people: the next adhan, today's times, and problems.
package enum StatusText {
    /// - Parameters:
    ///   - agenda: from yesterday to tomorrow, where the configuration has outputs or quiet windows.
    ///   - upgrades: of a flashed box.
    package static func render(
        _ status: StatusDocument, agenda: [OccasionDocument]? = nil, upgrades: CardUpgrades? = nil,
        _ style: Style
    ) -> String {
        var text = headline(status, style) + "\n"
        if let today = CivilDate(LocalText.date(status.now)) {
            text += style("\(LocalText.long(today)), \(LocalText.minute(status.now))", .faint) + "\n"
        }
        text += status.prayers.isEmpty ? "\n" : "\n" + times(status, style) + "\n"
        for fact in facts(status, agenda) { text += fact.rendered(style) }
        if let upgrades {
            for fact in UpgradesText.facts(upgrades) { text += fact.rendered(style) }
        }
        return text
    }

    /// `Asr at 14:31, in 1 h 24 min`
    private static func headline(_ status: StatusDocument, _ style: Style) -> String {
        if status.playback.state == .playing || status.playback.state == .stopping {
            return style(
                StatusFacts.playback(status.playback), status.playback.problem == nil ? .good : .alarm)
        }
        if let problem = status.placeProblem {
            return style(StatusFacts.placeProblem(problem), .alarm)
        }
        guard status.clock.trusted else { return style(ClockDoubt.headline, .alarm) }
        guard let next = status.next else {
            return style("No prayer is enabled in the coming 24 hours", .caution)
        }
        let muted = status.isMuted(next.id, at: next.at) ? style(" (muted)", .caution) : ""
        return style(NextText.sentence(next, now: status.now), .heading) + muted
            + NextText.quiet(next, style) + NextText.skipped(before: next, status, style)
    }

    private static func times(_ status: StatusDocument, _ style: Style) -> String {
        var table = TextTable([.left, .left, .left, .left, .left])
        for prayer in status.prayers {
            let (word, tone) = state(of: prayer, in: status)
            let isNext = prayer.at == status.next?.at
            let sound = "\(prayer.sound.joined(separator: ", ")), \(volume(of: prayer))"
            table.add([
                .init(isNext ? ">" : "", .good),
                .init(Prayer(rawValue: prayer.prayer)?.title ?? prayer.prayer, isNext ? .heading : tone),
                .init(LocalText.minute(prayer.at), isNext ? .heading : tone),
                .init(word, tone),
                .init(sound, .faint),
            ])
        }
        return table.rendered(style)
    }

    /// `volume 80`, or what a quiet window makes of it.
    private static func volume(of prayer: StatusDocument.PrayerState) -> String {
        prayer.outputs?.words ?? "volume \(prayer.volume)"
    }

    /// The state of a prayer in a word.
    static func state(
        of prayer: StatusDocument.PrayerState, in status: StatusDocument
    ) -> (word: String, tone: Style.Tone) {
        let stage = status.stage(of: prayer)
        return switch stage {
        case .beforeStart: ("passed before adhand started", .faint)
        case .passed: ("passed", .faint)
        case .next, .upcoming: (stage.rawValue, .plain)
        case .unheard: ("not heard", .alarm)
        case .playing: (stage.rawValue, .good)
        case .skipping: ("skipped", .caution)
        case .quiet: (stage.rawValue, .caution)
        case .played, .disabled, .silent, .skipped: (stage.rawValue, .faint)
        case .muted, .partial, .interrupted: (stage.rawValue, .caution)
        case .missed, .failed: (stage.rawValue, .alarm)
        }
    }

    private static func facts(_ status: StatusDocument, _ agenda: [OccasionDocument]?) -> [StatusFact] {
        var facts: [StatusFact?] = [
            StatusFacts.mute(status), StatusFacts.skips(status), StatusFacts.silences(status, agenda),
            StatusFact("Playback", StatusFacts.playback(status.playback)),
            status.namedOutputs == nil ? StatusFacts.audio(status) : nil,
            StatusFacts.clock(status.clock, now: status.now),
            StatusFacts.place(status),
            StatusFacts.method(status), StatusFacts.calendar(status),
        ]
        if let outputs = status.namedOutputs {
            facts.insert(contentsOf: OutputsText.facts(outputs, now: status.now), at: 4)
        }
        if let off = StatusFacts.switchedOff(status) { facts.insert(off, at: 1) }
        if let problem = status.configurationProblem {
            facts.append(
                StatusFact(
                    "Configuration", problem.message, .alarm,
                    advice: problem.fix.map {
                        UnusableConfiguration.remedy(problem.cause, fix: $0)
                    }))
        }
        if let problem = status.zoneProblem {
            facts.append(
                StatusFact(
                    "Time zone", problem.message, .alarm, advice: problem.fix.map { "Run \"\($0)\"." }))
        }
        if let warning = status.zoneWarning {
            facts.append(
                StatusFact(
                    "Time zone", warning.message,
                    warning.code == ZoneFilesWarning.Code.outdated.rawValue ? .alarm : .caution,
                    advice: warning.fix.map { "Run \"\($0)\"." }))
        }
        if let timetable = status.timetable {
            let (text, tone) = StatusFacts.timetable(timetable)
            facts.append(StatusFact("Timetable", text, tone))
        }
        if let loss = status.stateLoss {
            facts.append(
                StatusFact(
                    "State", loss.message, loss.restored ? .caution : .alarm,
                    advice: StateLoss.remedy(fix: loss.fix)))
        }
        if let problem = status.settingsProblem {
            facts.append(
                StatusFact("Settings", problem.message, .alarm, advice: "Set again what is missing."))
        }
        if let problem = status.stateProblem { facts.append(StatusFact("State", problem, .alarm)) }
        if let problem = status.internalProblem {
            facts.append(
                StatusFact(
                    "adhand", problem.message, .alarm, advice: problem.fix.map { "Report it: \"\($0)\"." }))
        }
        for problem in StatusFacts.lostAdhans(status) {
            facts.append(
                StatusFact("Adhan", problem.message, .alarm, advice: problem.fix.map { "Run \"\($0)\"." }))
        }
        facts.append(StatusFacts.daemon(status))
        return facts.compactMap(\.self)
    }
}
