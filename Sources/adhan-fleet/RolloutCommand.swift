internal import ArgumentParser
internal import CommandKit
internal import FleetPlan
internal import Host
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

/// Options of the commands below `rollout`.
struct RolloutOptions: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @OptionGroup var place: FolderOptions

    var folder: RolloutFolder { RolloutFolder(place.folder) }

    /// - Throws: 69 where no watcher would carry out the change.
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

    /// Changes a roll-out on disk, where the watcher picks it up.
    func change(_ name: String?, _ change: (inout KnownRollout) throws(FleetError) -> Void) throws(FleetError)
        -> KnownRollout
    {
        try requireWatcher()
        var result: Result<KnownRollout, FleetError>?
        do throws(FileError) {
            try folder.edit { () throws(FileError) in
                do throws(FleetError) {
                    var rollout = try findRollout(name)
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

    /// The named roll-out, or the only open one.
    private func findRollout(_ name: String?) throws(FleetError) -> KnownRollout {
        let names = folder.allNames()
        guard let name else {
            // A damaged file does not count as an open roll-out.
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
                guard rollout.state.canBeEnded else {
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
