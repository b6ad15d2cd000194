import CommandKit
package import Console
package import ControlClient
import Glibc
import Host
import PrayerEngine
import Protocol
package import Settings
import Texts
import Times

/// Sets keys of the configuration. The change is tried as a whole, saved and put in force, by one command at a time.
package struct ConfigurationWriter {
    private let file: String?
    private let command: String
    private let daemon: ControlClient

    /// Writes the named configuration, else that of the daemon that answers.
    package init(named: String?, _ daemon: ControlClient, for command: String = "set") throws(CommandError) {
        let file: String?
        if let named { file = named } else { file = try Self.file(of: daemon) }
        self.init(file: file, daemon, command)
    }

    /// Writes the named configuration, else the one that `setup` writes.
    package init(own named: String?, _ daemon: ControlClient, for command: String = "setup")
        throws(CommandError)
    {
        if named == nil { try SetupTarget.refuseForeign(daemon) }
        self.init(file: named, daemon, command)
    }

    private init(file: String?, _ daemon: ControlClient, _ command: String) {
        (self.file, self.daemon, self.command) = (file, daemon, command)
    }

    /// The file to change. An ordinary user changes the configuration of the answering daemon. Root changes the system's,
    /// whatever the daemon answers.
    private static func file(of daemon: ControlClient) throws(CommandError) -> String? {
        try SetupTarget.refuseForeign(daemon)
        guard geteuid() != 0 else { return nil }
        return daemon.status?.configurationFile
    }

    /// Runs `work` with the file's content, under the lock.
    private func locked<Value>(
        mayBeWrong: Bool = false, _ work: (SetupTarget) throws(CommandError) -> Value
    ) throws(CommandError) -> Value {
        func target() throws(CommandError) -> SetupTarget {
            try SetupTarget(named: file, for: command, mayBeWrong: mayBeWrong)
        }
        // Check permissions before locking: a change that is refused needs no lock.
        let path = try target().path
        return try ConfigurationLock.hold(path) { () throws(CommandError) in try work(try target()) }
    }

    /// Sets keys of the file.
    package func set(
        _ changes: [ConfigChange.KeyChange], _ decision: PlaceDecision = PlaceDecision(),
        isUntested: Bool = false
    ) throws(CommandError) -> SetDocument {
        try write(decision, isUntested) { main, file, dropIns throws(ConfigRefusal) in
            try ConfigChange(changes, in: main, file: file, dropIns: dropIns)
        }
    }

    /// Removes keys from the file.
    package func unset(
        _ keys: [String], _ decision: PlaceDecision = PlaceDecision(), isUntested: Bool = false
    ) throws(CommandError) -> SetDocument {
        try write(decision, isUntested) { main, file, dropIns throws(ConfigRefusal) in
            try ConfigChange(unsetting: keys, in: main, file: file, dropIns: dropIns)
        }
    }

    /// The path of the configuration as given.
    func path() throws(CommandError) -> String { try SetupTarget(named: file, for: command).named }

    /// Whether the configuration or one of its drop-ins names a fleet.
    func namesFleet() throws(CommandError) -> Bool {
        let target = try SetupTarget(named: file, for: command)
        if target.config.fleet != nil { return true }
        return !ConfigChange.leavingFleet(try target.dropIns()).texts.isEmpty
    }

    /// Removes the box from its fleet. Devices are not tried, because they are not affected. The drop-in that a box made from the
    /// card's fleet.toml is treated as any other file, and is not made again.
    func leaveFleet() throws(CommandError) -> SetDocument {
        let ofDropIns = try locked { target throws(CommandError) -> SetDocument? in
            let left = ConfigChange.leavingFleet(try target.dropIns())
            guard let first = left.texts.first else { return nil }
            do throws(FileError) {
                for source in left.texts {
                    try AtomicFile.write(source.text, to: source.file, like: source.file)
                }
            } catch {
                throw CommandError(.failed, error.message)
            }
            let result = ConfigurationReload(daemon, file: target.named).reload(isChanged: true, removed: [])
            return SetDocument(file: first.file, backup: nil, changes: left.steps, result)
        }
        if let ofDropIns { return ofDropIns }
        return try write(PlaceDecision(), true) { main, file, dropIns throws(ConfigRefusal) in
            try ConfigChange(leavingFleet: main, file: file, dropIns: dropIns)
        }
    }

    private func write(
        _ decision: PlaceDecision, _ isUntested: Bool,
        _ make: ([UInt8]?, String, [ConfigSource]) throws(ConfigRefusal) -> ConfigChange
    ) throws(CommandError) -> SetDocument {
        try locked { target throws(CommandError) in
            let isWhole = try LostParts(of: target, daemon).refuse()
            let dropIns = try target.dropIns()
            let change: ConfigChange
            do throws(ConfigRefusal) {
                change = try make(target.text, target.named, dropIns)
            } catch {
                throw CommandError(refused: error)
            }
            let saved = try SavedSite(change.effective.config, before: change.before.config)
            if !isUntested {
                try ConfigurationTrial(target: target, daemon: daemon).refuse(
                    change.text, dropIns: dropIns, from: change.before.config, to: change.effective.config)
            }
            return try save(change, in: target, saved, decision, isWhole: isWhole)
        }
    }

    private func save(
        _ change: ConfigChange, in target: SetupTarget, _ saved: SavedSite, _ decision: PlaceDecision,
        isWhole: Bool
    ) throws(CommandError) -> SetDocument {
        let place = PlaceChange(
            target, daemon, from: change.before.config, to: saved.site, isDecided: decision.isAny)
        let carried = try place.decide(decision)
        let reload = ConfigurationReload(daemon, file: target.named)
        let replacement = ConfigurationReplacement(of: target, over: target.text)
        var backup: String?
        let sentences = try place.carryOut(carried) { record throws(CommandError) in
            guard !change.isEmpty, try replacement.write(change.text, record, isWhole: isWhole) else {
                return false
            }
            backup = target.backup
            return true
        } putBack: {
            if !change.isEmpty { replacement.putBack() }
        }
        var result = reload.reload(
            isChanged: !change.isEmpty || !sentences.isEmpty,
            removed: ConfigurationLoss.keys(of: target.text ?? [], goneFrom: change.text))
        if !sentences.isEmpty { result.message = (sentences + [result.message]).joined(separator: " ") }
        if let warning = saved.warning { result.message += " " + warning }
        return SetDocument(file: target.named, backup: backup, changes: change.steps, result)
    }

    /// Restores the file from before the last change by a command.
    package func undo(isUntested: Bool = false) throws(CommandError) -> UndoDocument {
        try locked(mayBeWrong: true) { target throws(CommandError) in
            try LostParts(of: target, daemon).refuse(replacesFile: true)
            let dropIns = try target.dropIns()
            let restored = try target.restored()
            let record = target.lastRecord()
            func read(_ text: [UInt8]) -> EffectiveConfig? {
                try? ConfigLoader.load([ConfigSource(file: target.named, text: text)] + dropIns)
            }
            let (before, after) = (read(target.text ?? []), read(restored))
            if !isUntested, let before, let after {
                try ConfigurationTrial(target: target, daemon: daemon).refuse(
                    restored, dropIns: dropIns, from: before.config, to: after.config)
            }
            let reload = ConfigurationReload(daemon, file: target.named)
            _ = try ConfigurationReplacement(of: target, over: target.text).write(
                restored, ChangeRecord(), isWhole: record?.written != nil)
            var result = reload.reload(
                isChanged: true, removed: ConfigurationLoss.keys(of: target.text ?? [], goneFrom: restored))
            if let after, let site = try? SavedSite(after.config, before: after.config).site {
                let place = PlaceChange(target, daemon, from: before?.config, to: site)
                let sentences = place.bringBack(record) + [place.warning].compactMap(\.self)
                if !sentences.isEmpty { result.message += " " + sentences.joined(separator: " ") }
            }
            let changes =
                before.map { ConfigDifference.of($0.settings, after?.settings ?? []) }
                ?? ConfigDifference.of(texts: target.text ?? [], restored)
            return UndoDocument(file: target.named, changes: changes, isUnread: before == nil, result)
        }
    }
}

