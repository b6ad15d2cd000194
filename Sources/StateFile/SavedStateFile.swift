import Announcements
import Envelope
import PrayerEngine
import Protocol
import Settings
import Texts
import Times

/// `state.json`: the saved state in a form for people and tools, with instants in RFC 3339.
extension SavedState {
    package func fileBytes() throws -> [UInt8] {
        try JSON.encode(Whole(self), pretty: true) + [UInt8(ascii: "\n")]
    }

    /// Throws when the bytes are not a saved state: the caller sets the file aside and starts without one.
    package init(fileBytes: [UInt8]) throws {
        let whole = try JSON.decode(Whole.self, from: fileBytes)
        self = whole.file.state(applying: whole.decided.times)
    }

    /// One object: people's decisions lie among the rest.
    private struct Whole: Codable {
        let file: File
        let decided: DecidedRecord

        init(_ state: SavedState) {
            file = File(state)
            decided = DecidedRecord(toggles: state.toggles, exceptions: state.exceptions, pins: state.pins)
        }

        init(from decoder: any Decoder) throws {
            file = try File(from: decoder)
            decided = try DecidedRecord(from: decoder)
        }

        func encode(to encoder: any Encoder) throws {
            try file.encode(to: encoder)
            try decided.encode(to: encoder)
        }
    }

    private struct File: Codable {
        struct Mute: Codable {
            let scope: MuteScope
            let since: Stamp?
            let until: Stamp?
            let followsElapsedTime: Bool
            let id: String?
            let by: String?
        }

        struct Handled: Codable {
            let id: String
            let outcome: Outcome
            let at: Stamp
        }

        struct Underway: Codable {
            let id: String
            let scheduled: Stamp
            let startedAt: Stamp?
            let aliveAt: Stamp
            let sounds: [String]?
            let duration: Double?
            let boot: String?
            let endedBy: String?
            let cause: EndCause?
            /// The volume that a quiet window imposed; omitted where none did.
            let volume: Int?
            let quiet: String?
            /// The outputs; omitted where the configuration names none.
            let outputs: [Output]?

            struct Output: Codable {
                let name: String
                let volume: Int
                let quiet: String?
                let startedAt: Stamp?
                let device: String?
                let proof: OutputProof?
            }

            var cap: SavedState.Underway.Cap? {
                guard let volume, let quiet else { return nil }
                return .init(volume: volume, quiet: quiet)
            }
        }

        struct OutputMute: Codable {
            let output: String
            let since: Stamp
            let until: Stamp
            let followsElapsedTime: Bool
            let by: String?
        }

        struct Clock: Codable {
            let confirmed: Stamp
            let candidate: Stamp
            let ranSeconds: Double
        }

        struct Loss: Codable {
            let cause: StateLoss.Cause
            let at: Stamp
            let restored: Bool
        }

        struct Problem: Codable {
            let kind: StatusProblem.Kind
            let since: Stamp?
            let message: String
        }

        let version: Int
        let since: Stamp
        let judgedThrough: Stamp
        let clock: Clock?
        let mute: Mute?
        /// The mutes of single outputs; omitted while there are none.
        let outputMutes: [OutputMute]?
        let withoutPlace: Bool?
        let handled: [Handled]
        let underway: [Underway]
        /// The loss of an earlier state; omitted while there is none.
        let lost: Loss?
        /// The noted problems; omitted while there are none.
        let problems: [Problem]?
        /// The record of envelopes; omitted where none was ever accepted.
        let fleet: FleetRecord?

