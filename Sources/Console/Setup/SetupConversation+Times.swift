import PrayerEngine
import Settings
import Texts
import Times

/// Ends the conversation: today's times beside the mosque's, corrections, and the confirmation to save.
extension SetupConversation {
    mutating func showTimes(_ notices: [String] = []) -> SetupTurn {
        guard let site = draft.decidedSite, let day = today else { return askCongregation(notices) }
        stage = .times
        let shown = SetupDraft.adjustable.map { event in
            let minutes = draft.adjustments[event]
            let mark =
                switch day.origin(of: event) {
                case .published: " (published)"
                case .exception: " (set by hand)"
                default: minutes == 0 ? "" : " (\(Self.signed(minutes)))"
                }
            return "\(event.title) \(day[event].map { Self.clock($0, site.zone) } ?? "-")\(mark)"
        }
        return ask(
            notices + [
                "", "Today, \(LocalText.long(day.date)), at \(site.name):",
                "  " + shown.joined(separator: "   "),
                "Compare them with your mosque's. If a time differs, type what the mosque says, such as "
                    + "\"fajr 5:12\", or the minutes to add, such as \"isha +2\"; several with commas between. "
                    + "\"isha 0\" takes a correction back.",
            ], "Corrections, or Enter if they agree", nil)
    }

    mutating func answerTimes(_ text: String) -> SetupTurn {
        if text.isEmpty { return askCongregation() }
        var adjustments = draft.adjustments
        var sentences: [String] = []
        var doubts: [String] = []
        for part in text.split(separator: ",") {
            do throws(AnswerRefusal) {
                let correction = try correction(String(part), adjustments)
                adjustments[correction.event] = correction.total
                sentences.append(correction.sentence)
                doubts += doubt(correction)
            } catch {
                return again(error.sentence, showTimes())
            }
        }
        guard doubts.isEmpty else { return askLarge(doubts, adjustments, sentences) }
        draft.adjustments = adjustments
        return showTimes(sentences)
    }

    struct AnswerRefusal: Error {
        let sentence: String
    }

    /// The handling of one event.
    private struct Correction {
        let event: DayEvent
        let total: Int
        let sentence: String
    }

    /// Minutes from which a difference usually has another cause than a mosque's safety margin.
    private static let large = 15

    private static func tooMuch(_ event: DayEvent) -> AnswerRefusal {
        AnswerRefusal(
            sentence:
                "\(event.title) would be off by more than an hour. That is too much for a correction: "
                + "check the time zone, the method and the Asr school.")
    }

    private static func signed(_ minutes: Int) -> String { minutes > 0 ? "+\(minutes)" : "\(minutes)" }

    /// `fajr 5:12`, `isha +2`, `asr=-1`, `isha 0`.
    private func correction(_ text: String, _ before: EventMinutes) throws(AnswerRefusal) -> Correction {
        var words = text.split { $0 == " " || $0 == "=" || $0 == "\t" }.map { $0.lowercased() }
        // People write `5:58 pm` as one word.
        if words.count == 3, Spelling.timeOfDay(words[1] + words[2]) != nil {
            words = [words[0], words[1] + words[2]]
        }
        guard words.count == 2 else {
            throw AnswerRefusal(
                sentence: "Please write a prayer and a time or minutes, such as \"fajr 5:12\" or \"fajr -2\"."
            )
        }
        let event = try Self.event(words[0])
        if let origin = today?.origin(of: event), origin == .published || origin == .exception {
            throw AnswerRefusal(
                sentence:
                    "\(event.title) is \(origin == .published ? "published by the timetable" : "set by hand today"): "
                    + "a correction moves only what is computed.")
        }
        let (title, old) = (event.title, before[event])
        let (more, total) = try minutes(words[1], event, old)
        guard (-60...60).contains(total) else { throw Self.tooMuch(event) }
        let time = clockText(event).map { ": \($0) becomes \(Self.later($0, by: total - old))" } ?? ""
        switch (more, old) {
        case (nil, _):
            return Correction(event: event, total: total, sentence: "  \(title) as calculated\(time).")
        case (let more?, 0):
            return Correction(
                event: event, total: total, sentence: "  \(title) \(Self.signed(more)) min\(time).")
        case (let more?, _):
            return Correction(
                event: event, total: total,
                sentence: "  \(title) \(Self.signed(more)) min more, \(Self.signed(total)) in all\(time).")
        }
    }

    private static func event(_ word: String) throws(AnswerRefusal) -> DayEvent {
        let names = SetupDraft.adjustable.map(\.rawValue)
        guard let event = Spelling.event(word), SetupDraft.adjustable.contains(event) else {
            let near = NearestName.of(word, among: names).map { "; did you mean \($0)?" } ?? "."
            throw AnswerRefusal(
                sentence:
                    "There is no time \"\(word)\" to correct; there are \(names.joined(separator: ", "))\(near)"
            )
        }
        return event
    }

