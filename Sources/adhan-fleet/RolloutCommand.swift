internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Texts

/// `adhan-fleet rollout VERB`
struct RolloutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout",
        abstract: "Spread a change over the boxes ring by ring; it stops by itself where too many fail.",
        discussion: """
            "adhan-fleet watch" carries roll-outs out: without it nothing is begun. The rings, and what counts as success, are \
            in [rollout] of fleet.toml. A roll-out is named by the digest of its envelope or the beginning of it, that of a release by \
            adhand=VERSION.
            """,
        subcommands: [
            StartRollout.self, ShowRollouts.self, PauseRollout.self, ResumeRollout.self, AbortRollout.self,
        ])
}

/// For the verbs of `rollout`.
struct RolloutOptions: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @OptionGroup var place: FolderOptions

    var folder: RolloutFolder { RolloutFolder(place.folder) }

    /// - Throws: 69 where nobody would carry it out.
    func requireWatcher() throws(FleetError) {
        let isWatched: Bool
        do throws(FileError) { isWatched = try folder.isWatched() } catch {
            throw FleetError(.failed, error.message)
        }
        guard isWatched else {
            throw FleetError(
                .unreachable,
                "\"adhan-fleet watch\" does not run here, which carries roll-outs out; start adhan-fleet.service"
            )
        }
    }

    /// Changes a roll-out on the disk, from where the watcher takes it.
    func change(_ name: String?, _ change: (inout KnownRollout) throws(FleetError) -> Void) throws(FleetError)
        -> KnownRollout
    {
        try requireWatcher()
        var result: Result<KnownRollout, FleetError>?
        do throws(FileError) {
            try folder.edit { () throws(FileError) in
                do throws(FleetError) {
                    var rollout = try meant(name)
                    try change(&rollout)
                    do throws(FileError) { try folder.save(rollout) } catch {
                        throw FleetError(.failed, error.message)
                    }
                    result = .success(rollout)
                } catch {
                    result = .failure(error)
                }
            }
        } catch {
            throw FleetError(.failed, error.message)
        }
        guard let result else { throw FleetError(.failed, "nothing was changed") }
        return try result.get()
    }

    /// The one that is named, or else the only one that is on its way.
    private func meant(_ name: String?) throws(FleetError) -> KnownRollout {
        let names = folder.allNames()
        guard let name else {
            // One that is damaged is nobody's that is on its way.
            let open = names.compactMap { try? folder.readAny($0) }.filter(\.isOnItsWay)
            guard open.count == 1 else {
                throw FleetError(
                    .failed,
                    open.isEmpty
                        ? "no roll-out is on its way; name one that \"adhan-fleet rollout status\" shows"
                        : "\(open.count) roll-outs are on their way; name one that \"adhan-fleet rollout status\" shows"
                )
            }
            return open[0]
        }
        let found = names.contains(name) ? [name] : names.filter { $0.hasPrefix(name.lowercased()) }
        guard !name.isEmpty, found.count == 1 else {
            throw FleetError(
                .failed,
                "\(found.isEmpty || name.isEmpty ? "no roll-out begins" : "\(found.count) roll-outs begin") with \"\(PlainText.visible(name))\"; \"adhan-fleet rollout status\" shows all"
            )
        }
        return try read(found[0])
    }

    func read(_ name: String) throws(FleetError) -> KnownRollout {
        do throws(FileError) { return try folder.readAny(name) } catch {
            throw FleetError(.failed, error.message)
        }
    }

    func show(_ rollout: KnownRollout) throws {
        try common.output.show(RolloutDocument(rollout)) { _ in RolloutDocument(rollout).line }
    }
}

