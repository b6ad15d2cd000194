import Protocol
import Settings
import Texts

/// Checks whether there is a device to play it.
extension Doctor {
    static func devices(_ facts: DoctorFacts) -> DoctorCheck {
        let sound = facts.sound
        let tried = sound.devices
        let working = tried.first { $0.outcome == .opens }
        // The mixer counts for the device that will be used.
        if let silence = working?.silence {
            return DoctorCheck(
                .devices, .problem, PlainText.sentence(silence.reason), fix: silence.fix)
        }
        if let audio = facts.status?.audio, let checked = audio.checkedAt {
            return reported(audio, LocalText.spoken(checked, now: facts.status?.now ?? checked), facts)
        }
        if let unseen = sound.unseen { return unlooked(.devices, "No device was tried", unseen, facts) }
        if let untried = sound.untried {
            return DoctorCheck(.devices, .ok, "No device was tried: \(untried).")
        }
        return check(tried, working, facts)
    }

    private static func unlooked(
        _ name: DoctorCheck.Name, _ what: String, _ reason: String, _ facts: DoctorFacts
    ) -> DoctorCheck {
        DoctorCheck(
            name, .warning, "\(what) as adhand would: \(reason).",
            fix: facts.isSystem && !facts.isRoot ? "sudo adhanctl doctor" : nil)
    }

    /// Together with adhand's own findings.
    private static func reported(
        _ audio: StatusDocument.Audio, _ when: String, _ facts: DoctorFacts
    ) -> DoctorCheck {
        let tried = facts.sound.devices
        let working = tried.first { $0.outcome == .opens }
        // A test of the device now counts more than the result of an earlier one.
        guard tried.isEmpty else {
            guard let working, audio.hasFailed else { return check(tried, working, facts) }
            let error = PlainText.sentence(audio.lastError ?? "the last sound could not be played")
            return DoctorCheck(
                .devices, .warning,
                "At \(when) adhand had trouble with sound. \(error) Now \"\(working.name)\" opens. Check that you can hear it.",
                fix: sudo("adhanctl test-play next", facts))
        }
        if let unseen = facts.sound.unseen { return unlooked(.devices, "No device was tried", unseen, facts) }
        guard audio.hasFailed else {
            return DoctorCheck(
                .devices, .ok, "When adhand last used or tried its sound device, at \(when), all was well.")
        }
        return DoctorCheck(
            .devices, .problem,
            "At \(when) adhand had trouble with sound. \(PlainText.sentence(audio.lastError ?? "the last sound could not be played"))",
            fix: "aplay -L")
    }

    private static func check(
        _ tried: [SoundFacts.Device], _ working: SoundFacts.Device?, _ facts: DoctorFacts
    ) -> DoctorCheck {
        if let working {
            let failing = tried.prefix { $0.name != working.name }
            guard failing.isEmpty else {
                return DoctorCheck(
                    .devices, .warning,
                    "\(SoundFacts.Device.failures(failing)) \"\(working.name)\" opens and will be used.",
                    fix: "aplay -L")
            }
            return DoctorCheck(
                .devices, .ok,
                "\"\(working.name)\" opens. To hear it, run \"\(sudo("adhanctl test-play next", facts))\".")
        }
        if tried.isEmpty {
            return DoctorCheck(.devices, .warning, "No device was tried: the configuration is not known.")
        }
        if tried.contains(where: { if case .fails(_, true, _) = $0.outcome { true } else { false } }) {
            let holder =
                facts.sound.holders.isEmpty ? " Another program holds the sound card." : holders(facts.sound)
            return DoctorCheck(
                .devices, .problem,
                "\(SoundFacts.Device.failures(tried[...]))\(holder) If it still does at prayer time, nothing is heard.",
                fix: "fuser -v /dev/snd/*")
        }
        if !facts.sound.hasCards, tried.allSatisfy({ $0.outcome != .hangs && !isServer($0.name) }) {
            return DoctorCheck(
                .devices, .problem,
                "Linux sees no sound card on this machine. Plug one in, or switch it on in the firmware.",
                fix: "aplay -l")
        }
        return DoctorCheck(.devices, .problem, SoundFacts.Device.failures(tried[...]), fix: "aplay -L")
    }

    /// Names that lead to another program instead of a card.
    private static func isServer(_ name: String) -> Bool {
        ["bluealsa", "pulse", "pipewire", "jack"].contains { name.hasPrefix($0) }
    }

    static func sounds(_ facts: DoctorFacts) -> DoctorCheck {
        let files = facts.sound.files
        if let unseen = facts.sound.unseen { return unlooked(.sounds, "No sound was tried", unseen, facts) }
        guard !files.isEmpty else {
            return DoctorCheck(
                .sounds, .warning, "The sounds could not be looked at: the configuration is not known.")
        }
        for file in files {
            let who = file.users
            switch file.outcome {
            case .missing:
                return DoctorCheck(
                    .sounds, .problem,
                    "\(PlainText.sentence(SoundFacts.File.noSuchSound(file.name)).dropLast()) for \(who): the time signal will be played instead.",
                    fix: sudo(file.fix, facts))
            case .broken(let reason), .unreadable(let reason):
                return DoctorCheck(
                    .sounds, .problem,
                    "\(PlainText.sentence(reason)) It is for \(who); the time signal will be played instead.",
                    fix: sudo(file.fix, facts))
            case .doubtful(let reason):
                return DoctorCheck(
                    .sounds, .problem,
                    "The recording of \"\(file.name)\" for \(who) is not fit to be called: \(reason). Add another one.",
                    fix: sudo(file.replacement, facts))
            case .decodes, .questionable, .unread: continue
            }
        }
        for file in files {
            guard case .questionable(_, let reason) = file.outcome else { continue }
            return DoctorCheck(
                .sounds, .warning,
                "Listen to the recording of \"\(file.name)\" for \(file.users) before it is called: \(reason).",
                fix: sudo(file.trial, facts))
        }
        if let file = files.first(where: isMissingFajr) {
            return DoctorCheck(
                .sounds, .warning,
                "At Fajr the recording of the other prayers is played (\"\(file.name)\"). The Fajr adhan has a phrase "
                    + "of its own: add a recording of it\(file.isPath ? " and choose it" : "").",
                fix: fajrFix(file).map { sudo($0, facts) }.joined(separator: " && "))
        }
        if files.contains(where: { $0.outcome == .unread }) {
            return DoctorCheck(
                .sounds, .warning, "There was not enough time to read every sound to its end.",
                fix: sudo("adhanctl test-play next", facts))
        }
        let names = files.reduce(into: [String]()) { if !$0.contains($1.name) { $0.append($1.name) } }
        return DoctorCheck(
            .sounds, .ok, "Every sound can be played to its end (\(names.joined(separator: ", "))).")
    }

    /// The commands that add a recording for Fajr.
    private static func fajrFix(_ file: SoundFacts.File) -> [String] {
        file.isPath
            ? ["adhanctl sound add FAJR.mp3 --name fajr", "adhanctl sound use fajr --prayer fajr"]
            : ["adhanctl sound add FAJR.mp3 --name \(file.name) --prayer fajr"]
    }

    /// Whether a recording that a person added is used for Fajr as well as for the others.
    private static func isMissingFajr(_ file: SoundFacts.File) -> Bool {
        !file.isShipped && file.occasion == .adhan && file.prayers.contains(.fajr) && file.prayers.count > 1
    }

    private static func quoted(_ names: [String]) -> String {
        names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
