internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Host
internal import MQTT
internal import Texts
internal import WebDelivery

/// `adhan-fleet status [BOX]`
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the boxes of the fleet, those first that somebody has to look at.",
        discussion: """
            Asks "adhan-fleet watch" at watch.listen of fleet.toml, and shows its assessment as the overview does. Where no watcher \
            answers it says so, and reads for a few seconds what the broker keeps of each box: its own word, by which a box can be \
            online and silent.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var place: FolderOptions

    @Argument(help: ArgumentHelp("One box.", valueName: "box"))
    var box: String?

    /// After this many seconds without a message, the broker has sent all that it retains.
    private static let quietSeconds = 1.0
    private static let patienceSeconds = 20.0
    /// Limits for the watcher's answer. It runs on this machine, and ten thousand boxes have 3 MB.
    private static let (connectSeconds, answerSeconds, mostAnswerBytes) = (2.0, 15.0, 64 << 20)

    func run() throws {
        let content = try place.folder.read()
        let address = "http://\(content.config.watch.listen)"
        let all: FleetStatus
        do throws(WatcherError) {
            all = FleetStatus(try Self.assessed(at: address, org: content.org))
        } catch {
            let reason = "\(address) \(error.sentence)"
            all = FleetStatus(org: content.org, try Self.reported(content, because: reason), because: reason)
        }
        let shown = try box.map { name throws(FleetError) -> FleetStatus in
            guard let one = all.only(name) else {
                let who = all.isAssessed ? "watcher" : "broker"
                throw FleetError(.failed, "the \(who) knows no box \"\(PlainText.visible(name))\"")
            }
            return one
        }
        let status = shown ?? all
        try common.output.show(status) { _ in status.text }
        for complaint in EnrolFolder(place.folder).complaints() {
            StandardError.write("adhan-fleet: \(complaint)")
        }
        guard status.overview?.broker ?? true else {
            throw FleetError(
                .unreachable,
                "the watcher has no broker, so what it shows is old; \"journalctl -u adhan-fleet\" says why")
        }
    }

    static func assessed(at address: String, org: String) throws(WatcherError) -> FleetOverview {
        var request = WebRequest(url: "\(address)/status.json")
        request.limits.connectSeconds = connectSeconds
        request.limits.wholeSeconds = answerSeconds
        request.limits.answerBytes = mostAnswerBytes
        let answer: WebAnswer
        do throws(WebError) { answer = try WebDelivery.fetch(request) } catch {
            switch error {
            case .connectionRefused: throw WatcherError("does not answer, as nothing listens there")
            case .timedOut: throw WatcherError("does not answer in time")
            default: throw WatcherError("does not answer (\(error.reason))")
            }
        }
        return try FleetOverview.read(status: answer.status, answer.body, org: org)
    }

    /// - Parameter reason: why no watcher has assessed the boxes, for an error if the broker does not answer either.
    private static func reported(
        _ content: FleetFolder.Content, because reason: String
    ) throws(FleetError) -> [ReportedBox] {
        let topics = FleetTopic(org: content.org)
        let inbox = Inbox<MQTTEvent>()
        let session = MQTTSession(
            content.session(
                "adhan-fleet-status-\(Int.random(in: 0..<1_000_000))",
                subscriptions: [topics.reportFilter]),
            now: { MonotonicClock.now() }, chance: { 0.5 }, handler: { inbox.put($0) })
        guard session.start() else { throw FleetError(.failed, "the system grants no thread") }
        defer { session.stop() }
        var reports = ReportedBoxes(topics)
        let deadline = MonotonicClock.now() + patienceSeconds
        var quietAt: Double?
        var error = MQTTError.timedOut
        reading: while MonotonicClock.now() < deadline {
            for event in inbox.drain() {
                switch event {
                case .connected: quietAt = MonotonicClock.now() + quietSeconds
                case .received(let message):
                    reports.receive(message.topic, message.payload)
                    quietAt = MonotonicClock.now() + quietSeconds
                case .refused(let refusal, let broker, _):
                    error = refusal
                    if broker == content.config.addresses.count - 1 { break reading }
                default: break
                }
            }
            if let quietAt, MonotonicClock.now() >= quietAt { break }
            inbox.wakeSignal.wait(0.1)
        }
        guard quietAt != nil else {
            throw FleetError(
                .unreachable,
                "\(reason), and the broker of the fleet cannot be reached: \(error.sentence)")
        }
        return reports.rows
    }
}
