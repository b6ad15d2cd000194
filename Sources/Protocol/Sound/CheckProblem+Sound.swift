/// Unusable sounds and devices of a configuration: the same findings as doctor's, one by one and each with its key.
extension CheckProblem {
    /// - Parameter sudo: whether root has to change adhand's sounds.
    package static func find(in facts: SoundFacts, sudo: Bool) -> [CheckProblem] {
        facts.files.compactMap { problem($0, sudo) } + devices(facts)
    }

    private static func problem(_ file: SoundFacts.File, _ sudo: Bool) -> CheckProblem? {
        let users = file.users
        let stands = "the time signal will be played instead"
        let uses = file.prayers.map { SoundUse(prayer: $0, occasion: file.occasion, sound: file.name) }
        let key = SoundUse.keys(of: uses).first
        func sound(_ what: String) -> CheckProblem {
            CheckProblem(
                .sound, .problem, "\(what); it is for \(users), and \(stands)",
                fix: (sudo ? "sudo " : "") + file.fix,
                file: file.path, key: key)
        }
        switch file.outcome {
        case .missing: return sound(SoundFacts.File.noSuchSound(file.name))
        case .unreadable(let reason), .broken(let reason): return sound(trimmed(reason))
        case .doubtful(let reason):
            return CheckProblem(
                .sound, .warning,
                "the recording of \"\(file.name)\" for \(users) is not fit to be called: \(trimmed(reason))",
                fix: (sudo ? "sudo " : "") + file.replacement, file: file.path, key: key)
        case .questionable(_, let reason):
            return CheckProblem(
                .sound, .warning,
                "listen to the recording of \"\(file.name)\" for \(users) before it is called: \(trimmed(reason))",
                fix: (sudo ? "sudo " : "") + file.trial, file: file.path, key: key)
        case .decodes, .unread: return nil
        }
    }

    private static func trimmed(_ reason: String) -> String {
        reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }

    private static func devices(_ facts: SoundFacts) -> [CheckProblem] {
        let working = facts.devices.first { $0.outcome == .opens }
        var found: [CheckProblem] = []
        for device in facts.devices.prefix(while: { $0.name != working?.name }) {
            let isBusy = if case .fails(_, true, _) = device.outcome { true } else { false }
            // A device that another program holds may be free at the time, and another device may work.
            found.append(
                CheckProblem(
                    .device, working == nil && !isBusy ? .problem : .warning,
                    trimmed(SoundFacts.Device.failures([device])),
                    fix: isBusy ? "fuser -v /dev/snd/*" : "aplay -L", key: "audio.devices"))
        }
        if let silence = working?.silence {
            found.append(
                CheckProblem(.device, .problem, silence.reason, fix: silence.fix, key: "audio.devices"))
        }
        return found
    }
}

extension CheckProblem {
    /// Problems of an output after the first, as far as its devices are noteworthy.
    package static func problems(
        of output: String, isRequired: Bool, _ tried: [SoundFacts.Device]
    ) -> [CheckProblem] {
        var facts = SoundFacts()
        facts.devices = tried
        return devices(facts).map { found in
            CheckProblem(
                .device, isRequired ? found.severity : .warning, "output \(output): \(found.message)",
                fix: found.fix, key: "output")
        }
    }
}
