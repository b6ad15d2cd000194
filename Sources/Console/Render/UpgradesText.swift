package import BoxCard
package import Protocol
package import Texts

/// The upgrades of a flashed box, for `adhanctl status`.
package enum UpgradesText {
    private static let mostNameLength = 60

    static func facts(_ upgrades: CardUpgrades) -> [StatusFact] {
        var lines: [(text: String, tone: Style.Tone)] = [(upgrades.runningVersion, .plain)]
        if let failed = upgrades.state?.failed {
            lines.append(
                (
                    "the upgrade \(name(failed)) did not bring adhand up well, so the box went back to the one before",
                    .caution
                ))
        }
        if let prepared = upgrades.state?.prepared {
            lines.append(("\(name(prepared)) is ready and waits for a restart", .plain))
        }
        if let reason = upgrades.archive.reason { lines.append((reason, .plain)) }
        for line in upgrades.newestLook { lines.append((line, .plain)) }
        return lines.enumerated().map { index, line in
            StatusFact(index == 0 ? "Upgrades" : "", line.text, line.tone)
        }
    }

    private static func name(_ layer: String) -> String {
        PlainText.visible(String(layer.prefix(mostNameLength)))
    }
}

/// `upgrades` of `adhanctl --json status`.
package struct UpgradesDocument: Codable, Sendable, Equatable {
    /// The layer that runs, or `image`; `null` before `upgrade.sh` has run once.
    @Nullable package var running: String?
    /// The day on which that layer was made.
    @Nullable package var since: String?
    @Nullable package var prepared: String?
    @Nullable package var failed: String?
    package let archive: CardUpgrades.Archive
    package let lastLook: [String]

    package init(_ upgrades: CardUpgrades) {
        running = upgrades.state?.running
        since = upgrades.runningSince
        prepared = upgrades.state?.prepared
        failed = upgrades.state?.failed
        archive = upgrades.archive
        lastLook = upgrades.newestLook
    }
}

/// The answer of `adhanctl --json status`: adhand's own, and on a flashed box its upgrades, which adhand does not know.
package struct StatusAnswer: Encodable, Sendable {
    private let status: StatusDocument
    private let upgrades: UpgradesDocument?

    private enum CodingKeys: String, CodingKey {
        case upgrades
    }

    package init(_ status: StatusDocument, _ upgrades: CardUpgrades?) {
        self.status = status
        self.upgrades = upgrades.map { UpgradesDocument($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try status.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(upgrades, forKey: .upgrades)
    }
}
