package import PrayerEngine
package import Texts

/// One thing that happened, for the log, the monitors and `adhanctl log`: for people and for programs.
public struct Notice: Sendable, Equatable {
    /// Kinds of event, by the value of `ADHAND_EVENT`.
    public enum Kind: String, CaseIterable, Sendable {
        case daemonStarted = "daemon.started"
        case daemonStopping = "daemon.stopping"
        case planComputed = "plan.computed"
        case timerArmed = "timer.armed"
        case prayerCued = "prayer.cued"
        case prayerReleased = "prayer.released"
        case prayerStarted = "prayer.started"
        case prayerFinished = "prayer.finished"
        case prayerMissed = "prayer.missed"
        case prayerMuted = "prayer.muted"
        case prayerSkipped = "prayer.skipped"
        case prayerFailed = "prayer.failed"
        case prayerInterrupted = "prayer.interrupted"
        case reminderStarted = "reminder.started"
        case preflightPassed = "preflight.passed"
        case preflightFailed = "preflight.failed"
        case audioDropout = "audio.dropout"
        case audioLost = "audio.lost"
        case audioRecovered = "audio.recovered"
        case clockStepped = "clock.stepped"
        case clockUntrusted = "clock.untrusted"
        case clockTrusted = "clock.trusted"
        case zoneChanged = "zone.changed"
        case configReloaded = "config.reloaded"
        case configRejected = "config.rejected"
        case stateLost = "state.lost"
        case stateInconsistent = "state.inconsistent"
        case muteChanged = "mute.changed"
        case toggleChanged = "toggle.changed"
        case exceptionChanged = "exception.changed"
        case hijriChanged = "hijri.changed"
        case settingsChanged = "settings.changed"
        case fleetChanged = "fleet.changed"
        case timetableChanged = "timetable.changed"
        case timetableEnding = "timetable.ending"
        case controlDenied = "control.denied"
        case testStarted = "test.started"
        case testFinished = "test.finished"
        case decisionMade = "decision.made"
    }

    /// Severity, by the syslog number that the journal keeps as `PRIORITY`.
    public enum Level: Int, Comparable, CaseIterable, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
        case debug = 7

        /// `debug`, `info`, `notice`, `warning`, `error`: the values of `ADHAND_LOG`.
        public var name: String { "\(self)" }

        /// Reads a level by its ``name``; `nil` for any other word.
        public init?(name: some StringProtocol) {
            guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = level
        }

        /// Orders levels by severity.
        public static func < (a: Level, b: Level) -> Bool { a.rawValue > b.rawValue }
    }

    package let kind: Kind
    package let level: Level
    /// One sentence for a person.
    package let message: String
    package let at: Instant
    package var fields = Fields()
    /// The step of a fleet's change for `fleetChanged`, where an envelope took effect or was abandoned; not among the journal's
    /// fields.
    package var fleetStep: FleetStep?

    /// A change by a fleet, with the number of its envelope.
    package enum FleetStep: Sendable, Equatable {
        case inForce(seq: Int)
        case onTrial(seq: Int)
        case left(seq: Int)
    }

    package init(_ kind: Kind, _ level: Level, at: Instant, _ message: String, _ fields: Fields = Fields()) {
        self.kind = kind
        self.level = level
        self.message = PlainText.visible(message)
        self.at = at
        self.fields = fields
        self.fields.device = fields.device.map { PlainText.visible($0) }
        self.fields.reason = fields.reason.map { PlainText.visible($0) }
        self.fields.actor = fields.actor.map { PlainText.visible($0) }
        self.fields.user = fields.user.map { PlainText.visible($0) }
    }

    /// The fields on which programs may rely; each is a journal field `ADHAND_…` and a key of a monitor's event.
    package struct Fields: Sendable, Equatable {
        package var id: String?
        package var prayer: Prayer?
        package var scheduled: Instant?
        package var latenessMs: Double?
        package var durationMs: Double?
        package var frames: Int?
        package var dropouts: Int?
        package var device: String?
        /// The output whose part of a sound is concerned.
        package var output: String?
        package var reason: String?
        /// The cause for which a sound ended.
        package var cause: EndCause?
        /// The person for whom something was changed, as the caller claims, and the caller's user.
        package var actor: String?
        package var user: String?
        /// The number of a setting's change, and its key.
        package var change: Int?
        package var setting: String?

        package init(
            id: String? = nil, prayer: Prayer? = nil, scheduled: Instant? = nil, latenessMs: Double? = nil,
            durationMs: Double? = nil, frames: Int? = nil, dropouts: Int? = nil, device: String? = nil,
            reason: String? = nil
        ) {
            self.id = id
            self.prayer = prayer
            self.scheduled = scheduled
            self.latenessMs = latenessMs
            self.durationMs = durationMs
            self.frames = frames
            self.dropouts = dropouts
            self.device = device
            self.reason = reason
        }

    }
}

extension Notice {
    /// The fields as journal names and text, in a fixed order; the kind first.
    package func journalFields(in zone: Zone) -> [(name: String, value: String)] {
        let pairs: [(String, String?)] = [
            ("ADHAND_EVENT", kind.rawValue),
            ("ADHAND_ID", fields.id),
            ("ADHAND_PRAYER", fields.prayer?.rawValue),
            (
                "ADHAND_SCHEDULED",
                fields.scheduled.map { InstantText.rfc3339($0, in: zone, milliseconds: true) }
            ),
            ("ADHAND_LATENESS_MS", fields.latenessMs.map { NumberText.decimals($0, 1) }),
            ("ADHAND_DURATION_MS", fields.durationMs.map { NumberText.decimals($0, 0) }),
            ("ADHAND_FRAMES", fields.frames.map { String($0) }),
            ("ADHAND_DROPOUTS", fields.dropouts.map { String($0) }),
            ("ADHAND_DEVICE", fields.device),
            ("ADHAND_OUTPUT", fields.output),
            ("ADHAND_REASON", fields.reason),
            ("ADHAND_CAUSE", fields.cause?.rawValue),
            ("ADHAND_ACTOR", fields.actor),
            ("ADHAND_USER", fields.user),
            ("ADHAND_CHANGE", fields.change.map { String($0) }),
            ("ADHAND_SETTING", fields.setting),
        ]
        return pairs.compactMap { name, value in value.map { (name, $0) } }
    }
}
