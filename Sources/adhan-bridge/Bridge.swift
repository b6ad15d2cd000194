internal import BridgePlan
internal import CommandKit
internal import ControlClient
internal import Glibc
internal import Host
internal import MQTT
internal import PrayerEngine
internal import Protocol
internal import Systemd
internal import Texts

/// The service. One thread decides everything: it follows adhand, and other threads put what they have done into its inbox. What
/// may take long has a thread of its own, so that neither a broker, a web server nor a mail program holds anything else up.
final class Bridge {
    struct Options {
        var config: String
        var socket: String
        var stateFolder: String
        var box: String
    }

    /// Seconds between two questions for the status, without any event.
    static let refreshSeconds = 30.0
    /// Seconds between two questions for everything, without any event.
    static let wholeRefreshSeconds = 3600.0
    /// Seconds without an answer after which the house learns that adhand is away.
    static let awaySeconds = 3.0
    /// Seconds between two attempts to reach adhand before it was ever reached.
    static let retrySeconds = 2.0
    /// Seconds between two questions while adhand does not answer them.
    static let hangSeconds = 5.0
    /// Seconds for which further events are awaited before adhand is asked.
    static let settleSeconds = 0.05

    let options: Options
    let link: AdhandLink
    let files: StateFiles
    /// Held for as long as this runs.
    let lock: LockFile
    let inbox = Inbox<Arrival>()
    let manager = ServiceManager()
    var journal = Journal()
    var file: BridgeFile
    var topics: Topics

    // The last known state of adhand.
    var snapshot: BoxSnapshot?
    var history: [HistoryEntry] = []
    /// The newest adhans of it.
    var outcomes: [AdhanOutcome] = []
    var isUp = false
    /// Whether its events are received. An adhand that hangs is followed and does not answer.
    var isFollowing = false
    /// Since when it does not answer. A service that begins has not heard of it: an alert of an earlier run that it is away stays open
    /// until it answers.
    var lostAt: Double? = WallClock.monotonic()
    var refreshAt = 0.0
    var wholeRefreshAt = 0.0
    var historyClock = HistoryClock()

    // Alerts.
    var book: AlertBook
    var queue: DeliveryQueue
    var counts = Metrics.Counts()
    var attempts: Set<String> = []
    var deliveries: [String: BridgeStatus.Delivery] = [:]
    var stateFileFailure: String?
    /// The time of the next attempt although there is nothing new.
    var keepAgainAt = 0.0
    var writtenOpen: [UInt8] = []

    // MQTT.
    var brokerGuard = BrokerGuard()
    /// When the broker is spoken to, where that waits.
    var connectAt: Double?
    var session: MQTTSession?
    var sessionNumber = 0
    var sessionFailure: MQTTError?
    var brokerIndex: Int?
    var sent = SentTopics()
    var mapper = EventMapper()
    var drops = DropLog()
    var publishedItems: [Int: DeliveryQueue.Item] = [:]
    var nextNumber = 1
    var announceAt: Double?
    var commands: [Command] = []
    var isPerforming = false
    var houseCursor: Instant?

    // The fleet.
    var fleetSession: MQTTSession?
    var fleetSessionNumber = 0
    /// The number of a session that says farewell. Until it has ended, the fleet is not left.
    var fleetFarewell: Int?
    var fleetFailure: MQTTError?
    var fleetBrokerIndex: Int?
    /// The state of a box that enters the fleet with its card's word.
    var membership: FleetAdmission?
    /// Whether a broker has refused name and password since the last pause.
    var isFleetIdentityRefused = false
    /// When the box comes in its other role.
    var fleetAgainAt: Double?
    /// The board and the start of the machine, which stay the same while this runs.
    lazy var boxFacts = Self.boxFacts(of: options.box)
    var fleet: FleetDocument?
    /// Whether adhand has named its fleet since this program began.
    var isFleetKnown = false
    var reporter: FleetReporter?
    var desk = EnvelopeDesk()
    var isHanding = false
    var fleetAgenda: [OccasionDocument] = []
    /// Whether something has happened since adhand was asked for its fleet.
    var isFleetOld = true
    /// The instants of outcomes that the broker has been given, by the number of the message.
    var reportedOutcomes: [Int: Instant] = [:]

