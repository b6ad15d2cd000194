import Settings
import Texts

/// Asks for the recipient of alerts about missed adhans: an address, and a test message whose arrival a person confirms.
extension SetupConversation {
    /// Asks after all questions about adhand itself.
    mutating func askAlert(_ notices: [String] = [], asked: Bool = false) -> SetupTurn {
        switch draft.inputs.messages {
        case .unavailable: return askSave(notices)
        case .notInstalled:
            return askSave(
                notices + [
                    "",
                    "With the package adhand-bridge the box can tell a phone when an adhan was not heard. Install it, and run setup again.",
                ])
        case .unreadable(let reason):
            return askSave(
                notices + [
                    "", "Nobody can be named here who learns when an adhan is not heard: \(reason)".ended,
                ])
        case .ready(let address):
            guard asked || given.message == nil else { return askSave(notices) }
            return askAddress(notices, address)
        }
    }

    private mutating func askAddress(_ notices: [String], _ address: SetupMessages.Address) -> SetupTurn {
        stage = .alert
        var lines = [
            "",
            "Whom should the box tell when an adhan is not heard? An ntfy address, or another one for messages.",
        ]
        if let now = address.now {
            return ask(
                notices + lines + ["  Now: \(now)"], "Another address, - for nobody, or Enter to keep it", nil
            )
        }
        lines += [
            "  Such as: install the free app ntfy on a phone, subscribe there to \(address.proposal),",
            "  and type ntfy.sh/\(address.proposal)",
        ]
        if address.hasOthers { lines.append("  The alerts that are in \(address.file) stay.") }
        return ask(notices + lines, "Address, or Enter for nobody", nil)
    }

    mutating func answerAlert(_ text: String) -> SetupTurn {
        guard let address = draft.inputs.messages.address else { return askSave() }
        if text.isEmpty {
            draft.message = nil
            return askSave()
        }
        do throws(MessageAnswerError) {
            let answer = try MessageAnswer(text)
            if case .to(let read, _) = answer { return send(read) }
            // If nobody was notified before, no line reports that nobody is.
            draft.message = address.now == nil ? nil : .nobody
            return askSave()
        } catch {
            return again("That cannot be used as an address: \(error.reason).", askAddress([], address))
        }
    }

    private mutating func send(_ address: String) -> SetupTurn {
        stage = .alertSent(address, isDelivered: false)
        return SetupTurn(["  Sending a test message to \(address) …"], .sendMessage(address: address))
    }

    /// Continues after ``SetupStep/sendMessage(address:)``.
    package mutating func messageSent(_ outcome: MessageOutcome) -> SetupTurn {
        guard case .alertSent(let address, _) = stage else { return askAlert(asked: true) }
        switch outcome {
        case .delivered:
            stage = .alertSent(address, isDelivered: true)
            return keepQuestion(askArrived())
        case .failed(let reason):
            stage = .alertSent(address, isDelivered: false)
            return keepQuestion(askOther(Self.indented("It was not taken: \(reason)".ended)))
        }
    }

    private func askArrived() -> SetupTurn {
        ask([], "Did it arrive? y, n, again, or skip", nil)
    }

    private func askOther(_ notices: [String] = []) -> SetupTurn {
        ask(notices, "Another address, again, keep to save it all the same, or - for nobody", nil)
    }

    mutating func answerSent(_ text: String, _ address: String, _ isDelivered: Bool) -> SetupTurn {
        switch text.lowercased() {
        case "again", "a": return send(address)
        case "keep" where !isDelivered, "skip" where isDelivered, "s" where isDelivered: return keep(address)
        default: break
        }
        if text.contains(".") || MessageAnswer.nobodyWords.contains(text.lowercased()) {
            return answerAlert(text)
        }
        guard isDelivered else {
            return again("Please answer with an address, again, keep or -.", askOther())
        }
        guard !text.isEmpty, let yes = YesOrNo(text, default: true) else {
            return again("Please answer y (yes), n (no), again, skip, or another address.", askArrived())
        }
        if yes.isYes { return keep(address) }
        return askAlert(
            [
                "",
                "The server took it. Is the phone subscribed to exactly that name, at the same server, and online?",
            ], asked: true)
    }

    private mutating func keep(_ address: String) -> SetupTurn {
        draft.message = .to(address, isTried: true)
        return askSave()
    }
}
