import PrayerEngine
import Protocol
import Settings
import Texts
import Times

/// One labelled line below the times, wrapped with its continuation under the text.
struct StatusFact {
    let label: String
    let text: String
    let tone: Style.Tone
    /// The remedy.
    let advice: String?
    let adviceTone: Style.Tone

    private static let column = 10

    init(
        _ label: String, _ text: String, _ tone: Style.Tone = .plain, advice: String? = nil,
        adviceTone: Style.Tone = .caution
    ) {
        self.adviceTone = adviceTone
        self.label = label
        self.text = text
        self.tone = tone
        self.advice = advice
    }

    func rendered(_ style: Style) -> String {
        let blank = String(repeating: " ", count: Self.column)
        let padding = String(repeating: " ", count: max(1, Self.column - label.count))
        let sentences = [(text, tone)] + (advice.map { [($0, adviceTone)] } ?? [])
        let lines = sentences.flatMap { text, tone in
            Wrapping.lines(text, indent: Self.column).map { style($0, tone) }
        }
        return lines.enumerated().map { ($0 == 0 ? style(label, .faint) + padding : blank) + $1 + "\n" }
            .joined()
    }
}

/// The content of each line.
enum StatusFacts {
    /// `published today: fajr, dhuhr; until 2027-12-31`
    static func timetable(_ timetable: StatusDocument.Timetable) -> (text: String, tone: Style.Tone) {
        if let problem = timetable.problem {
            let instead =
                timetable.days + timetable.everyYear > 0
                ? "the one before stays in force" : "times are computed"
            return ("cannot be used, \(instead): \(problem)", .alarm)
        }
        if let warning = timetable.warning { return (warning, .caution) }
        let today =
            timetable.published.isEmpty
            ? "nothing published today" : "published today: \(timetable.published.joined(separator: ", "))"
        let end = timetable.everyYear > 0 ? "" : timetable.last.map { "; until \($0)" } ?? ""
        return (today + end, .plain)
    }

    /// `Fajr on Tuesday 24 November 2026`; `nil` while nothing is skipped.
    static func skips(_ status: StatusDocument) -> StatusFact? {
        guard let skips = status.skips, !skips.isEmpty else { return nil }
        return StatusFact("Skipped", skipped(skips), .caution)
    }

    /// `Fajr and Isha tomorrow (night-law)`: coming silences that the table of today's prayers does not show.
    static func silences(_ status: StatusDocument, _ agenda: [OccasionDocument]?) -> StatusFact? {
        guard let agenda else { return nil }
        let shown = Set(status.prayers.compactMap(\.id))
        return ComingSilences(status, agenda, omitting: shown).everywhere.map {
            StatusFact("Silent", $0, .caution)
        }
    }

    /// Problems that no other line of the status shows: adhans that were not heard.
    static func lostAdhans(_ status: StatusDocument) -> [StatusProblem] {
        (status.problems ?? []).filter { [.missed, .failed, .partial, .inaudible].contains($0.kind) }
    }

    static func skipped(_ skips: [SkipDocument]) -> String {
        skips.map { skip in
            let day = CivilDate(skip.date).map(LocalText.long) ?? skip.date
            return "\(Prayer(rawValue: skip.prayer)?.title ?? skip.prayer) on \(day)"
        }.joined(separator: ", ")
    }

    static func mute(_ status: StatusDocument) -> StatusFact {
        let mute = status.mute
        if let obstacle = mute.obstacle {
            return StatusFact("Mute", obstacle.sentence(of: mutedAdhan(status)), .caution)
        }
        guard mute.active else { return StatusFact("Mute", "off") }
        if mute.scope == MuteScope.next.rawValue {
            return StatusFact("Mute", "\(mutedAdhan(status)) will be silent", .caution)
        }
        guard let until = mute.until else {
            return StatusFact("Mute", "everything is silent until \"adhanctl unmute\"", .caution)
        }
        return StatusFact(
            "Mute", "everything is silent until \(LocalText.spoken(until, now: status.now))", .caution)
    }

    /// `Asr at 14:31`; an older adhand omits which one it is.
    private static func mutedAdhan(_ status: StatusDocument) -> String {
        guard let id = status.mute.id.flatMap({ AnnouncementID($0) }) else { return "the next adhan" }
        let name = id.slot == 1 ? id.prayer.title : "\(id.prayer.title) \(id.slot)"
        guard let at = status.mute.at else {
            return id.date.map { "\(name) on \(LocalText.long($0))" } ?? name
        }
        return "\(name) at \(LocalText.spoken(at, now: status.now))"
    }

    /// Prayers that will not be heard whatever day it is, Friday's prayer on a Monday included.
    static func switchedOff(_ status: StatusDocument) -> StatusFact? {
        let all = status.switchedOff ?? []
        guard !all.isEmpty else { return nil }
        let (off, silent) = (all.filter(\.isOff), all.filter { !$0.isOff })
        var parts = off.isEmpty ? [] : [off.map(\.title).joined(separator: ", ")]
        if !silent.isEmpty { parts.append("without a sound: " + silent.map(\.title).joined(separator: ", ")) }
        let command = off.isEmpty ? nil : "adhanctl enable " + off.map(\.prayer).joined(separator: " ")
        return StatusFact(
            "Off", parts.joined(separator: "; "), .caution,
            advice: command.map { "\"\($0)\" switches on again." })
    }

