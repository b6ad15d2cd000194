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

/// The service. One thread makes all decisions: it follows adhand, and other threads put their results into its inbox. Slow
/// work has a thread of its own, so that no broker, web server or mail program delays the rest.
final class Bridge {
    struct Options {
        var config: String
        var socket: String
        var stateFolder: String
        var box: String
    }

    /// Seconds between two polls of the status if there is no event.
    static let refreshSeconds = 30.0
    /// Seconds between two polls of everything if there is no event.
    static let wholeRefreshSeconds = 3600.0
    /// Seconds without an answer after which the house's topics report adhand as away.
    static let awaySeconds = 3.0
    /// Seconds between two attempts to reach adhand before the first success.
    static let retrySeconds = 2.0
    /// Seconds between two polls while adhand does not answer.
    static let hangSeconds = 5.0
    /// Seconds to wait for further events before adhand is polled.
    static let settleSeconds = 0.05

    let options: Options
    let link: AdhandLink
    let files: StateFiles
    /// The lock that this program holds while it runs.
    let lock: LockFile
    let inbox = Inbox<BridgeArrival>()
    let manager = ServiceManager()
    var journal = Journal()
    var file: BridgeFile
    var topics: Topics

    // The last known state of adhand.
    var snapshot: BoxSnapshot?
    var history: [HistoryEntry] = []
    /// The newest adhans in ``history``.
    var outcomes: [AdhanOutcome] = []
    var isUp = false
    /// Whether events of adhand are received. A hung adhand can be followed although it does not answer.
    var isFollowing = false
    /// The time since which adhand does not answer. It is set at the start, so that an alert of an earlier run about a missing
    /// adhand stays open until it answers.
    var lostAt: Double? = MonotonicClock.now()
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
    /// The time of the next attempt to save, even without a change.
    var keepAgainAt = 0.0
    var writtenOpen: [UInt8] = []

    // MQTT.
    var brokerGuard = BrokerGuard()
    /// The time at which the broker may be contacted, if that has to wait.
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
    /// The number of a session that is sending its farewell. Until it has ended, the box has not left the fleet.
    var fleetFarewell: Int?
    var fleetFailure: MQTTError?
    var fleetBrokerIndex: Int?
    /// The admission of a box that enters the fleet by its card's word.
    var membership: FleetAdmission?
    /// Whether a broker has refused name and password since the last pause.
    var isFleetIdentityRefused = false
    /// The time at which the box connects in its other role.
    var fleetAgainAt: Double?
    /// The board and the machine's start, which stay the same during a run.
    lazy var boxFacts = Self.boxFacts(of: options.box)
    var fleet: FleetDocument?
    /// Whether adhand has named its fleet since this program began.
    var isFleetKnown = false
    var reporter: FleetReporter?
    var desk = EnvelopeDesk()
    var isHanding = false
    var fleetAgenda: [OccasionDocument] = []
    /// Whether something has happened since adhand was last asked for its fleet.
    var isFleetOld = true
    /// The instants of outcomes that were sent to the broker, by the number of the message.
    var reportedOutcomes: [Int: Instant] = [:]

    // Heartbeats and figures.
    var beats: [String: HeartbeatClock] = [:]
    var beatsUnderWay: Set<String> = []
    var listener: MetricsListener?
    var figuresAt = 0.0
    var writtenStatus: [UInt8] = []
    var aliveAt = 0.0
    /// The upgrade report of a flashed box, which is read with each poll of adhand.
    var upgrade: UpgradeReport?
    /// The address set on the phone page; the next property is the time of its next check.
    var page: PageAlert?
    var pageAt = 0.0
    /// Memory is released before a pause of more than this many seconds.
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
        restoreAlerts()
        restoreGuard()
        apply()
    }

    /// Runs until SIGTERM ends it.
    func run() -> Never {
        manager.ready()
        while true {
            let failure = followUntilLost()
            noteLoss(failure)
            let wait = turn()
            inbox.wakeSignal.wait(min(wait, Self.retrySeconds))
        }
    }

    // MARK: One turn

    /// Does everything that is due now.
    /// - Returns: seconds until the next turn if nothing arrives.
    func turn() -> Double {
        let arrivals = inbox.drain()
        for arrival in arrivals { handle(arrival) }
        let now = MonotonicClock.now()
        checkPage(now)
        refresh(now)
        checkBroker(now)
        emitHouseEvents()
        checkAlerts(MonotonicClock.now())
        deliver(MonotonicClock.now())
        performNext()
        publishNews(MonotonicClock.now())
        handEnvelopes(MonotonicClock.now())
        reportToFleet()
        beat(MonotonicClock.now())
        writeFigures(MonotonicClock.now())
        writeStatus()
        let wait = nextWait(MonotonicClock.now())
        // Each turn touches up to 8 MB of the program's file.
        if wait > Self.quietSeconds { Memory.trim() }
        return wait
    }

    private func nextWait(_ now: Double) -> Double {
        var waits: [Double] = [60]
        if let interval = manager.intervalSeconds {
            // The notification coincides with the poll of the status if one is due at about that time.
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
        // The minimum keeps a mistake from spinning, and nobody notices the delay.
        return max(0.02, waits.min() ?? 60)
    }

    private func handle(_ arrival: BridgeArrival) {
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
                    at: MonotonicClock.now())
            }
        case .performed(let command, let answer): handle(command, answer)
        case .signal(SIGHUP): reload()
        case .signal: end()
        }
    }
}
