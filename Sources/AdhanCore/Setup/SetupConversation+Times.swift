import PrayerEngine

/// The end: today's times beside the mosque's, corrections, and the word to save.
extension SetupConversation {
    mutating func showTimes(_ say: [String] = []) -> SetupTurn {
        guard let site = draft.site else { return askSave(say) }
        stage = .times
        let today = site.zone.civilDate(of: draft.world.now)
        let day = site.timetable.day(today)
        let shown = SetupDraft.adjustable.map { event in
            let minutes = draft.adjustments[event]
            let mark = minutes == 0 ? "" : " (\(minutes > 0 ? "+" : "")\(minutes))"
            return "\(TimesTable.title(event)) \(day[event].map { Self.clock($0, site.zone) } ?? "-")\(mark)"
        }
        return ask(
            say + [
                "", "Today, \(LocalText.long(today)), at \(site.name):",
                "  " + shown.joined(separator: "   "),
                "Compare them with your mosque's. If a time differs, type what the mosque says, such as",
                "\"fajr 5:12\", or the minutes to add, such as \"isha +2\"; several with commas between.",
            ], "Corrections, or Enter if they agree", nil)
    }

    mutating func answerTimes(_ text: String) -> SetupTurn {
        if text.isEmpty { return askSave() }
        var adjustments = draft.adjustments
        for part in text.split(separator: ",") {
            do throws(Misfit) {
                let (event, minutes) = try correction(String(part))
                adjustments[event] += minutes
                guard (-60...60).contains(adjustments[event]) else { throw Self.tooMuch(event) }
            } catch {
                return again(error.sentence, showTimes())
            }
        }
        understood()
        draft.adjustments = adjustments
        return showTimes()
    }

    struct Misfit: Error {
        let sentence: String
    }

    private static func tooMuch(_ event: DayEvent) -> Misfit {
        Misfit(
            sentence:
                "\(TimesTable.title(event)) would be off by more than an hour. That is no matter of minutes: "
                + "look at the time zone, the method and the Asr school.")
    }

    /// `fajr 5:12`, `isha +2`, `asr=-1`: the minutes to add to what is shown.
    private func correction(_ text: String) throws(Misfit) -> (DayEvent, Int) {
        let words = text.split { $0 == " " || $0 == "=" || $0 == "\t" }.map { $0.lowercased() }
        guard words.count == 2 else {
            throw Misfit(
                sentence: "Please write a prayer and a time or minutes, such as \"fajr 5:12\" or \"fajr -2\"."
            )
        }
        let names = SetupDraft.adjustable.map(\.rawValue)
        guard let event = DayEvent(rawValue: words[0]), SetupDraft.adjustable.contains(event) else {
            let near = NearestName.of(words[0], among: names).map { "; did you mean \($0)?" } ?? "."
            throw Misfit(
                sentence:
                    "There is no time \"\(words[0])\" to correct; there are \(names.joined(separator: ", "))\(near)"
            )
        }
        if let minutes = Int(words[1]), !words[1].contains(":") {
            guard (-120...120).contains(minutes) else { throw Self.tooMuch(event) }
            return (event, minutes)
        }
        guard let wanted = Self.minuteOfDay(words[1]), let site = draft.site,
            let instant = site.timetable.day(site.zone.civilDate(of: draft.world.now))[event]
        else {
            throw Misfit(sentence: "\"\(words[1])\" is neither a time such as 5:12 nor minutes such as +2.")
        }
        guard let shown = Self.minuteOfDay(Self.clock(instant, site.zone)) else { throw Self.tooMuch(event) }
        // A timetable on twelve hours is understood as well: the nearer one is meant.
        let half = 12 * 60
        var minutes = (wanted - shown) % half
        if minutes > half / 2 { minutes -= half }
        if minutes < -half / 2 { minutes += half }
        return (event, minutes)
    }

    /// `5:12`, `05.12`
    private static func minuteOfDay(_ text: String) -> Int? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
        guard parts.count == 2, parts[1].count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]),
            (0...24).contains(hour), (0...59).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }

    // MARK: - Saving

    mutating func askSave(_ say: [String] = []) -> SetupTurn {
        let changes = draft.changes
        guard !changes.isEmpty else { return SetupTurn(say, .save) }
        stage = .save
        let lines = changes.map { "  \($0.key) = \($0.value.toml)" }
        return ask(say + ["", "This goes into \(draft.world.file):"] + lines, "Save? y or n", "y")
    }

    mutating func answerSave(_ text: String) -> SetupTurn {
        guard let yes = YesOrNo(text, default: true) else {
            return again("Please answer y (yes) or n (no).", askSave())
        }
        return SetupTurn([], yes.isYes ? .save : .leave)
    }
}
