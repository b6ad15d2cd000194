internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Host
internal import MQTT
internal import PrayerEngine
internal import Texts

/// `adhan-fleet status [BOX]`
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the boxes of the fleet, those first that somebody has to look at.",
        discussion: """
            Reads what the broker keeps of each box, for a few seconds. Alarms, and whether a box is really there, are what \
            "adhan-fleet watch" knows, which listens all the time.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var place: FolderOptions

    @Argument(help: ArgumentHelp("One box.", valueName: "box"))
    var box: String?

    /// Seconds without anything new after which the broker has said all that it keeps.
    private static let quietSeconds = 1.0
    private static let patienceSeconds = 20.0

    func run() throws {
        let content = try place.folder.read()
        let topics = FleetTopic(org: content.org)
        let inbox = Inbox<MQTTEvent>()
        let session = MQTTSession(
            content.session(
                "adhan-fleet-status-\(Int.random(in: 0..<1_000_000))",
                subscriptions: [topics.reportFilter]),
            now: { WallClock.monotonic() }, chance: { 0.5 }, handler: { inbox.put($0) })
        guard session.start() else { throw FleetError(.failed, "the system grants no thread") }
        defer { session.stop() }
        var reports = StatusReports(topics)
        let deadline = WallClock.monotonic() + Self.patienceSeconds
        var quietAt: Double?
        var reason = MQTTError.timedOut
        reading: while WallClock.monotonic() < deadline {
            for event in inbox.take() {
                switch event {
                case .connected: quietAt = WallClock.monotonic() + Self.quietSeconds
                case .received(let message):
                    reports.take(message.topic, message.payload)
                    quietAt = WallClock.monotonic() + Self.quietSeconds
                case .refused(let error, let broker, _):
                    reason = error
                    if broker == content.config.addresses.count - 1 { break reading }
                default: break
                }
            }
            if let quietAt, WallClock.monotonic() >= quietAt { break }
            inbox.doorbell.wait(0.1)
        }
        guard quietAt != nil else {
            throw FleetError(.unreachable, "the broker of the fleet cannot be reached: \(reason.sentence)")
        }
        try show(reports.rows())
        for complaint in EnrolFolder(place.folder).complaints() {
            StandardError.write("adhan-fleet: \(complaint)")
        }
    }

    private func show(_ rows: [StatusReports.Row]) throws(FleetError) {
        var rows = rows
        if let box {
            rows.removeAll { $0.box != box }
            guard !rows.isEmpty else {
                throw FleetError(.failed, "the broker knows no box \"\(PlainText.visible(box))\"")
            }
        }
        try common.output.show(rows) { _ in
            let online = rows.count { $0.online }
            let lines = rows.map { row in
                "\(row.box)  \(row.online ? "online" : "offline")  \(row.lastOutcome ?? "no adhan yet")  \(row.groups.joined(separator: ","))\n"
            }
            return "\(rows.count) boxes, \(online) online\n" + lines.joined()
        }
    }
}

/// The retained reports, gathered.
private struct StatusReports {
    struct Row: Encodable {
        let box: String
        let online: Bool
        let groups: [String]
        let version: String?
        /// The newest adhan, its state and its instant.
        let lastOutcome: String?
        let failed: Bool
        let problems: [String]
        let seq: [String: Int]
    }

    private struct Box {
        var status: ReadReport.Status?
        var newest: ReadReport.Adhan?
        var problems: [String] = []
        var seq: [String: Int] = [:]
    }

    private let topics: FleetTopic
    private var boxes: [String: Box] = [:]

    init(_ topics: FleetTopic) { self.topics = topics }

    mutating func take(_ topic: String, _ payload: [UInt8]) {
        guard let (name, topic) = topics.report(at: topic), let report = try? ReadReport(topic, payload)
        else { return }
        var box = boxes[name] ?? Box()
        switch report {
        case .status(let status): box.status = status
        case .adhan(let adhan): if box.newest.map({ $0.due <= adhan.due }) ?? true { box.newest = adhan }
        case .problems(let open): box.problems = open.map(\.alert)
        case .applied(let applied): box.seq[applied.kind.rawValue] = applied.seq
        case .plan, .backlog, .beat, .cleared: break
        }
        boxes[name] = box
    }

    func rows() -> [Row] {
        boxes.map { name, box in
            Row(
                box: name, online: box.status?.isOnline ?? false, groups: box.status?.groups ?? [],
                version: box.status?.version,
                lastOutcome: box.newest.map {
                    "\($0.id) \($0.state.rawValue) \(InstantText.rfc3339($0.due, in: .utc))"
                }, failed: box.newest?.isFailure ?? false, problems: box.problems, seq: box.seq)
        }.sorted {
            ($0.failed ? 0 : 1, $0.online ? 1 : 0, $0.groups.first ?? "", $0.box)
                < ($1.failed ? 0 : 1, $1.online ? 1 : 0, $1.groups.first ?? "", $1.box)
        }
    }
}
