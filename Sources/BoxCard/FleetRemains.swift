/// The files of a fleet after the steps of ``FleetLeaving``, and the sentence about them.
package struct FleetRemains: Sendable, Equatable {
    /// A file that is still there.
    package struct Left: Codable, Sendable, Equatable {
        package let file: String
        package let reason: String

        package init(file: String, reason: String) { (self.file, self.reason) = (file, reason) }
    }

    package enum Outcome: Sendable, Equatable {
        /// adhand obeys a fleet, so that everything stays. `nil`: its name is not known.
        case member(org: String?)
        /// The steps were gone; `isBridgeBehind` where a running bridge has not read its configuration since.
        case gone(isBridgeBehind: Bool)
    }

    package var outcome: Outcome
    package var removed: [String] = []
    /// Whether the way back went with them.
    package var isWayGone = false
    package var left: [Left] = []
    /// Files that stay, because a configuration of the bridge names them, which somebody else has written.
    package var named: [String] = []

    package init(_ outcome: Outcome) { self.outcome = outcome }

    /// One sentence for people, and the command to type, where something is left to do.
    package struct Advice: Sendable, Equatable {
        package let text: String
        package var fix: String?
    }

    /// - Parameters:
    ///   - asRoot: the same command for root.
    ///   - isRoot: whether root has typed it.
    /// - Returns: `nil` where only the configuration was changed.
    package func advice(asRoot: String, isRoot: Bool) -> Advice? {
        let staying = named.map { " \($0) stays, because bridge.toml or a drop-in of it names it." }.joined()
        switch outcome {
        case .member(let org):
            let fleet = org.map { "the fleet \"\($0)\"" } ?? "its fleet"
            return Advice(
                text:
                    "adhand still belongs to \(fleet), so this box keeps its password and the way to the fleet's broker.",
                fix: "sudo systemctl reload adhand && \(asRoot)")
        case .gone where !left.isEmpty:
            let files = left.map { "\($0.file) (\($0.reason))" }.joined(separator: ", ")
            let removal = "sudo rm -f \(left.map(\.file).joined(separator: " "))"
            return Advice(text: "Still on this box: \(files).\(staying)", fix: isRoot ? removal : asRoot)
        case .gone(isBridgeBehind: true):
            return Advice(
                text: "adhan-bridge has not read its configuration since.\(staying)",
                fix: "sudo systemctl restart adhan-bridge")
        case .gone where !named.isEmpty: return Advice(text: String(staying.dropFirst()))
        case .gone: return isWayGone ? Advice(text: Self.wayBack) : nil
        }
    }

    package static let wayBack =
        "This box has forgotten its fleet; the way back is a card with a fleet.toml whose word is still open."
}
