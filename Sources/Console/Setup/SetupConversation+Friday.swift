import PrayerEngine
import Settings
import Texts
import Times

/// Asks for Friday's congregations, and a separate recording for Fajr.
extension SetupConversation {
    /// Asks after the congregations of the other prayers.
    mutating func askFriday(_ notices: [String] = []) -> SetupTurn {
        let inputs = draft.inputs
        let isPublished = draft.timetable?.table.columns.contains(where: \.isFriday) ?? false
        guard inputs.acceptsTimetables, !isPublished else { return askAlert(notices) }
        guard inputs.config.jumua.slots.isEmpty else {
            return askAlert(notices + ["  Friday's congregations stay as the file has them."])
        }
        stage = .friday
        return ask(
            notices + [
                "",
                "Friday: when does the khutba begin? A clock time (13:15), several with commas, or Enter where Jumu'ah is",
                "  called as Dhuhr is.",
            ], "Jumu'ah", nil)
    }

    mutating func answerFriday(_ text: String) -> SetupTurn {
        draft.khutbas = []
        if text.isEmpty || text == "-" { return askAlert() }
        var notices: [String] = []
        for part in text.split(separator: ",").map({ String($0).trimming(while: \.isWhitespace) }) {
            guard let reading = try? IqamaReading(part, for: .jumua), case .clock = reading.time else {
                return again("\"\(part)\" must be a clock time such as 13:15.", askFriday())
            }
            if let note = reading.note { notices.append("  \(note).") }
            draft.khutbas.append(reading.time)
        }
        return askAlert(notices)
    }

    /// Whether a recording of the adhan is used, rather than the shipped signal.
    var hasRecording: Bool { draft.sound != nil || ownSound != nil }

    /// The sounds that the file names and that are not shipped.
    var ownSound: String? {
        let sound = draft.inputs.config[.asr].sound
        return sound == Config.default[.asr].sound ? nil : sound.text
    }

    /// Asks for Fajr's recording: its adhan adds that prayer is better than sleep, which another prayer's recording lacks.
    mutating func askFajrRecording(_ notices: [String] = []) -> SetupTurn {
        guard hasRecording else { return askTimetable(notices) }
        stage = .fajrRecording
        let config = draft.inputs.config
        let own =
            config[.fajr].sound == config[.asr].sound ? nil : config[.fajr].sound.text
        return ask(
            notices + [
                "", "Fajr's adhan has a phrase of its own. Do you have a recording of it?",
            ],
            own.map { "Now: \($0). Its file, or Enter to keep it" }
                ?? "Its file, or Enter to call Fajr with the same recording", nil)
    }

    mutating func answerFajrRecording(_ text: String) -> SetupTurn {
        if text.isEmpty { return askTimetable() }
        let file = text.trimming { $0 == "\"" || $0 == "'" }
        return SetupTurn(["  Reading it to its end …"], .importSound(file: file))
    }
}
