package import BoxCard
import Settings
package import Texts

/// `fleet leave`: the change of the configuration, and the files with which the box joined the fleet.
package struct FleetLeaveDocument: Encodable, Sendable {
    private let change: SetDocument
    private let remains: FleetRemains

    /// - Parameters:
    ///   - changes: the changes of each file that named the fleet; none where no file did any more.
    ///   - file: the configuration.
    ///   - reload: whether adhand has read it.
    ///   - asRoot: the same command, as root gets it.
    ///   - isRoot: whether root has typed it.
    package init(
        _ changes: [SetDocument], file: String, _ reload: ReloadResult, _ remains: FleetRemains,
        asRoot: String, isRoot: Bool
    ) {
        var result = reload
        if let advice = remains.advice(asRoot: asRoot, isRoot: isRoot) {
            result.message += " " + advice.text
            // The secrets come first, because adhand may be off and stay off.
            result.fix = advice.fix ?? result.fix
        }
        self.remains = remains
        change = SetDocument(
            file: changes.last?.file ?? file, backup: changes.compactMap(\.backup).first,
            changes: changes.flatMap(\.changes), result)
    }

    private struct Files: Encodable {
        let removed: [String]
        let left: [FleetRemains.Left]
    }

    package func encode(to encoder: any Encoder) throws {
        try change.encode(to: encoder)
        let named = remains.named.map {
            FleetRemains.Left(file: $0, reason: "bridge.toml or a drop-in of it names it")
        }
        try Files(removed: remains.removed, left: remains.left + named).encode(to: encoder)
    }

    package func text(_ style: Style) -> String {
        guard !change.changes.isEmpty else { return ReloadResult.text(change.message, fix: change.fix) }
        var shown = change
        // Once the password is gone, the former configuration does not bring the box back into the fleet, so no backup is shown.
        if remains.isWayGone { shown.backup = nil }
        return SetText.render(shown, style)
    }
}