extension CommandError {
    fileprivate init(refused error: ConfigRefusal) {
        let status: ExitStatus =
            switch error.kind {
            case .word: .usage
            case .text: .invalidInput
            case .drop: .failed
            }
        self.init(status, "\(error.message); nothing was changed")
    }
}

extension ControlClient {
    /// The daemon's own status; `nil` if none answers.
    fileprivate var status: StatusDocument? {
        let patienceSeconds = 2.0
        return try? ask(.getStatus, patienceSeconds: patienceSeconds).status
    }
}

extension SetupTarget {
    /// Refuses root's change if the daemon does not read the file that root writes by default.
    package static func refuseForeign(_ daemon: ControlClient) throws(CommandError) {
        guard geteuid() == 0, daemon.socket != Paths.systemSocket else { return }
        let usual = Paths.systemConfiguration
        guard let status = daemon.status else {
            throw CommandError(
                .unreachable,
                "no adhand answers on \"\(daemon.socket)\", so which configuration is meant is not known; name it with "
                    + "--config; nothing was changed")
        }
        guard !status.reads(usual) else { return }
        throw CommandError(
            .failed,
            "the adhand on \"\(daemon.socket)\" does not read \"\(usual)\" but \"\(PlainText.visible(status.configuration))\"; name the file "
                + "that is meant with --config; nothing was changed")
    }
}
