import AdhanCore
import ControlClient
import Glibc
import Host
import PrayerEngine

/// Sets keys of the configuration: tried as a whole, saved, and put to work.
struct ConfigurationWriter {
    private let target: SetupTarget
    private let daemon: ControlClient

    /// Seconds that a daemon has to say which file it reads.
    private static let patience = 2.0

    init(
        named: String?, _ daemon: ControlClient, for command: String = "set", mayBeWrong: Bool = false
    ) throws(CommandError) {
        self.daemon = daemon
        target = try SetupTarget(
            named: named ?? Self.file(of: daemon), for: command, mayBeWrong: mayBeWrong)
    }

    init(_ target: SetupTarget, _ daemon: ControlClient) {
        (self.target, self.daemon) = (target, daemon)
    }

    /// What an ordinary user sets is the configuration of the daemon that they talk to. Root writes the system's, wherever an
    /// answer leads.
    private static func file(of daemon: ControlClient) -> String? {
        guard geteuid() != 0,
            let status = try? daemon.ask("GetStatus", for: StatusReply.self, patience: patience).status,
            status.configuration.hasPrefix("/")
        else { return nil }
        return status.configuration
    }

    /// What was done, for whoever asked.
    func set(
        _ wishes: [ConfigChange.Wish], _ decision: PlaceDecision = PlaceDecision(), isUntested: Bool = false
    ) throws(CommandError) -> SetDocument {
        try write(decision, isUntested) { main, file, dropIns throws(ConfigRefusal) in
            try ConfigChange(wishes, in: main, file: file, dropIns: dropIns)
        }
    }

    /// Takes keys out of the file.
    func unset(
        _ keys: [String], _ decision: PlaceDecision = PlaceDecision(), isUntested: Bool = false
    ) throws(CommandError) -> SetDocument {
        try write(decision, isUntested) { main, file, dropIns throws(ConfigRefusal) in
            try ConfigChange(unsetting: keys, in: main, file: file, dropIns: dropIns)
        }
    }

    private func write(
        _ decision: PlaceDecision, _ isUntested: Bool,
        _ make: ([UInt8]?, String, [ConfigSource]) throws(ConfigRefusal) -> ConfigChange
    ) throws(CommandError) -> SetDocument {
        let file = target.named
        let dropIns = try target.dropIns()
        let change: ConfigChange
        do throws(ConfigRefusal) {
            change = try make(target.text, file, dropIns)
        } catch {
            let status: ExitStatus =
                switch error.kind {
                case .word: .usage
                case .text: .invalidInput
                case .drop: .failed
                }
            throw CommandError(status, "\(error.message); nothing was changed")
        }
        let site: Site
        do throws(SiteError) {
            site = try SiteReader.site(for: change.effective.config, ZoneFiles(in: .process))
        } catch {
            throw CommandError(.invalidInput, "\(error.message); nothing was changed")
        }
        if !isUntested {
            try ConfigurationTrial(target: target, daemon: daemon).refuse(
                change.text, dropIns: dropIns, from: change.before.config, to: change.effective.config)
        }
        let place = PlaceChange(target, daemon, from: change.before.config.location, to: site)
        let table = try place.decide(decision)
        let hadLost = ConfigurationReload(daemon, file: file).hasLost()
        var backup: String?
        if !change.isEmpty, try target.replace(with: change.text) { backup = target.backup }
        let said = try place.carryOut(decision, table)
        var result = ConfigurationReload(daemon, file: file).reload(
            isChanged: !change.isEmpty || !said.isEmpty)
        if !said.isEmpty { result.message = (said + [result.message]).joined(separator: " ") }
        if hadLost { result.message += ConfigurationReload.confirmation(of: file) }
        return SetDocument(file: file, backup: backup, changes: change.steps, result)
    }

