internal import PrayerEngine
internal import Texts

/// The record as `state.json` has it. An entry without meaning here was written by another version.
extension FleetRecord: Codable {
    private struct File: Codable {
        struct Accepted: Codable {
            let fleet: String
            let kind: String
            let seq: Int
            let digest: String
        }

        struct Applied: Codable {
            let kind: String
            let seq: Int
            let digest: String
            let state: String
            let reason: String?
            let at: String
        }

        struct Waiting: Codable {
            let digest: String
            let envelope: String
        }

        struct Keys: Codable {
            let signing: String
            let recovery: String?

            init(_ keys: FleetKeys) { (signing, recovery) = (keys.signing.text, keys.recovery?.text) }

            var keys: FleetKeys? {
                FleetKey(signing).map {
                    FleetKeys(signing: $0, recovery: recovery.flatMap { FleetKey($0) })
                }
            }
        }

        let accepted: [Accepted]
        let applied: [Applied]
        let waiting: [Waiting]
        /// Left out while those of the configuration count.
        let configuredKeys: Keys?
        let keys: Keys?
    }

    package func encode(to encoder: any Encoder) throws {
        let file = File(
            accepted: accepted.sorted { $0.key < $1.key }.flatMap { fleet, kinds in
                kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, newest in
                    .init(fleet: fleet, kind: kind.rawValue, seq: newest.seq, digest: newest.digest)
                }
            },
            applied: applied.map {
                .init(
                    kind: $0.kind.rawValue, seq: $0.seq, digest: $0.digest, state: $0.state.rawValue,
                    reason: $0.reason, at: InstantText.rfc3339($0.at, in: .utc, milliseconds: true))
            },
            waiting: waiting.map { .init(digest: $0.digest, envelope: $0.envelope) },
            configuredKeys: keys.map { .init($0.configured) }, keys: keys.map { .init($0.inForce) })
        try file.encode(to: encoder)
    }

    package init(from decoder: any Decoder) throws {
        let file = try File(from: decoder)
        self.init()
        for entry in file.accepted {
            guard let kind = FleetKind(rawValue: entry.kind) else { continue }
            remember(AcceptedEnvelope(seq: entry.seq, digest: entry.digest), kind, of: entry.fleet)
        }
        for entry in file.applied {
            guard let kind = FleetKind(rawValue: entry.kind),
                let state = Applied.State(rawValue: entry.state), let at = InstantText.parse(entry.at)
            else { continue }
            remember(
                Applied(
                    kind: kind, seq: entry.seq, digest: entry.digest, state: state, reason: entry.reason,
                    at: at))
        }
        for entry in file.waiting { remember(Waiting(digest: entry.digest, envelope: entry.envelope)) }
        if let configured = file.configuredKeys?.keys, let inForce = file.keys?.keys {
            replace(configured, by: inForce)
        }
    }
}