    // Heartbeats and figures.
    var beats: [String: HeartbeatClock] = [:]
    var beatsUnderWay: Set<String> = []
    var listener: MetricsListener?
    var figuresAt = 0.0
    var writtenStatus: [UInt8] = []
    var aliveAt = 0.0
    /// The upgrade report of a flashed box; read with each question to adhand.
    var upgrade: UpgradeReport?
    /// The address that was set on the phone page, and when it is looked at again.
    var page: PageAlert?
    var pageAt = 0.0
    /// Seconds without anything to do before which memory is given back.
    private static let quietSeconds = 1.0

    init(_ options: Options, _ file: BridgeFile, _ page: PageAlert?, _ lock: LockFile) {
        self.page = page
        self.lock = lock
        self.options = options
        self.file = file
        link = AdhandLink(socket: options.socket)
        files = StateFiles(options.stateFolder)
        topics = Topics(file.config, box: options.box)
        book = AlertBook(
            box: options.box, name: file.config.name ?? options.box, settings: file.config.alerts)
        queue = DeliveryQueue()
        takeUp()
        takeUpGuard()
        apply()
    }

    /// Runs for ever; SIGTERM ends it.
    func run() -> Never {
        manager.ready()
        while true {
            let failure = followUntilLost()
            noteLoss(failure)
            let wait = turn()
            inbox.doorbell.wait(min(wait, Self.retrySeconds))
        }
    }

    // MARK: One turn

    /// Everything that is to be done now.
    /// - Returns: seconds until something is to be done without an event.
    func turn() -> Double {
        let arrivals = inbox.take()
        for arrival in arrivals { handle(arrival) }
        let now = WallClock.monotonic()
        lookAtPage(now)
        refresh(now)
        lookAtBroker(now)
        emitHouseEvents()
        lookAtAlerts(WallClock.monotonic())
        deliver(WallClock.monotonic())
        performNext()
        publishNews(WallClock.monotonic())
        handEnvelopes(WallClock.monotonic())
        reportToFleet()
        beat(WallClock.monotonic())
        writeFigures(WallClock.monotonic())
        writeStatus()
        let wait = nextWait(WallClock.monotonic())
        // Each turn needs up to 8 MB of pages of the program's file.
        if wait > Self.quietSeconds { Memory.trim() }
        return wait
    }

    private func nextWait(_ now: Double) -> Double {
        var waits: [Double] = [60]
        if let interval = manager.intervalSeconds {
            // With the question for the status, where there is one about then.
            if now >= aliveAt - interval * FleetReporter.earlyShare {
                manager.alive()
                aliveAt = now + interval
            }
            waits.append(aliveAt - now)
        }
        if isFollowing { waits += [refreshAt - now, historyClock.waitSeconds(at: now)].compactMap(\.self) }
        if let lostAt, isUp { waits.append(lostAt + Self.awaySeconds - now) }
        if let wait = book.waitSeconds(at: now) { waits.append(wait) }
        waits += deliveryWaits(now) + beatWaits(now) + guardWaits(now) + fleetWaits(now)
        if let announceAt { waits.append(announceAt - now) }
        if let at = nextHouseInstant() { waits.append(at - WallClock.now()) }
        // A tenth of a second is no wait that anybody notices, and keeps a mistake from spinning.
        return max(0.02, waits.min() ?? 60)
    }

    private func handle(_ arrival: Arrival) {
        switch arrival {
        case .mqtt(let number, let event):
            if number == sessionNumber { handle(event) }
        case .fleet(let number, let event):
            if number == fleetSessionNumber {
                handleFleet(event)
            } else {
                noteEarlierFleet(session: number, event)
            }
        case .handed(let item, let answer): noteAnswer(item, answer)
        case .attempted(let item, let outcome, let detail): noteAttempt(item, outcome, detail)
        case .beatEnded(let name, let detail):
            beatsUnderWay.remove(name)
            if let detail {
                journal.log(
                    "the heartbeat \"\(name)\" was not taken: \(detail)", .delivery("beat " + name),
                    every: 900,
                    at: WallClock.monotonic())
            }
        case .performed(let command, let answer): handle(command, answer)
        case .signal(SIGHUP): reload()
        case .signal: end()
        }
    }
}
