internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
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
            in [rollout] of fleet.toml. A roll-out is named by the digest of its envelope, or by the beginning of it.
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

    func read(_ digest: String) throws(FleetError) -> FleetRollout {
        do throws(FileError) { return try folder.read(digest) } catch {
            throw FleetError(.failed, error.message)
        }
    }

    /// Changes a roll-out on the disk, from where the watcher takes it.
    func change(_ name: String?, _ change: (inout FleetRollout) throws(FleetError) -> Void) throws(FleetError)
        -> FleetRollout
    {
        try requireWatcher()
        var result: Result<FleetRollout, FleetError>?
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
    private func meant(_ name: String?) throws(FleetError) -> FleetRollout {
        let digests = folder.digests()
        guard let name else {
            var open: [FleetRollout] = []
            for digest in digests {
                // One that is damaged is nobody's that is on its way.
                guard let rollout = try? folder.read(digest) else { continue }
                if rollout.state == .running || rollout.state == .paused { open.append(rollout) }
            }
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
        let found = digests.filter { $0.hasPrefix(name.lowercased()) }
        guard !name.isEmpty, found.count == 1 else {
            throw FleetError(
                .failed,
                "\(found.isEmpty || name.isEmpty ? "no roll-out begins" : "\(found.count) roll-outs begin") with \"\(PlainText.visible(name))\"; \"adhan-fleet rollout status\" shows all"
            )
        }
        return try read(found[0])
    }

    func show(_ rollout: FleetRollout) throws {
        try common.output.show(RolloutDocument(rollout)) { _ in RolloutDocument(rollout).line }
    }
}

/// One roll-out for programs.
struct RolloutDocument: Encodable {
    let rollout, kind: String
    let seq: Int
    let state: FleetRollout.State
    /// From 1.
    let ring: Int
    let given, success, failure, notCounted: Int

    init(_ rollout: FleetRollout) {
        (self.rollout, kind, seq, state) = (rollout.digest, rollout.kind.rawValue, rollout.seq, rollout.state)
        (ring, given) = (rollout.ring + 1, rollout.given.count)
        success = rollout.count(.success)
        failure = rollout.count(.failure)
        notCounted = rollout.count(.notCounted)
    }

    var line: String {
        "\(rollout.prefix(16))  \(kind) number \(seq)  \(state.rawValue)  ring \(ring): given to \(given), \(success) well, \(failure) failed, \(notCounted) not counted\n"
    }
}

struct StartRollout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Begin with an envelope that \"adhan-fleet sign\" wrote.")

    @OptionGroup var options: RolloutOptions

    @Argument(help: ArgumentHelp("The envelope.", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
        let content = try options.place.folder.read()
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
        try begin(rollout, text)
        try options.show(rollout)
    }

    private func begin(_ rollout: FleetRollout, _ text: [UInt8]) throws(FleetError) {
        var refusal: FleetError?
        do throws(FileError) {
            try options.folder.edit { () throws(FileError) in
                for digest in options.folder.digests() {
                    guard let other = try? options.folder.read(digest) else {
                        StandardError.write(
                            "adhan-fleet: the progress of \(digest.prefix(16)) cannot be read, so it is left out of account"
                        )
                        continue
                    }
                    refusal = refusal ?? Self.refusal(of: rollout, beside: other)
                }
                guard refusal == nil else { return }
                // The progress last: with it the watcher begins.
                try options.folder.saveEnvelope(text, rollout.digest)
                try options.folder.save(rollout)
            }
        } catch {
            throw FleetError(.failed, error.message)
        }
        if let refusal { throw refusal }
    }

    private static func refusal(of new: FleetRollout, beside other: FleetRollout) -> FleetError? {
        let name = other.digest.prefix(16)
        if other.digest == new.digest {
            return FleetError(
                .failed, "this envelope has a roll-out already: \(name), \(other.state.rawValue)")
        }
        guard other.kind == new.kind else { return nil }
        if !other.state.isOver {
            return FleetError(
                .failed,
                "another roll-out of \(new.kind.rawValue) is \(other.state.rawValue): \"adhan-fleet rollout abort \(name)\" ends it"
            )
        }
        if other.seq >= new.seq {
            return FleetError(
                .failed,
                "number \(new.seq) is not above \(other.seq), which the roll-out \(name) of \(new.kind.rawValue) had: boxes would refuse it"
            )
        }
        return nil
    }
}

struct ShowRollouts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show every roll-out; status 3 where the newest one has stopped itself.")

    @OptionGroup var options: RolloutOptions

    func run() throws {
        let content = try options.place.folder.read()
        var all: [FleetRollout] = []
        for digest in options.folder.digests() { all.append(try options.read(digest)) }
        all.sort { ($0.beganAt, $0.digest) < ($1.beganAt, $1.digest) }
        try options.common.output.show(all.map(RolloutDocument.init)) { _ in
            all.isEmpty ? "there is no roll-out\n" : all.map { RolloutDocument($0).line }.joined()
        }
        guard let last = all.last else { return }
        let name = last.digest.prefix(16)
        let settles = "\"adhan-fleet rollout abort \(name)\" settles it"
        if last.state == .stopped {
            throw FleetError(
                .stoppedItself, "the roll-out \(name) stopped itself in ring \(last.ring + 1); \(settles)")
        }
        if let entry = try? options.folder.entry(last.digest, content), entry.hasExpired(at: WallClock.now())
        {
            throw FleetError(
                .stoppedItself, "the envelope of the roll-out \(name) is over before all have it; \(settles)")
        }
    }
}

struct PauseRollout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Give it to no further box until it is resumed.")

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
        abstract: "End it, and take the envelope away from the boxes that have not applied it.",
        discussion: "One that has stopped itself is settled by it: its alarm ends.")

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
    fileprivate static func state(_ rollout: FleetRollout, _ what: String) -> FleetError {
        FleetError(
            .failed, "the roll-out \(rollout.digest.prefix(16)) is \(rollout.state.rawValue), so it \(what)")
    }
}