struct StartRollout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract:
            "Begin with an envelope that \"adhan-fleet sign\" wrote, or with a release in the apt archive.",
        discussion: """
            Of a release the archive's indices for all rings must be in reprepro/rings, where "make archive-rings" has signed them \
            beforehand: no key is needed here.
            """)

    @OptionGroup var options: RolloutOptions

    @Argument(
        help: ArgumentHelp(
            "The envelope, or a release such as adhand=0.3.0.", valueName: "file | package=version"),
        completion: .file())
    var file: String

    func run() throws {
        let content = try options.place.folder.read()
        if let named = Self.release(file) { return try start(named, content) }
        let (text, payload) = try VerifyCommand.taken(from: file, content)
        guard payload.kind != .command else {
            throw FleetError(
                .usage,
                "a command holds for an hour at most, and a ring lasts longer; \"adhan-fleet publish\" gives it to all"
            )
        }
        guard let digest = try? SignedEnvelope(text).digest else {
            throw FleetError(.invalidInput, "the envelope has no digest")
        }
        try options.folder.make()
        try options.requireWatcher()
        let rollout = FleetRollout(
            digest: digest, kind: payload.kind, seq: payload.seq, at: WallClock.now())
        try PublishedFolder(options.place.folder).edit { () throws(FleetError) in
            try begin(rollout, EnvelopeLabel(payload, digest: digest), text, content)
        }
        try options.show(.envelope(rollout))
    }

    /// A release, where the argument is no file and has the form of one.
    private static func release(_ text: String) -> (name: String, version: String)? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !text.contains("/"), unsafe access(text, F_OK) != 0 else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    private func start(
        _ named: (name: String, version: String), _ content: FleetFolder.Content
    ) throws {
        guard named.name == PackageRollout.packageName else {
            throw FleetError(
                .usage,
                "\"\(PlainText.visible(named.name))\" is not rolled out by itself: boxes report the version of adhand, and a release has one for all packages; type adhand=VERSION"
            )
        }
        guard let version = PackageRollout.version(of: PackageRollout.name(of: named.version)) else {
            throw FleetError(
                .usage, "\"\(PlainText.visible(named.version))\" is no version; type one such as adhand=0.3.0"
            )
        }
        try ArchiveFolder(options.place.folder).check(version, rings: content.config.rollout.rings)
        try options.folder.make()
        try options.requireWatcher()
        let rollout = PackageRollout(version: version, at: WallClock.now())
        try begin(rollout)
        try options.show(.release(rollout))
    }

    private func begin(_ rollout: PackageRollout) throws(FleetError) {
        var refusal: FleetError?
        do throws(FileError) {
            try options.folder.edit { () throws(FileError) in
                for version in options.folder.versions() {
                    guard version != rollout.version else {
                        refusal = FleetError(
                            .failed,
                            "\(rollout.name) has a roll-out already; a release that was stopped needs a higher version"
                        )
                        return
                    }
                    guard let other = try? options.folder.read(version: version), !other.state.isOver else {
                        continue
                    }
                    refusal = FleetError(
                        .failed,
                        "the roll-out of \(other.name) is \(other.state.rawValue): \"adhan-fleet rollout abort \(other.name)\" ends it"
                    )
                    return
                }
                try options.folder.save(rollout)
            }
        } catch {
            throw FleetError(.failed, error.message)
        }
        if let refusal { throw refusal }
    }

    private func begin(
        _ rollout: FleetRollout, _ label: EnvelopeLabel, _ text: [UInt8], _ content: FleetFolder.Content
    ) throws(FleetError) {
        var refusal: ChangeCheck.Refusal?
        do throws(FileError) {
            try options.folder.edit { () throws(FileError) in
                let known = KnownChanges(options.place.folder)
                do throws(ChangeCheck.Refusal) {
                    try ChangeCheck(published: known.published, rollouts: known.rollouts).rollOut(label)
                } catch {
                    refusal = error
                    return
                }
                // The progress last: with it the watcher begins.
                try options.folder.saveEnvelope(text, rollout.digest)
                try options.folder.save(rollout)
            }
        } catch {
            throw FleetError(.failed, error.message)
        }
        if let refusal {
            throw FleetError(.failed, refusal.sentence(about: label, FleetTopic(org: content.org)))
        }
    }
}

