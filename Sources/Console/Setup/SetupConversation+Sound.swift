import Places
import Settings
import Texts

/// Asks questions 4 and 5, the loudspeaker and the volume, and for the person's own recording.
extension SetupConversation {
    /// The devices to try, the configured ones first.
    private var devices: [SetupInputs.Device] {
        let all = draft.inputs.devices
        let own = (draft.devices ?? draft.inputs.config.devices).map { name in
            all.first { $0.name == name } ?? SetupInputs.Device(name: name, description: "")
        }
        return own + all.filter { !own.contains($0) }
    }

    mutating func askDevice(asked: Bool = false) -> SetupTurn {
        guard draft.inputs.config.outputs.isEmpty else { return askOutputs() }
        guard asked || given.devices == nil else { return askVolume() }
        let count = devices.count
        return play(
            at: 0,
            [
                "",
                "4 of 5  Which loudspeaker? A short signal is played until you hear it. Is it switched on?",
                "  \(count) \(count == 1 ? "device" : "devices") to try.",
            ])
    }

    private mutating func play(at index: Int, _ notices: [String] = []) -> SetupTurn {
        guard devices.indices.contains(index) else { return askNoDevice(notices) }
        stage = .device(index)
        let device = devices[index]
        let description = device.description.isEmpty ? "" : " (\(device.description))"
        return SetupTurn(
            notices + ["  Playing on \"\(device.name)\"\(description) …"],
            .play(device: device.name, volume: draft.proposedVolume))
    }

    private mutating func play(on name: String, volume: Int) -> SetupTurn {
        if case .volume = stage {} else { stage = .named(name) }
        return SetupTurn(["  Playing on \"\(name)\" …"], .play(device: name, volume: volume))
    }

    /// Continues after ``SetupStep/play(device:volume:)``.
    package mutating func played(_ outcome: SignalOutcome) -> SetupTurn {
        keepQuestion(afterSignal(outcome))
    }

    private mutating func afterSignal(_ outcome: SignalOutcome) -> SetupTurn {
        switch (stage, outcome) {
        case (.device(let index), .failed(let reason)): return play(at: index + 1, Self.remark(reason))
        case (.output(let index, let device), .failed(let reason)):
            return play(output: index, device + 1, Self.remark(reason))
        case (.output(let index, _), .played(let note)):
            return askHeard(note.map(Self.remark) ?? [], in: outputs[index].name)
        case (.volume(let volume), .failed(let reason)): return loudEnough(volume, Self.remark(reason))
        case (.volume(let volume), .played): return loudEnough(volume)
        case (_, .failed(let reason)): return askNoDevice(Self.remark(reason))
        case (_, .played(let note)): return askHeard(note.map(Self.remark) ?? [])
        }
    }

    /// Error messages of drivers may have several lines.
    static func remark(_ sentence: String) -> [String] {
        indented(sentence.split(whereSeparator: \.isWhitespace).joined(separator: " ").capitalizedFirst.ended)
    }

    private func askHeard(_ notices: [String] = []) -> SetupTurn {
        ask(notices, "Did you hear it? y, n, again, or skip", nil)
    }

    mutating func answerHeard(_ text: String, at index: Int) -> SetupTurn {
        switch text.lowercased() {
        case "again", "a": return play(at: index)
        case "skip", "s": return keepDevices()
        default: break
        }
        // Enter alone may have been pressed before the signal was over; only a typed word confirms that it was heard.
        guard !text.isEmpty, let yes = YesOrNo(text, default: true) else {
            return again("Please answer y (yes), n (no, try the next one), again or skip.", askHeard())
        }
        return yes.isYes ? chooseDevice(devices[index].name) : play(at: index + 1)
    }

    mutating func answerHeard(_ text: String, on name: String) -> SetupTurn {
        switch text.lowercased() {
        case "again", "a": return play(on: name, volume: draft.proposedVolume)
        case "skip", "s": return keepDevices()
        default: break
        }
        // Enter alone may have been pressed before the signal was over; only a typed word confirms that it was heard.
        guard !text.isEmpty, let yes = YesOrNo(text, default: true) else {
            return again("Please answer y (yes), n (no), again or skip.", askHeard())
        }
        return yes.isYes ? chooseDevice(name) : askNoDevice()
    }

    private mutating func chooseDevice(_ name: String) -> SetupTurn {
        heardOn = name
        // The file's other devices stay behind this one, to replace it if it fails.
        let own = draft.inputs.config.devices
        draft.devices = own.contains(name) ? [name] + own.filter { $0 != name } : [name]
        return askVolume()
    }

