import Places
import PrayerEngine
import Settings
import Texts
import Times

/// Questions 2 and 3: the method and the Asr school.
extension SetupConversation {
    /// Asks for the method. `asked`: even where the command line has answered.
    mutating func askMethod(asked: Bool = false) -> SetupTurn {
        guard asked || given.method == nil else { return askAsr() }
        stage = .method
        var lines = ["", "2 of 5  By which method are the times calculated?"]
        let proposed = draft.proposedMethod
        if let practice = draft.practice {
            lines += Self.indented(
                "Proposed for \(draft.place?.country ?? ""): \(practice.method), \(practice.methodReason).")
            if proposed != practice.method { lines.append("  The file has \(proposed).") }
        }
        return ask(lines, "Method (? lists them all)", proposed)
    }

    mutating func answerMethod(_ text: String) -> SetupTurn {
        let proposed = draft.proposedMethod
        let name = text.isEmpty ? proposed : MethodNames.named(text.lowercased())
        guard let name else {
            let near =
                NearestName.of(text, among: MethodNames.all).map { "; did you mean \($0)?" }
                ?? "; ? lists them."
            return again("There is no method \"\(text)\"\(near)", askMethod(asked: true))
        }
        guard name != CalculationSettings.custom || draft.inputs.config.calculation.angles != nil else {
            return again(
                "Angles of your own are written into the file, under [calculation.angles]; choose a method for now.",
                askMethod(asked: true))
        }
        draft.method = name
        return askAsr()
    }

    mutating func askAsr(asked: Bool = false) -> SetupTurn {
        // No question: the country's practice is shown before it is saved.
        draft.highLatitude = draft.proposedHighLatitude
        guard asked || given.asr == nil else { return askDevice() }
        stage = .asr
        var lines = ["", "3 of 5  When does Asr begin?"]
        for (school, shadow) in [(AsrSchool.standard, "once"), (.hanafi, "twice")] {
            let today = asr(school).map { ", today \($0)" } ?? ""
            lines.append(
                "  \(school.rawValue.padded(to: 8))  when a shadow has grown by \(shadow) its object's height\(today)"
            )
        }
        if let practice = draft.practice {
            lines += Self.indented("Proposed: \(practice.asr.rawValue), \(practice.asrReason).")
        }
        return ask(lines, "Asr", draft.proposedAsr.rawValue)
    }

    /// Today's Asr by a school.
    private func asr(_ school: AsrSchool) -> String? {
        var draft = draft
        draft.asr = school
        return draft.site.flatMap { site in
            site.computedTimes.day(site.zone.civilDate(of: draft.inputs.now))[.asr].map {
                Self.clock($0, site.zone)
            }
        }
    }

    mutating func answerAsr(_ text: String) -> SetupTurn {
        let schools = [
            "standard": AsrSchool.standard, "s": .standard, "1": .standard, "shafi": .standard,
            "hanafi": .hanafi, "h": .hanafi, "2": .hanafi,
        ]
        guard let school = text.isEmpty ? draft.proposedAsr : schools[text.lowercased()] else {
            return again("Please answer standard or hanafi.", askAsr(asked: true))
        }
        draft.asr = school
        return askDevice()
    }

    /// Lines are broken where their width is known.
    static func indented(_ sentence: String) -> [String] { ["  " + sentence] }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
