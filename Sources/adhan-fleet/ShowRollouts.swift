internal import ArgumentParser
internal import CommandKit
internal import FleetPlan
internal import Host

/// `adhan-fleet rollout status`
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
            throw FleetError(
                .stoppedItself, "the roll-out \(name) stands still: \(error.explanation); \(settles)")
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
