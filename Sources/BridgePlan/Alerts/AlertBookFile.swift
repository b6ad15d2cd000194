package import PrayerEngine
import Texts

/// `open.json`: the open alerts, so that a restart repeats no begin and omits no end.
extension AlertBook {
    private struct File: Codable {
        struct Alert: Codable {
            let kind: AlertKind
            let test: Bool
            let key: String
            let since: String?
            let count: Int
            let toldAt: String
            let text: String
            let id: String?
            let prayer: String?
            let reason: String?
        }

        let v: Int
        let startedAt: String?
        let lastHeard: String?
        let open: [Alert]
        let seen: [String]
        let keys: [String]?
    }

    package func fileBytes() throws -> [UInt8] {
        func text(_ instant: Instant) -> String { InstantText.rfc3339(instant, in: .utc, milliseconds: true) }
        let alerts = open.sorted {
            ($0.key.kind.rawValue, $0.value.key) < ($1.key.kind.rawValue, $1.value.key)
        }
        .map { slot, alert in
            File.Alert(
                kind: slot.kind, test: slot.isTest, key: alert.key, since: alert.since.map(text),
                count: alert.count,
                toldAt: text(alert.lastMessageAt), text: alert.text, id: alert.id, prayer: alert.prayer,
                reason: alert.reason)
        }
        return try JSON.encode(
            File(
                v: 1, startedAt: startedAt.map(text), lastHeard: lastHeard, open: alerts, seen: seen,
                keys: keys),
            pretty: true)
            + [UInt8(ascii: "\n")]
    }

    /// Restores the open alerts of an earlier run. Throws if the bytes are not such a file, and the caller starts without it.
    package mutating func restore(_ bytes: [UInt8], at now: Instant, uptime: Double) throws {
        let file = try JSON.decode(File.self, from: bytes)
        var restored: [Slot: OpenAlert] = [:]
        for alert in file.open {
            let lastMessageAt = InstantText.parse(alert.toldAt) ?? now
            // If the clock was set meanwhile, a reminder is sent at once or after one whole interval, but not later.
            let ago = min(max(0, now - lastMessageAt), max(0, settings.repeatSeconds))
            restored[Slot(kind: alert.kind, isTest: alert.test)] = OpenAlert(
                key: alert.key, since: alert.since.flatMap { InstantText.parse($0) }, count: alert.count,
                lastMessageAt: lastMessageAt,
                lastMessageUptime: uptime - ago, text: alert.text, id: alert.id, prayer: alert.prayer,
                reason: alert.reason)
        }
        restore(
            restored, seen: file.seen, keys: file.keys ?? [],
            startedAt: file.startedAt.flatMap { InstantText.parse($0) },
            file.lastHeard)
    }
}
