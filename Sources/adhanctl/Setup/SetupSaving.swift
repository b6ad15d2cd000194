import AdhanCore
import ArgumentParser
import ControlClient
import Host
import PrayerEngine

/// Why the answers of setup are not saved. Whoever was asked goes back to the question that matters.
struct SetupRefusal: Error {
    let error: CommandError
    /// The key that is at fault, where one is.
    var key: String?
}

/// Writes what setup was answered: the file, the timetable beside it, and what becomes of those that were there.
struct SetupSaving {
    let target: SetupTarget
    let daemon: ControlClient
    let keeper: PlaceKeeper
    /// Whether nobody was asked.
    let isUnattended: Bool
    let isUntested: Bool

    struct Saved {
        var backup: String?
        var isChanged = false
        var said: [String] = []
        var effect: TimetableEffect?
    }

    func save(_ draft: SetupDraft) throws(SetupRefusal) -> Saved {
        do throws(CommandError) {
            return try write(draft)
        } catch {
            throw SetupRefusal(error: error, key: error.mistake?.key)
        }
    }

    /// What a command has set otherwise while a question waited, of the keys that would be written.
    func changedMeanwhile(_ draft: SetupDraft) throws(SetupRefusal) -> [ConfigDifference] {
        do throws(CommandError) {
            let (then, now) = (try settings(target.text), try settings(try target.textNow()))
            let mine = Dictionary(draft.changes.map { ($0.key, $0.value.toml) }) { $1 }
            return ConfigDifference.of(then, now).filter { change in
                mine[change.key].map { $0 != change.after } ?? false
            }
        } catch {
            throw SetupRefusal(error: error, key: nil)
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
        var saved = Saved()
        saved.isChanged = draft.writesFile
        let belongings = draft.world.belongings
        if saved.isChanged {
            let current = try target.textNow()
            let text = try newText(draft, onto: current)
            try checkSite(draft)
            // Who answered questions was told before them.
            if isUnattended { try target.refuseHeld(draft.changes.map(\.key)) }
            if !isUntested { try tryOut(draft, text) }
            try keeper.check(draft.exceptionsKeeping, belongings)
            if try target.replace(with: text, over: current) { saved.backup = target.backup }
        } else {
            try keeper.check(draft.exceptionsKeeping, belongings)
        }
        guard let site = draft.site else { return saved }
        let isMove = draft.placeMove?.timetable != nil
        if let timetable = draft.timetable, !isMove {
            try TimetableStore.open(in: keeper.place).change { $0.merge(timetable.table) }
        }
        saved.said = try keeper.carryOut(
            timetable: draft.timetableKeeping, replacedBy: isMove ? draft.timetable?.table : nil,
            exceptions: draft.exceptionsKeeping, belongings, at: site)
        if draft.timetable != nil || !saved.said.isEmpty {
            saved.effect = TimetableEffect(daemon, keeper.place.directory)
        }
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

    /// What somebody has heard need not be tried.
    private func tryOut(_ draft: SetupDraft, _ text: [UInt8]) throws(CommandError) {
        let dropIns = try target.dropIns()
        guard let old = effective(draft.world.text ?? [], dropIns), let new = effective(text, dropIns)
        else { return }
        var before = old
        if !isUnattended { before.devices = new.devices }
        try ConfigurationTrial(target: target, daemon: daemon).refuse(
            text, dropIns: dropIns, from: before, to: new)
    }

    private func effective(_ text: [UInt8], _ dropIns: [ConfigSource]) -> Config? {
        try? ConfigLoader.load([ConfigSource(file: target.named, text: text)] + dropIns).config
    }

    /// What the loader cannot know: whether this system has the zone.
    private func checkSite(_ draft: SetupDraft) throws(CommandError) {
        do throws(SiteError) {
            _ = try SiteReader.site(for: draft.config, ZoneFiles(in: .process))
        } catch {
            throw CommandError(.invalidInput, "\(error.message); nothing was changed")
        }
    }
}
