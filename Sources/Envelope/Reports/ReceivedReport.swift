package import PrayerEngine
package import Texts

/// A report as received by the fleet. It is a claim of a box: limited in size and valid in form, but not trusted otherwise.
package enum ReceivedReport: Sendable, Equatable {
    package struct Status: Sendable, Equatable {
        package var isOnline: Bool
        package var at: Instant?
        package var boot: String?
        package var version: String
        package var image: String?
        package var hardware: String?
        package var isAdhandUp: Bool
        package var beatSeconds: Double
        package var groups: [String]
        /// The version of adhand in the last update that it left.
        package var leftAdhand: String?

        package init(
            isOnline: Bool, at: Instant?, boot: String? = nil, version: String, image: String? = nil,
            hardware: String? = nil, isAdhandUp: Bool = true, beatSeconds: Double = 60, groups: [String] = [],
            leftAdhand: String? = nil
        ) {
            (self.isOnline, self.at, self.boot, self.version) = (isOnline, at, boot, version)
            (self.image, self.hardware, self.isAdhandUp) = (image, hardware, isAdhandUp)
            (self.beatSeconds, self.groups, self.leftAdhand) = (beatSeconds, groups, leftAdhand)
        }
    }

    package struct Entry: Sendable, Equatable {
        package var id: String
        package var prayer: Prayer
        package var due: Instant

        package init(id: String, prayer: Prayer, due: Instant) {
            (self.id, self.prayer, self.due) = (id, prayer, due)
        }
    }

    package struct Plan: Sendable, Equatable {
        package var made: Instant
        package var until: Instant
        /// The entries in the order of their instants, each identity once.
        package var entries: [Entry]

        package init(made: Instant, until: Instant, entries: [Entry]) {
            (self.made, self.until, self.entries) = (made, until, entries)
        }
    }

    package struct Adhan: Sendable, Equatable {
        package enum State: String, Sendable, CaseIterable {
            case playing, played, partial, failed, missed, interrupted, muted, disabled, silent, quiet,
                skipped
            /// An outcome that a later version reports.
            case unknown
        }

        package var id: String
        package var prayer: Prayer
        package var due: Instant
        package var state: State
        package var at: Instant
        package var reason: String?
        /// Whether the device is the reason for an early end.
        package var isDeviceAtFault: Bool

        package init(
            id: String, prayer: Prayer, due: Instant, state: State, at: Instant, reason: String? = nil,
            isDeviceAtFault: Bool = false
        ) {
            (self.id, self.prayer, self.due, self.state) = (id, prayer, due, state)
            (self.at, self.reason, self.isDeviceAtFault) = (at, reason, isDeviceAtFault)
        }

        package var isHeard: Bool { state == .played || state == .partial }
        package var isFailure: Bool {
            state == .failed || state == .missed || state == .interrupted && isDeviceAtFault
        }
        /// Whether the silence is intended by a person.
        package var isWanted: Bool {
            switch state {
            case .muted, .disabled, .silent, .quiet, .skipped: true
            case .interrupted: !isDeviceAtFault
            default: false
            }
        }
    }

    package struct Problem: Sendable, Equatable {
        package var alert: String
        package var isProblem: Bool
        package var since: Instant?
        package var text: String

        package init(alert: String, isProblem: Bool, since: Instant? = nil, text: String) {
            (self.alert, self.isProblem, self.since, self.text) = (alert, isProblem, since, text)
        }
    }

    package struct Applied: Sendable, Equatable {
        package var kind: FleetKind
        package var seq: Int
        package var digest: String
        package var state: FleetRecord.Applied.State
        package var reason: String?

        package init(
            kind: FleetKind, seq: Int, digest: String, state: FleetRecord.Applied.State, reason: String? = nil
        ) {
            (self.kind, self.seq, self.digest) = (kind, seq, digest)
            (self.state, self.reason) = (state, reason)
        }

        private var refusal: EnvelopeRefusal.Reason? {
            guard state == .refused, let word = reason?.split(separator: ":").first else { return nil }
            return EnvelopeRefusal.Reason(rawValue: String(word))
        }

        /// Whether the box retries the envelope by itself.
        package var isPassing: Bool { refusal?.isPassing == true }

        /// Whether it concerns an altered copy: the digest stays the same with another signature or type.
        package var isOfAlteredCopy: Bool { refusal == .signature || refusal == .type }
    }

    case status(Status)
    case plan(Plan)
    case adhan(Adhan)
    case backlog([Adhan])
    case problems([Problem])
    case applied(Applied)
    case beat
    /// An empty payload, which removes a retained report.
    case cleared(ReportTopic)
}

/// Why a report is ignored.
package enum ReportError: String, Error, Sendable, CaseIterable {
    case tooLarge = "too-large"
    case malformed
    /// A later version of the document.
    case version
}

extension ReceivedReport {
    /// The largest report in bytes: a hundred outcomes with a sentence each.
    package static let mostBytes = 48 * 1024
    static let mostProblems = 16
    static let mostGroups = 16
    /// The least and the most seconds between two beats.
    package static let beatRange = 10.0...3600.0

