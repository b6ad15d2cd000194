import CommandKit
import ControlClient
import Glibc
import Host
import Protocol
import Settings

/// Tries a changed configuration before it is written: a program with adhand's rights opens the new devices and reads
/// the new sounds.
struct ConfigurationTrial {
    let target: SetupTarget
    let daemon: ControlClient

    /// Refuses a change that adds a device or sound that cannot work.
    func refuse(
        _ text: [UInt8], dropIns: [ConfigSource], from old: Config, to new: Config
    ) throws(CommandError) {
        let change = ChangedSound(from: old, to: new)
        guard !change.isEmpty else { return }
        let isSystem = target.named == Paths.systemConfiguration
        guard let problem = change.problem(in: try facts(text, dropIns, change), sudo: isSystem)
        else { return }
        let remedy = problem.fix.map { "; try \"\($0)\"" } ?? ""
        throw CommandError(
            .failed, "\(problem.message)\(remedy); nothing was changed; --untested saves it all the same")
    }

    /// The facts as seen by adhand or, if it does not answer, by this user.
    private func facts(
        _ text: [UInt8], _ dropIns: [ConfigSource], _ change: ChangedSound
    ) throws(CommandError) -> SoundFacts {
        if let seen = try? check(text, dropIns), seen.view != .text, seen.valid { return seen.soundFacts }
        var facts = SoundFacts()
        for name in change.devices {
            if let reason = TestSignal.fault(of: name) {
                facts.devices.append(.init(name: name, outcome: .fails(reason: reason, isBusy: false)))
            }
        }
        guard let place = try? SoundPlace(NamedPlaces(), daemon) else { return facts }
        for use in change.uses where !place.hasSound(use.sound, for: use.prayer) {
            facts.files.append(
                SoundFacts.File(
                    name: use.sound, prayers: [use.prayer], occasion: use.occasion, path: nil,
                    outcome: .missing))
        }
        return facts
    }

    /// Checks the new text, which lies beside the file during the trial, where adhand may read it.
    private func check(_ text: [UInt8], _ dropIns: [ConfigSource]) throws -> CheckDocument {
        let draft = Self.draft(of: target.path)
        let folder = ConfigFiles.directory(of: draft)
        defer { Self.removeDraft(of: target.path) }
        try AtomicFile.write(text, to: draft, like: target.path)
        if !dropIns.isEmpty { try Directories.make(folder, mode: 0o755) }
        for source in dropIns {
            let name = source.file.split(separator: "/").last.map(String.init) ?? ""
            try AtomicFile.write(source.text, to: "\(folder)/\(name)", like: source.file)
        }
        return try CheckRunner(daemon: daemon, file: draft).document()
    }

    private static func draft(of path: String) -> String { path + ".trial" }

    /// Removes the draft, including that of a killed command. Call it only while the configuration is locked.
    static func removeDraft(of path: String) {
        let draft = draft(of: path)
        for copy in (try? ConfigFiles.dropIns(of: draft)) ?? [] { unsafe unlink(copy) }
        unsafe rmdir(ConfigFiles.directory(of: draft))
        unsafe unlink(draft)
    }
}
