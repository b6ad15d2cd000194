/// The conversation of `setup`: answers in, the next question out. It neither prints nor reads, plays nothing and writes
/// nothing.
package struct SetupConversation: Sendable {
    enum Stage: Sendable, Equatable {
        case place
        case town([GazetteerPlace])
        case zone(String)
        case method
        case asr
        /// A number of the world's devices, or a name of one's own.
        case device(Int)
        case named(String)
        case noDevice
        case volume(Int)
        case recording
        case times
        case save
    }

    package internal(set) var draft: SetupDraft
    var stage = Stage.place
    /// The device on which a signal was heard; played again when the volume is chosen.
    var heardOn: String?
    /// What the command line has answered is not asked.
    let given: SetupDraft
    private var mistakes = 0

    /// So many answers in a row that are none end the conversation: nobody is there who reads.
    static let patience = 10

    /// `given` is what the command line has answered already.
    package init(_ given: SetupDraft) {
        self.given = given
        draft = given
    }

    package mutating func begin() -> SetupTurn {
        var turn = given.place == nil ? askPlace() : afterPlace()
        turn.say.insert(contentsOf: opening, at: 0)
        return turn
    }

    /// An answer as it was typed; empty takes what the prompt proposes.
    package mutating func answer(_ line: String) -> SetupTurn {
        let text = line.trimming(while: \.isWhitespace)
        switch stage {
        case .place: return answerPlace(text)
        case .town(let towns): return answerTown(text, towns)
        case .zone(let name): return answerZone(text, name)
        case .method: return answerMethod(text)
        case .asr: return answerAsr(text)
        case .device(let index): return answerHeard(text, at: index)
        case .named(let name): return answerHeard(text, on: name)
        case .noDevice: return answerNoDevice(text)
        case .volume(let proposed): return answerVolume(text, proposed)
        case .recording: return answerRecording(text)
        case .times: return answerTimes(text)
        case .save: return answerSave(text)
        }
    }

    private var opening: [String] {
        [
            "Five questions. Enter takes the answer in [brackets]; Ctrl-C leaves everything as it is.",
            "The answers go into \(draft.world.file)"
                + (draft.world.text == nil
                    ? ", which is not there yet." : "; its comments and other settings stay."),
            "",
        ]
    }

    // MARK: - Asking

    func ask(_ say: [String] = [], _ prompt: String, _ proposal: String?) -> SetupTurn {
        SetupTurn(say, .ask(prompt: proposal.map { "\(prompt) [\($0)]: " } ?? "\(prompt): "))
    }

    /// One sentence, and the same question again; with patience at its end, the end.
    mutating func again(_ sentence: String, _ turn: SetupTurn) -> SetupTurn {
        mistakes += 1
        let lines = Wrapping.lines(sentence, indent: 0)
        guard mistakes < Self.patience else {
            return SetupTurn(
                lines + ["\(mistakes) answers in a row made no sense."], .leave)
        }
        return SetupTurn(lines, turn.next)
    }

    mutating func understood() {
        mistakes = 0
    }
}

extension String {
    /// Without what satisfies `isOutside` at both ends.
    func trimming(while isOutside: (Character) -> Bool) -> String {
        var text = self[...]
        while let first = text.first, isOutside(first) { text.removeFirst() }
        while let last = text.last, isOutside(last) { text.removeLast() }
        return String(text)
    }
}