    /// Brings back what the file was before the last change by a command.
    func undo(isUntested: Bool = false) throws(CommandError) -> UndoDocument {
        let dropIns = try target.dropIns()
        let restored = try target.restored()
        func read(_ text: [UInt8]) -> EffectiveConfig? {
            try? ConfigLoader.load([ConfigSource(file: target.named, text: text)] + dropIns)
        }
        let (before, after) = (read(target.text ?? []), read(restored))
        if !isUntested, let before, let after {
            try ConfigurationTrial(target: target, daemon: daemon).refuse(
                restored, dropIns: dropIns, from: before.config, to: after.config)
        }
        let hadLost = ConfigurationReload(daemon, file: target.named).hasLost()
        _ = try target.replace(with: restored)
        var result = ConfigurationReload(daemon, file: target.named).reload(isChanged: true)
        if let after, let site = try? SiteReader.site(for: after.config, ZoneFiles(in: .process)) {
            let place = PlaceChange(target, daemon, from: before?.config.location, to: site)
            if let warning = place.warning { result.message += " " + warning }
        }
        if hadLost { result.message += ConfigurationReload.confirmation(of: target.named) }
        return UndoDocument(
            file: target.named, changes: ConfigDifference.of(before?.settings ?? [], after?.settings ?? []),
            result)
    }
}

/// A place that a change of the configuration leads to, and what belongs to the one before.
struct PlaceChange {
    private let keeper: PlaceKeeper
    private let belongings: PlaceBelongings
    private let site: Site
    private let move: PlaceMove

    init(
        _ target: SetupTarget, _ daemon: ControlClient, from old: ConfiguredLocation?, to site: Site
    ) {
        self.site = site
        keeper = PlaceKeeper(of: target, daemon)
        // Who leaves the place alone is asked nothing, and nothing is read for them.
        let isSame = old.map { $0.latitude == site.place.latitude && $0.longitude == site.place.longitude }
        belongings = isSame == true || site.approximate ? PlaceBelongings() : keeper.belongings()
        move = PlaceMove(
            belongings, from: old, to: site, today: site.zone.civilDate(of: WallClock.now()))
    }

    /// Refuses what nobody has decided, and reads a timetable that is named.
    func decide(_ decision: PlaceDecision) throws(CommandError) -> PublishedTable? {
        let isDecided = decision.timetable != nil || decision.file != nil
        if let refusal = move.refusal(timetable: isDecided, exceptions: decision.exceptions != nil) {
            throw .usage("\(refusal); nothing was changed")
        }
        try keeper.check(decision.exceptions, belongings)
        guard let file = decision.file else { return nil }
        switch TimetableUnderstanding.read(file, site, WallClock.now()) {
        case .understood(let timetable): return timetable.table
        case .refused(let reason): throw CommandError(.invalidInput, "\(reason); nothing was changed")
        }
    }

    func carryOut(_ decision: PlaceDecision, _ table: PublishedTable?) throws(CommandError) -> [String] {
        try keeper.carryOut(
            timetable: decision.timetable, replacedBy: table, exceptions: decision.exceptions, belongings,
            at: site)
    }

    /// What goes with the place although nobody was asked.
    var warning: String? {
        let open = [
            move.timetable.map { "\($0.capitalized); \"adhanctl timetable remove\" takes it away." },
            move.exceptions.map { "\($0.capitalized); \"adhanctl exception remove\" takes them away." },
        ].compactMap(\.self)
        return open.isEmpty ? nil : open.joined(separator: " ")
    }
}

extension String {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

extension SetupTarget {
    /// What is read after the file, and has the say over it.
    func dropIns() throws(CommandError) -> [ConfigSource] {
        do throws(FileError) {
            var sources: [ConfigSource] = []
            for file in try ConfigFiles.dropIns(of: named) { sources.append(try ConfigFiles.source(file)) }
            return sources
        } catch {
            throw CommandError(.failed, "\(error.message); nothing was changed")
        }
    }

    /// Refuses keys that a drop-in sets: what is written here would not count.
    func refuseHeld(_ keys: [String]) throws(CommandError) {
        let dropIns = try dropIns()
        guard !dropIns.isEmpty else { return }
        let settings: [ConfigSetting]
        do throws(ConfigError) {
            settings = try ConfigLoader.load([ConfigSource(file: named, text: text ?? [])] + dropIns).settings
        } catch {
            throw CommandError(.invalidInput, "\(error.summary); nothing was changed")
        }
        for setting in settings where setting.file != named && keys.contains(setting.key) {
            throw CommandError(.failed, "\(setting.refusal(toWriteIn: named)); nothing was changed")
        }
    }
}