    /// `playing Fajr (standard), 12 s of 3 min`
    static func playback(_ playback: StatusDocument.Playback) -> String {
        var subject = playback.prayer.flatMap { Prayer(rawValue: $0)?.title } ?? playback.prayer ?? "a sound"
        if case .call(let name)? = playback.id.flatMap({ AnnouncementID($0) })?.kind {
            subject = "call \(name)"
        }
        let sound = playback.sound.map { " (\($0))" } ?? ""
        switch playback.state {
        case .idle: return "idle"
        case .cued: return "\(subject)\(sound) is ready to start"
        case .stopping: return "\(subject)\(sound) is fading out"
        case .playing:
            if let problem = playback.problem { return "\(subject)\(sound) cannot be heard now: \(problem)" }
            guard let position = playback.positionSeconds else { return "playing \(subject)\(sound)" }
            let length = playback.durationSeconds.map { " of \(clock($0))" } ?? ""
            return "playing \(subject)\(sound), \(clock(position))\(length)"
        }
    }

    /// `3:34`, as players show it.
    private static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite, (0..<360_000).contains(seconds) else { return "?" }
        return "\(Int(seconds) / 60):\(InstantText.padded(Int(seconds) % 60, 2))"
    }

    static func audio(_ status: StatusDocument) -> StatusFact {
        let audio = status.audio
        let devices = audio.devices.map { "\"\($0)\"" }.joined(separator: ", ")
        guard !audio.hasFailed else {
            return StatusFact(
                "Audio", audio.lastError ?? "the last sound could not be played", .alarm,
                advice:
                    "Check the cable and [audio] devices (now \(devices)), then try \"adhanctl test-play next\"."
            )
        }
        guard let checked = audio.checkedAt else {
            return StatusFact("Audio", "\(devices), not used yet; \"adhanctl test-play next\" tries it")
        }
        let note = audio.lastError.map { "; before that: \($0)" } ?? ""
        // An older adhand has only one device, and does not report it.
        let device = audio.device.map { "\"\($0)\"" }
        guard let heard = device == nil ? checked : audio.heardAt else {
            return StatusFact(
                "Audio",
                "\(device ?? devices) opened at \(LocalText.spoken(checked, now: status.now)); "
                    + "to hear it, run \"adhanctl test-play next\"")
        }
        return StatusFact(
            "Audio",
            "healthy on \(device ?? devices), last heard \(LocalText.spoken(heard, now: status.now))\(note)")
    }

    static func clock(_ clock: StatusDocument.Clock, now: String) -> StatusFact {
        guard clock.trusted else {
            let doubt = ClockDoubt(now: now, seen: clock.seen)
            return StatusFact("Clock", doubt.why, .alarm, advice: doubt.remedy)
        }
        guard clock.synchronized else {
            return StatusFact(
                "Clock", "not synchronized; it may run slow or fast", .caution,
                advice: "\"sudo timedatectl set-ntp true\" keeps it accurate.")
        }
        return StatusFact("Clock", "synchronized")
    }

    static func method(_ status: StatusDocument) -> StatusFact {
        let (how, line) = (status.calculation, MethodText.line(status.calculation.basics))
        guard let was = how.methodBefore else {
            return StatusFact("Method", line, advice: MethodText.advice(how.basics), adviceTone: .faint)
        }
        return StatusFact(
            "Method", line,
            advice:
                "Until this version it was \(was.method), Asr \(was.asr). \"adhanctl method auto\" confirms the new one, "
                + "\"adhanctl method \(was.method)\" goes back.")
    }

    static func calendar(_ status: StatusDocument) -> StatusFact? {
        let how = status.calculation
        guard let name = CalendarText.name(how.basics) else { return nil }
        guard let was = how.hijriCalendarBefore else { return StatusFact("Calendar", name) }
        return StatusFact(
            "Calendar", name,
            advice:
                "Until this version it was \(HijriRule.title(of: was)). \"adhanctl set hijri.calendar auto\" confirms the new "
                + "one, \"adhanctl set hijri.calendar \(was)\" goes back.")
    }

    /// `Nothing is called: no place is set. Run "sudo adhanctl setup".`
    static func placeProblem(_ problem: StatusDocument.Problem) -> String {
        "Nothing is called: no place is set. Run \"sudo \(problem.fix ?? PlaceProblem.fix)\"."
    }

    static func place(_ status: StatusDocument) -> StatusFact {
        let place = status.location
        if let problem = status.placeProblem {
            return StatusFact(
                "Place", problem.message, .alarm,
                advice:
                    "Run \"sudo \(problem.fix ?? PlaceProblem.fix)\", or set latitude and longitude under "
                    + "[location] in the configuration.")
        }
        let text = "\(PlaceText.describe(place.name, place.latitude, place.longitude)), \(place.timezone)"
        guard place.approximate else { return StatusFact("Place", text) }
        let file = status.configuration.hasPrefix("/") ? status.configuration : "the configuration"
        return StatusFact(
            "Place", text, .caution,
            advice:
                PlaceText.approximation
                + " Run \"adhanctl setup\", or set latitude and longitude under [location] in "
                + "\(file), for times that are right where you are.")
    }

    static func daemon(_ status: StatusDocument) -> StatusFact {
        var running = ""
        if let started = InstantText.parse(status.startedAt), let now = InstantText.parse(status.now) {
            running = ", running for \(LocalText.span(now - started))"
        }
        return StatusFact(
            "Daemon", "adhand \(status.version)\(running), configuration: \(status.configuration)", .faint)
    }
}
