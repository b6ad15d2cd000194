package import Protocol

/// The health that a package can break, before an upgrade and with it.
package struct UpgradeHealth: Codable, Sendable, Equatable {
    package enum Sound: String, Codable, Sendable {
        /// A device opened at its last use or trial.
        case healthy
        case failed
        /// No device was tried yet.
        case untried
    }

    /// Checks of ``watched`` with a problem.
    package let problems: [String]
    package let sound: Sound

    /// Checks of `GetHealth` that depend on the package. The clock, the network and unplugged devices are not its fault.
    private static let watched: Set<String> = ["configuration", "settings", "state", "sounds"]

    package init(_ health: HealthReply, _ status: StatusDocument) {
        var problems = Set(
            health.checks.filter { $0.verdict == .problem && Self.watched.contains($0.name) }.map(\.name))
        if status.stateLoss != nil || status.stateProblem != nil { problems.insert("state") }
        if status.settingsProblem != nil { problems.insert("settings") }
        self.problems = problems.sorted()
        sound =
            status.audio.checkedAt == nil ? .untried : status.audio.healthy ? .healthy : .failed
    }

    package init(problems: [String], sound: Sound) {
        (self.problems, self.sound) = (problems, sound)
    }

    /// The checks that are worse than `before`. Without an earlier health nothing can be compared.
    package func worse(than before: UpgradeHealth?) -> [String] {
        guard let before else { return [] }
        let new = problems.filter { !before.problems.contains($0) }
        return new + (before.sound == .healthy && sound != .healthy ? ["sound"] : [])
    }
}