        init(_ state: SavedState) {
            version = 1
            since = Stamp(state.since)
            judgedThrough = Stamp(state.resolvedThrough)
            clock = Clock(
                confirmed: Stamp(state.clock.confirmed), candidate: Stamp(state.clock.candidate),
                ranSeconds: state.clock.ranSeconds.rounded())
            mute = state.mute.map {
                Mute(
                    scope: $0.scope, since: $0.since.map { Stamp($0) }, until: $0.until.map { Stamp($0) },
                    followsElapsedTime: $0.followsElapsedTime,
                    id: $0.id?.description, by: $0.by)
            }
            outputMutes =
                state.outputMutes.isEmpty
                ? nil
                : state.outputMutes.map {
                    OutputMute(
                        output: $0.output, since: Stamp($0.since), until: Stamp($0.until),
                        followsElapsedTime: $0.followsElapsedTime, by: $0.by)
                }
            withoutPlace = state.isWithoutPlace ? true : nil
            lost = state.loss.map { Loss(cause: $0.cause, at: Stamp($0.at), restored: $0.isRestored) }
            problems =
                state.problems.isEmpty
                ? nil
                : state.problems.map {
                    Problem(kind: $0.kind, since: $0.since.map { Stamp($0) }, message: $0.message)
                }
            fleet = state.fleet.isEmpty ? nil : state.fleet
            handled = state.handled.inOrder.map {
                Handled(id: $0.id.description, outcome: $0.outcome, at: Stamp($0.at))
            }
            underway = state.underway.map {
                Underway(
                    id: $0.id.description, scheduled: Stamp($0.scheduled),
                    startedAt: $0.startedAt.map { Stamp($0) },
                    aliveAt: Stamp($0.aliveAt), sounds: $0.sounds, duration: $0.durationSeconds,
                    boot: $0.boot,
                    endedBy: $0.endedBy?.who, cause: $0.endedBy?.cause, volume: $0.cap?.volume,
                    quiet: $0.cap?.quiet,
                    outputs: $0.outputs.isEmpty
                        ? nil
                        : $0.outputs.map {
                            .init(
                                name: $0.output, volume: $0.volumePercent, quiet: $0.quiet,
                                startedAt: $0.startedAt.map { Stamp($0) }, device: $0.device, proof: $0.proof)
                        })
            }
        }

        func state(applying decided: MosqueOverrides) -> SavedState {
            var state = SavedState(since: since.instant)
            state.loss = lost.map { StateLoss($0.cause, at: $0.at.instant, isRestored: $0.restored) }
            // A problem kind of another version would never end here.
            state.problems = (problems ?? []).filter { NotedProblem.kinds.contains($0.kind) }.map {
                NotedProblem($0.kind, since: $0.since?.instant, message: $0.message)
            }
            state.resolvedThrough = judgedThrough.instant
            // An older adhand trusted every clock.
            state.clock =
                clock.map {
                    ClockRecord(
                        confirmed: $0.confirmed.instant, candidate: $0.candidate.instant,
                        ranSeconds: $0.ranSeconds)
                } ?? ClockRecord(confirmed: judgedThrough.instant)
            state.mute = mute.map {
                StateFile.Mute(
                    scope: $0.scope, since: $0.since?.instant, until: $0.until?.instant,
                    followsElapsedTime: $0.followsElapsedTime,
                    id: $0.id.flatMap { AnnouncementID($0) }, by: $0.by)
            }
            state.outputMutes = (outputMutes ?? []).map {
                Announcements.OutputMute(
                    output: $0.output, since: $0.since.instant, until: $0.until.instant,
                    followsElapsedTime: $0.followsElapsedTime, by: $0.by)
            }
            state.isWithoutPlace = withoutPlace ?? false
            state.fleet = fleet ?? FleetRecord()
            (state.toggles, state.exceptions, state.pins) = (
                decided.toggles, decided.exceptions, decided.pins
            )
            // An entry that this version does not understand was written by another version; it cannot be called either.
            state.setOutcomes(
                handled.compactMap { entry in
                    AnnouncementID(entry.id).map {
                        HandledAnnouncement(id: $0, outcome: entry.outcome, at: entry.at.instant)
                    }
                })
            state.underway = underway.compactMap { entry in
                guard let id = AnnouncementID(entry.id) else { return nil }
                var underway = SavedState.Underway(
                    id: id, scheduled: entry.scheduled.instant, startedAt: entry.startedAt?.instant,
                    aliveAt: entry.aliveAt.instant, sounds: entry.sounds, cap: entry.cap,
                    durationSeconds: entry.duration, boot: entry.boot,
                    endedBy: entry.endedBy.map { EndedBy(entry.cause ?? .stop, $0) })
                underway.outputs = (entry.outputs ?? []).map {
                    .init(
                        output: $0.name, volumePercent: $0.volume, quiet: $0.quiet,
                        startedAt: $0.startedAt?.instant, device: $0.device, proof: $0.proof)
                }
                return underway
            }
            return state
        }
    }

    /// An instant as RFC 3339 in UTC, to the millisecond.
    private struct Stamp: Codable {
        let instant: Instant

        init(_ instant: Instant) { self.instant = instant }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let instant = InstantText.parse(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "not an RFC 3339 instant")
            }
            self.instant = instant
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(InstantText.rfc3339(instant, in: .utc, milliseconds: true))
        }
    }
}