    mutating func keepDevices() -> SetupTurn {
        draft.devices = draft.inputs.config.devices
        var turn = askVolume()
        turn.lines.insert("  Kept: \(draft.inputs.config.devices.joined(separator: ", ")).", at: 0)
        return turn
    }

    private mutating func askNoDevice(_ notices: [String] = []) -> SetupTurn {
        stage = .noDevice
        return ask(
            notices + [
                "  No device is left to try. \"aplay -L\" lists all their names; \"alsamixer\" shows what is muted or turned down."
            ], "A device's name, again, or Enter to go on with",
            draft.inputs.config.devices.joined(separator: ", "))
    }

    mutating func answerNoDevice(_ text: String) -> SetupTurn {
        switch text.lowercased() {
        case "", "skip": return keepDevices()
        case "again": return play(at: 0)
        default: break
        }
        guard TextKind.device.fault(in: text) == nil, YesOrNo(text, default: true) == nil else {
            return again("That is no device's name.", askNoDevice())
        }
        return play(on: text, volume: draft.proposedVolume)
    }

    // MARK: - Volume

    mutating func askVolume(asked: Bool = false) -> SetupTurn {
        guard asked || given.volume == nil else { return askRecording() }
        let proposed = draft.proposedVolume
        stage = .volume(proposed)
        var lines = [
            "",
            "5 of 5  How loud? 0 to 100 percent; 100 plays a recording as it is; 50 sounds half as loud.",
        ]
        let common = draft.inputs.config[.asr].volumePercent
        let apart = Prayer.allCases.filter { $0 != .jumua && draft.inputs.config[$0].volumePercent != common }
        if !apart.isEmpty {
            let list = apart.map { "\($0.title) \(draft.inputs.config[$0].volumePercent)" }
            lines.append("  Prayers with their own volume, unchanged: \(list.joined(separator: ", ")).")
        }
        return ask(lines, "Volume", "\(proposed)")
    }

    private func loudEnough(_ volume: Int, _ notices: [String] = []) -> SetupTurn {
        ask(notices, "Loud enough? Enter takes it, or another number", "\(volume)")
    }

    mutating func answerVolume(_ text: String, _ proposed: Int) -> SetupTurn {
        let digits = text.hasSuffix("%") ? String(text.dropLast()).trimming(while: \.isWhitespace) : text
        guard let volume = text.isEmpty ? proposed : Int(digits), (0...100).contains(volume) else {
            return again("Please enter a whole number from 0 to 100.", ask([], "Volume", "\(proposed)"))
        }
        // A sound that has not been heard yet is played, if there is a device for it.
        if let heardOn, volume != proposed {
            stage = .volume(volume)
            return play(on: heardOn, volume: volume)
        }
        draft.volume = volume
        return askRecording()
    }

    // MARK: - A recording

    mutating func askRecording(_ notices: [String] = []) -> SetupTurn {
        guard draft.inputs.acceptsRecordings else { return askTimetable(notices) }
        stage = .recording
        if let now = draft.sound ?? ownSound {
            return ask(
                notices + ["", "Now: \(now). Do you have another recording of the adhan (an MP3 file)?"],
                "Its file, or Enter to keep this one", nil)
        }
        return ask(
            notices + [
                "",
                "adhand comes with a spoken announcement. Do you have a recording of the adhan (an MP3 file)?",
            ], "Its file, or Enter to go on without one", nil)
    }

    mutating func answerRecording(_ text: String) -> SetupTurn {
        if text.isEmpty { return askFajrRecording() }
        let file = text.trimming { $0 == "\"" || $0 == "'" }
        return SetupTurn(["  Reading it to its end …"], .importSound(file: file))
    }

    /// Continues after ``SetupStep/importSound(file:)``.
    package mutating func imported(_ outcome: ImportOutcome) -> SetupTurn {
        keepQuestion(afterImport(outcome))
    }

    private mutating func afterImport(_ outcome: ImportOutcome) -> SetupTurn {
        switch outcome {
        case .added(let name, let sentence):
            if case .fajrRecording = stage {
                draft.fajrSound = name
                return askTimetable(Self.indented(sentence))
            }
            draft.sound = name
            return askFajrRecording(Self.indented(sentence))
        case .refused(let reason):
            if case .fajrRecording = stage {
                return again(reason.capitalizedFirst.ended, askFajrRecording())
            }
            return again(reason.capitalizedFirst.ended, askRecording())
        }
    }
}
