import CommandKit
package import Console
package import ControlClient
import Host
import PrayerEngine
import Protocol
package import Settings
import Times

/// Why setup's answers are not saved. A person at the terminal returns to the relevant question.
package struct SetupRefusal: Error {
    package let error: CommandError
    /// The key that is at fault, if any.
    package var key: String?
}

/// Writes setup's answers: the file, the timetable beside it, and the decisions about the old timetable and exceptions.
package struct SetupSaving {
    let target: SetupTarget
    let daemon: ControlClient
    let keeper: PlaceKeeper
    /// Whether setup runs without questions.
    let isUnattended: Bool
    let isUntested: Bool

    package init(
        target: SetupTarget, daemon: ControlClient, keeper: PlaceKeeper, isUnattended: Bool, isUntested: Bool
    ) {
        self.target = target
        self.daemon = daemon
        self.keeper = keeper
        self.isUnattended = isUnattended
        self.isUntested = isUntested
    }

    package struct Saved {
        package var backup: String?
        var isChanged = false
        package var sentences: [String] = []
        package var effect: TimetableEffect?
        /// Whether the configuration is in force now.
        package var result = ReloadResult(false, "")
    }

    package enum Outcome {
        case saved(Saved)
        /// Keys among those to be written that a command changed while a question waited.
        case overtaken([ConfigDifference])
    }

    /// Saves under the lock, which is not held while a question waits.
    /// - Parameter known: concurrent changes that the person has been shown.
    package func save(_ draft: SetupDraft, knowing known: [ConfigDifference] = []) throws(SetupRefusal)
        -> Outcome
    {
        do throws(CommandError) {
            return try ConfigurationLock.hold(target.path) { () throws(CommandError) in
                let changes = try changedMeanwhile(draft)
                guard changes.allSatisfy(known.contains) else {
                    guard isUnattended else { return .overtaken(changes) }
                    throw CommandError(
                        .failed,
                        "\(changes.map(\.text).joined(separator: "; ")) was set meanwhile by another command; nothing was "
                            + "changed; run setup again")
                }
                return .saved(try write(draft))
            }
        } catch {
            throw SetupRefusal(error: error, key: error.mistake?.key)
        }
    }

    private func changedMeanwhile(_ draft: SetupDraft) throws(CommandError) -> [ConfigDifference] {
        let (then, now) = (try settings(target.text), try settings(try target.textNow()))
        let mine = Dictionary(draft.changes.map { ($0.key, $0.value.toml) }) { $1 }
        return ConfigDifference.of(then, now).filter { change in
            mine[change.key].map { $0 != change.after } ?? false
        }
    }

    private func settings(_ text: [UInt8]?) throws(CommandError) -> [ConfigSetting] {
        guard let text else { return [] }
        do throws(ConfigError) {
            return try ConfigLoader.load([ConfigSource(file: target.path, text: text)]).settings
        } catch {
            throw CommandError(.invalidInput, "\(error.message); nothing was changed")
        }
    }

    private func write(_ draft: SetupDraft) throws(CommandError) -> Saved {
        let isWhole = try LostParts(of: target, daemon).refuse()
        var saved = Saved()
        saved.isChanged = draft.writesFile
        let belongings = draft.inputs.belongings
        let current = try target.textNow()
        var text: [UInt8]?
        var warning: String?
        if saved.isChanged {
            let new = try newText(draft, onto: current)
            warning = try SavedSite(draft.config, before: draft.inputs.config).warning
            // A person who answered questions has read the notes about drop-ins.
            if isUnattended { try target.refuseHeld(draft.changes.map(\.key)) }
            if !isUntested { try tryOut(draft, new) }
            text = new
        }
        try keeper.check(draft.exceptionsKeeping, belongings)
        let reload = ConfigurationReload(daemon, file: target.named)
        if let site = draft.site {
            let isMove = draft.placeMove?.timetable != nil
            let decision = CarriedDecision(
                timetable: draft.timetableKeeping, table: draft.timetable?.table, addsTable: !isMove,
                exceptions: draft.exceptionsKeeping)
            let replacement = ConfigurationReplacement(of: target, over: current)
            saved.sentences = try keeper.carryOut(decision, belongings, at: site) {
                record throws(CommandError) in
                guard let text, try replacement.write(text, record, isWhole: isWhole) else { return false }
                saved.backup = target.backup
                return true
            } putBack: {
                if text != nil { replacement.putBack() }
            }
        }
        if draft.timetable != nil || !saved.sentences.isEmpty {
            saved.effect = TimetableEffect(daemon, keeper.place.directory)
        }
        saved.result = reload.reload(
            isChanged: saved.isChanged || !saved.sentences.isEmpty,
            removed: text.map { ConfigurationLoss.keys(of: current ?? [], goneFrom: $0) } ?? [])
        if let warning { saved.result.message += " " + warning }
        return saved
    }

    private func newText(_ draft: SetupDraft, onto current: [UInt8]?) throws(CommandError) -> [UInt8] {
        do throws(ConfigError) {
            return try draft.newText(onto: current)
        } catch {
            var refusal = CommandError(.invalidInput, "\(error.message); nothing was changed")
            refusal.mistake = error
            throw refusal
        }
    }

    /// Tries the devices. A device that a person has heard need not be tried.
    private func tryOut(_ draft: SetupDraft, _ text: [UInt8]) throws(CommandError) {
        let dropIns = try target.dropIns()
        guard let old = effective(draft.inputs.text ?? [], dropIns), let new = effective(text, dropIns)
        else { return }
        var before = old
        if !isUnattended { before.devices = new.devices }
        try ConfigurationTrial(target: target, daemon: daemon).refuse(
            text, dropIns: dropIns, from: before, to: new)
    }

    private func effective(_ text: [UInt8], _ dropIns: [ConfigSource]) -> Config? {
        try? ConfigLoader.load([ConfigSource(file: target.named, text: text)] + dropIns).config
    }
}
