import Settings
import Texts

/// Question 4 where the file names several outputs: each is heard, and none is changed.
extension SetupConversation {
    var outputs: [OutputSettings] { draft.inputs.config.outputs }

    mutating func askOutputs() -> SetupTurn {
        let names = outputs.map(\.name).joined(separator: ", ")
        return play(
            output: 0, 0,
            [
                "",
                "4 of 5  Is every loudspeaker heard? A short signal is played on each. Are they switched on?",
                "  \(outputs.count == 1 ? "The output" : "The outputs") of the file: \(names).",
            ])
    }

    mutating func play(output index: Int, _ device: Int, _ notices: [String] = []) -> SetupTurn {
        guard outputs.indices.contains(index) else {
            var turn = askVolume()
            turn.lines.insert(contentsOf: notices, at: 0)
            return turn
        }
        let output = outputs[index]
        guard output.devices.indices.contains(device) else {
            return play(output: index + 1, 0, notices + advice(output))
        }
        stage = .output(index, device: device)
        return SetupTurn(
            notices + ["  Playing on \"\(output.devices[device])\", the output \"\(output.name)\" …"],
            .play(
                device: output.devices[device],
                volume: min(output.volumePercent ?? draft.proposedVolume, output.mostPercent)))
    }

    func askHeard(_ notices: [String], in output: String) -> SetupTurn {
        ask(notices, "Did you hear it in \"\(output)\"? y, n, again, or skip", nil)
    }

    mutating func answerHeard(_ text: String, onOutput index: Int) -> SetupTurn {
        switch text.lowercased() {
        case "again", "a": return play(output: index, 0)
        case "skip", "s": return askVolume()
        default: break
        }
        guard !text.isEmpty, let yes = YesOrNo(text, default: true) else {
            return again(
                "Please answer y (yes), n (no), again or skip.", askHeard([], in: outputs[index].name))
        }
        // If the output uses the box's own volume, setup also asks for that.
        if yes.isYes, heardOn == nil, outputs[index].volumePercent == nil {
            heardOn = outputs[index].devices.first
        }
        return play(output: index + 1, 0, yes.isYes ? [] : advice(outputs[index]))
    }

    private func advice(_ output: OutputSettings) -> [String] {
        [
            "  \"\(output.name)\" was not heard: look at its plug, its amplifier and its own volume. Its devices are "
                + "\(output.devices.joined(separator: ", ")), under [[output]] in \(draft.inputs.file); "
                + "\"aplay -L\" lists all their names."
        ]
    }
}
