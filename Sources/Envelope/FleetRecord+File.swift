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
            /// The beginning; omitted where it is unknown.
            let since: String?
        }

        struct WentBack: Codable {
            let fleet: String
            let kind: String
            let since: String
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
            /// The number of attempts; omitted where there was none.
            let attempts: Int?
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

        struct Configuration: Codable {
            let fleet: String
            let digest: String
            let toml: String

            init(_ configuration: FleetConfiguration) {
                (fleet, digest, toml) = (configuration.fleet, configuration.digest, configuration.toml)
            }

            var configuration: FleetConfiguration {
                FleetConfiguration(fleet: fleet, digest: digest, toml: toml)
            }
        }

        struct Timetable: Codable {
            let fleet: String
            let digest: String
            let sha256: String

            init(_ timetable: FleetTimetable) {
                (fleet, digest, sha256) = (timetable.fleet, timetable.digest, timetable.sha256)
            }

            var timetable: FleetTimetable { FleetTimetable(fleet: fleet, digest: digest, sha256: sha256) }
        }

        struct Trial: Codable {
            let kind: String
            let digest: String
            /// The configuration in force before; omitted where there was none.
            let configuration: Configuration?
            let timetable: Timetable?
            let since: String
            let passedBefore: Bool
            let tried: Bool
            let boot: String?
            let crashes: Int
            let stopped: Bool
            let leaving: String?

            init(_ trial: FleetTrial) {
                (kind, digest, boot) = (trial.kind.rawValue, trial.digest, trial.boot)
                since = InstantText.rfc3339(trial.since, in: .utc, milliseconds: true)
                (passedBefore, tried, crashes) = (trial.passedBefore, trial.isTried, trial.crashes)
                (stopped, leaving) = (trial.isStopped, trial.leaving)
                switch trial.before {
                case .configuration(let before):
                    (configuration, timetable) = (before.map { Configuration($0) }, nil)
                case .timetable(let before):
                    (configuration, timetable) = (nil, before.map { Timetable($0) })
                }
            }

            var trial: FleetTrial? {
                let before: FleetTrial.Before
                switch FleetKind(rawValue: kind) {
                case .configuration: before = .configuration(configuration?.configuration)
                case .timetable: before = .timetable(timetable?.timetable)
                default: return nil
                }
                guard let since = InstantText.parse(since) else { return nil }
                var trial = FleetTrial(
                    digest: digest, before: before, since: since, passedBefore: passedBefore, boot: boot)
                (trial.isTried, trial.crashes) = (tried, crashes)
                (trial.isStopped, trial.leaving) = (stopped, leaving)
                return trial
            }
        }

        let accepted: [Accepted]
        let applied: [Applied]
        let waiting: [Waiting]
        /// The configured keys; omitted while those of the configuration apply.
        let configuredKeys: Keys?
        let keys: Keys?
        /// The configuration; omitted while there is none, as are the fields below.
        let configuration: Configuration?
        let timetable: Timetable?
        let trials: [Trial]?
        let reverted: [String]?
        let wentBack: [WentBack]?
        let overrides: [FleetOverride.File]?
    }

    private static func text(_ instant: Instant) -> String {
        InstantText.rfc3339(instant, in: .utc, milliseconds: true)
    }

    package func encode(to encoder: any Encoder) throws {
        let file = File(
            accepted: accepted.sorted { $0.key < $1.key }.flatMap { fleet, kinds in
                kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, newest in
                    .init(
                        fleet: fleet, kind: kind.rawValue, seq: newest.seq, digest: newest.digest,
                        since: newest.since.map(Self.text))
                }
            },
            applied: applied.map {
                .init(
                    kind: $0.kind.rawValue, seq: $0.seq, digest: $0.digest, state: $0.state.rawValue,
                    reason: $0.reason, at: InstantText.rfc3339($0.at, in: .utc, milliseconds: true))
            },
            waiting: waiting.map {
                .init(
                    digest: $0.digest, envelope: $0.envelope, attempts: $0.attempts == 0 ? nil : $0.attempts)
            },
            configuredKeys: keys.map { .init($0.configured) }, keys: keys.map { .init($0.inForce) },
            configuration: configuration.map { .init($0) }, timetable: timetable.map { .init($0) },
            trials: trials.isEmpty ? nil : trials.map { .init($0) },
            reverted: reverted.isEmpty ? nil : reverted,
            wentBack: wentBack.isEmpty
                ? nil
                : wentBack.sorted { $0.key < $1.key }.flatMap { fleet, kinds in
                    kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, since in
                        .init(fleet: fleet, kind: kind.rawValue, since: Self.text(since))
                    }
                },
            overrides: overrides.isEmpty ? nil : overrides.map { .init($0) })
        try file.encode(to: encoder)
    }

    package init(from decoder: any Decoder) throws {
        let file = try File(from: decoder)
        self.init()
        for entry in file.accepted {
            guard let kind = FleetKind(rawValue: entry.kind) else { continue }
            remember(
                AcceptedEnvelope(
                    seq: entry.seq, digest: entry.digest, since: entry.since.flatMap { InstantText.parse($0) }
                ),
                kind, of: entry.fleet)
        }
        for entry in file.wentBack ?? [] {
            guard let kind = FleetKind(rawValue: entry.kind), let since = InstantText.parse(entry.since)
            else {
                continue
            }
            remember(wentBack: since, kind, of: entry.fleet)
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
        for entry in file.waiting {
            remember(
                Waiting(digest: entry.digest, envelope: entry.envelope, attempts: entry.attempts ?? 0))
        }
        if let configured = file.configuredKeys?.keys, let inForce = file.keys?.keys {
            replace(configured, by: inForce)
        }
        (configuration, timetable) = (file.configuration?.configuration, file.timetable?.timetable)
        trials = (file.trials ?? []).compactMap(\.trial)
        for digest in file.reverted ?? [] { refuseAgain(digest) }
        overrides = (file.overrides ?? []).compactMap(\.override)
    }
}

extension FleetRecord {
    private struct State: Decodable {
        let fleet: FleetRecord?
    }

    /// Reads the record from the bytes of a state, for programs that need it before the state is loaded, or beside it.
    package init?(inState bytes: [UInt8]) {
        guard let record = try? JSON.decode(State.self, from: bytes).fleet else { return nil }
        self = record
    }
}
