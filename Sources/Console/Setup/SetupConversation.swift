import Places
import PrayerEngine
package import Settings
import Texts

/// The conversation of `setup`: answers in, the next question out. It neither prints nor reads, plays nothing and writes
/// nothing.
package struct SetupConversation: Sendable {
    enum Stage: Sendable, Equatable {
        case place
        case town([GazetteerPlace])
        case naming(SetupPlace)
        case zone(String)
        /// Two clocks in one place: their zones.
        case clock([String])
        case method
        case asr
        /// A device by its number in the list, or another name.
        case device(Int)
        case named(String)
        case noDevice
        /// The number of an output, and that of its device.
        case output(Int, device: Int)
        case volume(Int)
        case recording
        case fajrRecording
        /// A timetable is imported already.
        case keptTimetable
        case keptExceptions
        case timetable
        case timetableSeen(SetupTimetable)
        case congregation
        case iqama(Prayer)
        case friday
        case alert
        /// A test message went to this address, or did not.
        case alertSent(String, isDelivered: Bool)
        case times
        /// Corrections that are large enough to be a mistake.
        case largeCorrections(EventMinutes, [String])
        case save
        /// The changes to make before it is saved.
        case change
    }

    /// A question in its original state, to go back to.
    private struct Checkpoint: Sendable {
        let draft: SetupDraft
        let stage: Stage
        let heardOn: String?
        let question: SetupTurn
    }

    package internal(set) var draft: SetupDraft
    var stage = Stage.place
    /// The device on which a signal was heard; played again when the volume is chosen.
    var heardOn: String?
    /// The answers of the command line, which are not asked for again.
    let given: SetupDraft
    private var mistakes = 0
    private var past: [Checkpoint] = []
    private var question = SetupTurn([], .leave)

    /// The number of unusable answers in a row that ends the conversation: no person reads the questions.
    static let patienceSeconds = 10

    /// `given`: the answers of the command line.
    package init(_ given: SetupDraft) {
        self.given = given
        draft = given
    }

    package mutating func begin() -> SetupTurn {
        var turn = keepQuestion(given.place == nil ? askPlace() : afterPlace())
        turn.lines.insert(contentsOf: opening, at: 0)
        return turn
    }

    /// An answer as it was typed; an empty one accepts the prompt's proposal.
    package mutating func answer(_ line: String) -> SetupTurn {
        let text = line.trimming(while: \.isWhitespace)
        switch text.lowercased() {
        case "?", "help": return explained()
        case "back", "b": return back()
        default: break
        }
        let before = Checkpoint(draft: draft, stage: stage, heardOn: heardOn, question: question)
        let earlierMistakes = mistakes
        let turn = answer(text, at: stage)
        if mistakes <= earlierMistakes {
            mistakes = 0
            past.append(before)
        }
        return keepQuestion(turn)
    }

    private mutating func answer(_ text: String, at stage: Stage) -> SetupTurn {
        switch stage {
        case .place: answerPlace(text)
        case .town(let towns): answerTown(text, towns)
        case .naming(let place): answerName(text, place)
        case .zone(let name): answerZone(text, name)
        case .clock(let zones): answerClock(text, zones)
        case .method: answerMethod(text)
        case .asr: answerAsr(text)
        case .device(let index): answerHeard(text, at: index)
        case .named(let name): answerHeard(text, on: name)
        case .noDevice: answerNoDevice(text)
        case .output(let index, _): answerHeard(text, onOutput: index)
        case .volume(let proposed): answerVolume(text, proposed)
        case .recording: answerRecording(text)
        case .fajrRecording: answerFajrRecording(text)
        case .keptTimetable: answerKeptTimetable(text)
        case .keptExceptions: answerKeptExceptions(text)
        case .timetable: answerTimetable(text)
        case .timetableSeen(let timetable): answerSeen(text, timetable)
        case .congregation: answerCongregation(text)
        case .iqama(let prayer): answerIqama(text, prayer)
        case .friday: answerFriday(text)
        case .alert: answerAlert(text)
        case .alertSent(let address, let isDelivered): answerSent(text, address, isDelivered)
        case .times: answerTimes(text)
        case .largeCorrections(let adjustments, let sentences): answerLarge(text, adjustments, sentences)
        case .save: answerSave(text)
        case .change: answerChange(text)
        }
    }

    private var opening: [String] {
        [
            "Five questions. Enter takes the answer in [brackets]; ? explains a question, "
                + "back returns to the one before; Ctrl-C leaves everything as it is.",
            "The answers go into \(draft.inputs.file)"
                + (draft.inputs.text == nil
                    ? ", which is not there yet." : "; its comments and other settings stay."),
            "",
        ]
    }

    /// Continues after ``SetupStep/save`` was refused: no answer is lost, and the relevant question is asked again.
    package mutating func refused(_ sentence: String, key: String?) -> SetupTurn {
        let notices = ["", sentence.capitalizedFirst.ended]
        var turn: SetupTurn
        switch key.map({ $0.split(separator: ".").map(String.init) }) ?? [] {
        case let path where path.first == "iqama" || path.last == "at": turn = askCongregation(asked: true)
        case let path where path.first == "audio": turn = askDevice(asked: true)
        case let path where path.last == "sound": turn = askRecording()
        case let path where path.first == "location" || path.first == "timezone": turn = askPlace()
        case let path where path.first == "calculation": turn = askMethod(asked: true)
        default: turn = askChange()
        }
        turn.lines.insert(contentsOf: notices, at: 0)
        return keepQuestion(turn)
    }

    /// Continues after ``SetupStep/save`` when the same keys were changed meanwhile: asks whether the answers replace those
    /// changes.
    package mutating func overtaken(by changes: [ConfigDifference]) -> SetupTurn {
        let lines = changes.map { "  \($0.text)" }
        var turn = askSave()
        turn.lines.insert(
            contentsOf: ["", "The file was changed while you answered, and y overwrites this:"] + lines, at: 0
        )
        return keepQuestion(turn)
    }

    // MARK: - Asking

    func ask(_ notices: [String] = [], _ prompt: String, _ proposal: String?) -> SetupTurn {
        SetupTurn(notices, .ask(prompt: proposal.map { "\(prompt) [\($0)]: " } ?? "\(prompt): "))
    }

    /// Keeps a question for ``back()``.
    mutating func keepQuestion(_ turn: SetupTurn) -> SetupTurn {
        if case .ask = turn.next { question = turn }
        return turn
    }

    /// Repeats a question after one sentence; ends the conversation when patience is exhausted.
    mutating func again(_ sentence: String, _ turn: SetupTurn) -> SetupTurn {
        mistakes += 1
        guard mistakes < Self.patienceSeconds else {
            return SetupTurn([sentence, "\(mistakes) answers in a row made no sense."], .leave)
        }
        return SetupTurn([sentence], turn.next)
    }

    private mutating func back() -> SetupTurn {
        guard let moment = past.popLast() else {
            return again("This is the first question.", question)
        }
        (draft, stage, heardOn) = (moment.draft, moment.stage, moment.heardOn)
        return keepQuestion(moment.question)
    }

    private mutating func explained() -> SetupTurn {
        mistakes += 1
        guard mistakes < Self.patienceSeconds else { return again("", question) }
        return SetupTurn(help, question.next)
    }
}