    package init(_ topic: ReportTopic, _ payload: [UInt8]) throws(ReportError) {
        guard !payload.isEmpty else {
            self = .cleared(topic)
            return
        }
        guard payload.count <= Self.mostBytes else { throw .tooLarge }
        let json: StrictJSON
        do throws(StrictJSONError) { json = try StrictJSON(payload) } catch { throw .malformed }
        guard case .object(let members) = json else { throw .malformed }
        guard case .integer(1) = members["v"] else { throw .version }
        let fields = ReportFields(members)
        switch topic {
        case .status: self = .status(try Self.status(fields))
        case .plan: self = .plan(try Self.plan(fields))
        case .adhan(let prayer):
            let adhan = try Self.adhan(fields)
            guard adhan.prayer == prayer else { throw .malformed }
            self = .adhan(adhan)
        case .backlog:
            var adhans: [Adhan] = []
            for element in try fields.list("adhans", most: BacklogReport.mostAdhans) {
                adhans.append(try Self.adhan(element))
            }
            self = .backlog(adhans)
        case .problems: self = .problems(try Self.problems(fields))
        case .applied(let kind):
            let applied = try Self.applied(fields)
            guard applied.kind == kind else { throw .malformed }
            self = .applied(applied)
        case .beat: self = .beat
        }
    }

    private static func status(_ fields: ReportFields) throws(ReportError) -> Status {
        guard let state = StatusReport.State(rawValue: try fields.text("state", most: 16)) else {
            throw .malformed
        }
        var groups: [String] = []
        if case .list(let list) = fields.members["groups"] {
            for case .text(let group) in list.prefix(mostGroups) where FleetName.isGroup(group) {
                groups.append(group)
            }
        }
        var beat = 60.0
        if case .integer(let seconds) = fields.members["beat"] { beat = Double(seconds) }
        let hardware = fields.optionalText("hardware", most: 64)
        return Status(
            isOnline: state == .online, at: fields.optionalInstant("at"),
            boot: fields.optionalText("boot", most: 64),
            version: fields.optionalText("version", most: 64) ?? "",
            image: fields.optionalText("image", most: 64),
            hardware: hardware?.isEmpty == true ? nil : hardware,
            isAdhandUp: fields.optionalText("adhand", most: 16) != StatusReport.Daemon.down.rawValue,
            beatSeconds: min(max(beat, beatRange.lowerBound), beatRange.upperBound), groups: groups,
            leftAdhand: fields.optionalText("leftAdhand", most: 64))
    }

    private static func plan(_ fields: ReportFields) throws(ReportError) -> Plan {
        var entries: [Entry] = []
        var known: Set<String> = []
        for element in try fields.list("entries", most: PlanReport.mostEntries) {
            let entry = Entry(
                id: try element.id(), prayer: try element.prayer(), due: try element.instant("at"))
            if known.insert(entry.id).inserted { entries.append(entry) }
        }
        entries.sort { ($0.due, $0.id) < ($1.due, $1.id) }
        return Plan(made: try fields.instant("made"), until: try fields.instant("until"), entries: entries)
    }

    private static func adhan(_ fields: ReportFields) throws(ReportError) -> Adhan {
        Adhan(
            id: try fields.id(), prayer: try fields.prayer(), due: try fields.instant("due"),
            state: Adhan.State(rawValue: try fields.text("state", most: 32)) ?? .unknown,
            at: try fields.instant("at"), reason: fields.optionalText("reason", most: 200),
            isDeviceAtFault: fields.optionalText("cause", most: 32) == "device")
    }

    private static func problems(_ fields: ReportFields) throws(ReportError) -> [Problem] {
        var problems: [Problem] = []
        for element in try fields.list("open", most: mostProblems) {
            let alert = try element.text("alert", most: 32)
            // Require a name, because it becomes a label and part of an address.
            guard !alert.isEmpty, FleetName.isBox(alert) else { throw .malformed }
            guard !problems.contains(where: { $0.alert == alert }) else { throw .malformed }
            problems.append(
                Problem(
                    alert: alert, isProblem: element.optionalText("severity", most: 16) == "problem",
                    since: element.optionalInstant("since"),
                    text: element.optionalText("text", most: 200) ?? ""))
        }
        return problems
    }

    private static func applied(_ fields: ReportFields) throws(ReportError) -> Applied {
        guard let kind = FleetKind(rawValue: try fields.text("kind", most: 16)),
            case .integer(let seq) = fields.members["seq"], seq >= 1,
            let state = FleetRecord.Applied.State(rawValue: try fields.text("state", most: 16))
        else { throw .malformed }
        let digest = try fields.text("digest", most: 64)
        guard SHA256.isHex(digest) else { throw .malformed }
        return Applied(
            kind: kind, seq: seq, digest: digest, state: state,
            reason: fields.optionalText("reason", most: 200))
    }
}
