internal import CommandKit
internal import FleetPlan
internal import Host
internal import PrayerEngine
internal import Texts

/// Carries out the roll-outs of packages: reads people's commands, asks the watch, saves the progress, and then serves the
/// ring's index. Only the assessing thread of the watcher that holds the lock uses it.
struct PackageKeeper {
    private let folder: RolloutFolder
    private let archive: ArchiveFolder
    private let settings: RolloutSettings
    private var logged: [String: String] = [:]

    init(_ folder: FleetFolder, _ settings: RolloutSettings) {
        self.folder = RolloutFolder(folder)
        archive = ArchiveFolder(folder)
        self.settings = settings
    }

    var servedIndex: ServedIndex? { archive.servedIndex }

    /// - Parameter facts: reads the boxes' facts; called only if such a roll-out exists.
    /// - Returns: the roll-outs that need a person's attention, with the number of their ring from 1.
    mutating func turn(
        at now: Instant, isSettled: Bool, facts: () -> [String: PackageRollout.Fact]
    ) -> [String: Int] {
        let versions = folder.versions()
        guard !versions.isEmpty else { return [:] }
        var trouble: [String: Int] = [:]
        var rollouts: [PackageRollout] = []
        do throws(FileError) {
            try folder.edit { () throws(FileError) in
                for version in versions {
                    var rollout: PackageRollout
                    do throws(FileError) { rollout = try folder.read(version: version) } catch {
                        logChange("a roll-out is left alone: \(error.message)", about: version)
                        trouble[PackageRollout.name(of: version)] = 1
                        continue
                    }
                    let before = rollout
                    if isSettled, !rollout.state.isOver { rollout.update(facts(), settings, at: now) }
                    if rollout != before {
                        // The progress is saved before any index is served.
                        try folder.save(rollout)
                        if (rollout.state, rollout.ring) != (before.state, before.ring) {
                            log(
                                "the roll-out \(rollout.name) is \(rollout.state.rawValue), in ring \(rollout.ring + 1)"
                            )
                        }
                    }
                    rollouts.append(rollout)
                }
            }
            if let newest = rollouts.max(by: { $0.beganAt < $1.beganAt }) { try serve(newest) }
            logged["archive"] = nil
        } catch {
            logChange("\(error.message); the roll-outs of packages stand still", about: "archive")
            for rollout in rollouts where !rollout.state.isOver { trouble[rollout.name] = rollout.ring + 1 }
        }
        for rollout in rollouts where rollout.isTrouble(at: now) { trouble[rollout.name] = rollout.ring + 1 }
        return trouble
    }

    /// Serves the index of the roll-out that began last. An index that another program served meanwhile is replaced, with a
    /// message.
    private func serve(_ rollout: PackageRollout) throws(FileError) {
        let index = rollout.index(settings)
        if try archive.serve(rollout.version, index) {
            log("for \(rollout.name) the index \"\(index.folder)\" of the archive is served")
        }
    }

    private mutating func logChange(_ text: String, about subject: String) {
        if logged[subject] != text { log(text) }
        logged[subject] = text
    }

    private func log(_ text: String) { StandardError.write("adhan-fleet: \(text)") }
}