    /// The minutes added to the shown time, and their total; the first is `nil` where a correction is removed.
    private func minutes(_ word: String, _ event: DayEvent, _ old: Int) throws(AnswerRefusal) -> (
        more: Int?, total: Int
    ) {
        if let minutes = Int(word), !word.contains(":") {
            if minutes == 0 { return (nil, 0) }
            guard (-120...120).contains(minutes) else { throw Self.tooMuch(event) }
            guard word.hasPrefix("+") || word.hasPrefix("-") else {
                throw AnswerRefusal(
                    sentence:
                        "\"\(word)\" may be minutes or an hour: write +\(word) or -\(word) for minutes, \(word):00 for a time."
                )
            }
            return (minutes, old + minutes)
        }
        guard let wanted = Self.minuteOfDay(word), let shown = clockText(event).flatMap(Self.minuteOfDay)
        else {
            throw AnswerRefusal(
                sentence: "\"\(word)\" is neither a time such as 5:12 nor minutes such as +2.")
        }
        // A timetable on twelve hours is understood as well: the nearer time is meant.
        let half = 12 * 60
        var minutes = (wanted - shown) % half
        if minutes > half / 2 { minutes -= half }
        if minutes < -half / 2 { minutes += half }
        return (minutes, old + minutes)
    }

    /// Today's times as they will be called.
    private var today: SiteDay? {
        draft.decidedSite.map { $0.times.day($0.zone.civilDate(of: draft.inputs.now)) }
    }

    /// Today's time of an event, as it is shown.
    private func clockText(_ event: DayEvent) -> String? {
        draft.site.flatMap { site in today?[event].map { Self.clock($0, site.zone) } }
    }

    private static func later(_ clock: String, by minutes: Int) -> String {
        guard let minute = minuteOfDay(clock) else { return clock }
        let day = 24 * 60
        let then = ((minute + minutes) % day + day) % day
        return "\(InstantText.padded(then / 60, 2)):\(InstantText.padded(then % 60, 2))"
    }

    /// `5:12`, `05.12`
    private static func minuteOfDay(_ text: String) -> Int? {
        let clock = Spelling.timeOfDay(text).map { String($0.prefix(5)) } ?? text
        let parts = clock.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
        guard parts.count == 2, parts[1].count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]),
            (0...24).contains(hour), (0...59).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }

    // MARK: - Large corrections

    private func doubt(_ correction: Correction) -> [String] {
        guard abs(correction.total) >= Self.large else { return [] }
        let title = correction.event.title
        let cause =
            correction.event == .asr
            ? "the Asr school may be the other one"
            : "the mosque may use another method, or the place or time zone is wrong"
        return ["\(title) would be moved by \(abs(correction.total)) minutes. That is much: \(cause)."]
    }

    private mutating func askLarge(_ doubts: [String], _ adjustments: EventMinutes, _ sentences: [String])
        -> SetupTurn
    {
        stage = .largeCorrections(adjustments, sentences)
        return ask(
            doubts + ["n leaves the times as they are; \"back\" leads to the questions before."],
            "Correct it all the same? y or n",
            "n")
    }

    mutating func answerLarge(_ text: String, _ adjustments: EventMinutes, _ sentences: [String]) -> SetupTurn
    {
        guard let yes = YesOrNo(text, default: false) else {
            return again("Please answer y (yes) or n (no).", ask([], "Correct it all the same? y or n", "n"))
        }
        guard yes.isYes else { return showTimes() }
        draft.adjustments = adjustments
        return showTimes(sentences)
    }

    // MARK: - Saving

    mutating func askSave(_ notices: [String] = []) -> SetupTurn {
        let changes = draft.changes
        let decisions = draft.decisions
        guard !changes.isEmpty || !decisions.isEmpty else { return SetupTurn(notices, .save) }
        stage = .save
        var lines = changes.map { "  \($0.text)" }
        lines += decisions.map { "  and \($0)" }
        let why = draft.highLatitudeSentence.map(Self.indented) ?? []
        return ask(notices + ["", "This goes into \(draft.inputs.file):"] + lines + why, "Save? y or n", "y")
    }

    mutating func answerSave(_ text: String) -> SetupTurn {
        guard let yes = YesOrNo(text, default: true) else {
            return again("Please answer y (yes) or n (no).", askSave())
        }
        return yes.isYes ? SetupTurn([], .save) : askChange()
    }

    mutating func askChange() -> SetupTurn {
        stage = .change
        let mosque = draft.inputs.acceptsTimetables ? ", timetable, iqama" : ""
        let message = draft.inputs.messages.address == nil ? "" : ", message"
        return ask(
            ["Nothing is saved yet, and no answer is lost. What should be different?"],
            "place, method, asr, loudspeaker, volume, recording\(mosque)\(message) or times; or leave",
            "times")
    }

    mutating func answerChange(_ text: String) -> SetupTurn {
        switch text.lowercased() {
        case "place", "town": return askPlace()
        case "method": return askMethod(asked: true)
        case "asr": return askAsr(asked: true)
        case "loudspeaker", "device": return askDevice(asked: true)
        case "volume": return askVolume(asked: true)
        case "recording": return askRecording()
        case "timetable" where draft.inputs.acceptsTimetables: return askTimetable(asked: true)
        case "iqama" where draft.inputs.acceptsTimetables: return askCongregation(asked: true)
        case "message" where draft.inputs.messages.address != nil: return askAlert(asked: true)
        case "", "times": return showTimes()
        case "leave", "quit", "exit", "n", "no": return SetupTurn([], .leave)
        default:
            return again("Please answer with one of these words.", askChange())
        }
    }
}