struct ShowRollouts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show every roll-out; status 3 where the newest one has stopped itself.")

    @OptionGroup var options: RolloutOptions

    func run() throws {
        let content = try options.place.folder.read()
        var all: [KnownRollout] = []
        var damage: FleetError?
        for name in options.folder.allNames() {
            do throws(FleetError) { all.append(try options.read(name)) } catch { damage = damage ?? error }
        }
        all.sort { ($0.beganAt, $0.name) < ($1.beganAt, $1.name) }
        try options.common.output.show(all.map(RolloutDocument.init)) { _ in
            all.isEmpty && damage == nil
                ? "there is no roll-out\n" : all.map { RolloutDocument($0).line }.joined()
        }
        if let damage { throw damage }
        guard let last = all.last else { return }
        let name = last.shortName
        let settles = "\"adhan-fleet rollout abort \(name)\" settles it"
        if last.state == .stopped {
            throw FleetError(
                .stoppedItself, "the roll-out \(name) stopped itself in ring \(last.ring + 1); \(settles)")
        }
        guard case .envelope(let rollout) = last, !rollout.state.isOver else { return }
        let entry: RolloutBook.Entry
        do { entry = try options.folder.entry(rollout.digest, content) } catch {
            let reason = (error as? FileError)?.message ?? (error as? FleetError)?.message ?? "\(error)"
            throw FleetError(.stoppedItself, "the roll-out \(name) stands still: \(reason); \(settles)")
        }
        let now = WallClock.now()
        if entry.hasExpired(at: now) {
            throw FleetError(
                .stoppedItself, "the envelope of the roll-out \(name) is over before all have it; \(settles)")
        }
        if rollout.isStranded(content.config.rollout, at: now) {
            throw FleetError(
                .stoppedItself,
                "the roll-out \(name) goes no further: each box of its ring has a later number or is away; \(settles)"
            )
        }
    }
}

struct PauseRollout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Give it to no further box, or ring, until it is resumed.")

    @OptionGroup var options: RolloutOptions

    @Argument(help: ArgumentHelp("Which one, where several are on their way.", valueName: "rollout"))
    var rollout: String?

    func run() throws {
        try options.show(
            try options.change(rollout) { rollout throws(FleetError) in
                guard rollout.state == .running else { throw FleetError.state(rollout, "cannot be paused") }
                rollout.pause()
            })
    }
}

struct ResumeRollout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Go on with a roll-out that was paused.")

    @OptionGroup var options: RolloutOptions

    @Argument(help: ArgumentHelp("Which one, where several are on their way.", valueName: "rollout"))
    var rollout: String?

    func run() throws {
        try options.show(
            try options.change(rollout) { rollout throws(FleetError) in
                guard rollout.state == .paused else { throw FleetError.state(rollout, "cannot be resumed") }
                rollout.resume()
            })
    }
}

struct AbortRollout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "abort",
        abstract: "End it: boxes that have not applied the envelope, or taken the release, do not get it.",
        discussion: """
            What stood on the topics of these boxes before, published or rolled out, stands there again. A roll-out that has stopped \
            itself is settled by it: its alarm ends.
            """)

    @OptionGroup var options: RolloutOptions

    @Argument(help: ArgumentHelp("Which one, where several are on their way.", valueName: "rollout"))
    var rollout: String?

    func run() throws {
        try options.show(
            try options.change(rollout) { rollout throws(FleetError) in
                guard !rollout.state.isOver || rollout.state == .stopped else {
                    throw FleetError.state(rollout, "cannot be ended")
                }
                rollout.abort()
            })
    }
}

extension FleetError {
    fileprivate static func state(_ rollout: KnownRollout, _ what: String) -> FleetError {
        FleetError(
            .failed, "the roll-out \(rollout.shortName) is \(rollout.state.rawValue), so it \(what)")
    }
}
