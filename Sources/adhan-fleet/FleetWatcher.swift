internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Glibc
internal import Host
internal import MQTT
internal import PrayerEngine
internal import Synchronization
internal import Systemd
internal import Texts
internal import WebDelivery

/// The watch as a service. The session's thread hands reports to the watch and waits until each is read, so a broker that holds
/// 200,000 of them sends no faster than that. One thread assesses. Each Alertmanager has its own thread, because any of them
/// may hang.
final class FleetWatcher: Sendable {
    private let content: FleetFolder.Content
    private let folder: FleetFolder
    private let topics: FleetTopic
    private let news = RolloutNews()
    private let enrolments = EnrolNews()
    let state: Mutex<FleetWatch>
    /// Seconds by which the last assessment was late.
    private let lag = Mutex(0.0)
    /// When the last assessment took place, by the monotonic clock.
    private let assessedAt = Mutex(MonotonicClock.now())
    private let posters: [AlertmanagerPoster]
    private let wakeSignal = WakeSignal()
    private let isEnding = Atomic(false)

    private static let heartbeatSeconds = 60.0
    private static let troubleSeconds = 900.0
    /// The service is unhealthy if it has assessed nothing for this long.
    private static let healthSeconds = 30.0
    /// The interval between two turns of the roll-outs.
    private static let rolloutSeconds = 5.0
    /// The index of the subscription to changes.
    private static let changeSubscription = 2

    init(_ content: FleetFolder.Content, in folder: FleetFolder) {
        self.content = content
        self.folder = folder
        topics = FleetTopic(org: content.org)
        state = Mutex(FleetWatch(org: content.org, content.config.watch, at: Self.now()))
        posters = content.config.watch.alertmanagers.map { AlertmanagerPoster($0) }
    }

    static func now() -> Timestamp { Timestamp(wall: WallClock.now(), uptime: MonotonicClock.now()) }

    func run() throws -> Never {
        // Signals are set up before any other thread exists, because such a thread would take them.
        Signals.follow { [self] signal in
            guard signal != SIGHUP else {
                return StandardError.write(
                    "adhan-fleet: fleet.toml is read at the start alone; restart the service")
            }
            isEnding.store(true, ordering: .releasing)
            wakeSignal.set()
        }
        let server = try OverviewServer(content.config.watch.listen, self)
        for poster in posters where !poster.start() {
            throw FleetError(.failed, "the system grants no thread")
        }
        // The keeper exists before the broker sends its retained messages.
        let rollouts = RolloutKeeper(folder, content, news)
        let session = MQTTSession(
            content.session(
                "adhan-fleet-\(content.org)-\(Self.mark(folder))",
                // Reports come first: the assessment depends on them, and they are the most.
                subscriptions: [topics.reportFilter, topics.enrolFilter, topics.changeFilter]),
            now: { MonotonicClock.now() }, chance: { Double.random(in: 0..<1) },
            handler: { [self] event in handle(event) })
        guard session.start() else { throw FleetError(.failed, "the system grants no thread") }
        let manager = ServiceManager()
        manager.ready()
        StandardError.write(
            "adhan-fleet: watches over \(content.org); the overview is at http://\(server.address)/")
        assessForever(manager, session, rollouts)
        manager.stopping()
        session.stop()
        // Exiting ends the threads of the server and the session.
        exit(0)
    }

    private func handle(_ event: MQTTEvent) {
        switch event {
        case .connected(let broker):
            state.withLock { $0.brokerConnected(at: Self.now()) }
            news.kept.withLock { $0.connected() }
            news.note(.connected)
            StandardError.write("adhan-fleet: connected to the broker \(content.config.brokers[broker])")
            wakeSignal.set()
        case .disconnected(let error):
            state.withLock { $0.brokerLost(at: Self.now()) }
            StandardError.write("adhan-fleet: the broker is gone: \(error.sentence)")
        case .refused(let error, let broker, let pause):
            if pause > 0, shouldLog() {
                StandardError.write(
                    "adhan-fleet: no connection to the broker \(content.config.brokers[broker]): \(error.sentence)"
                )
            }
        case .received(let message):
            if let box = topics.enrolling(at: message.topic) {
                return message.isRetained ? () : enrolments.note(message.payload, from: box)
            }
            if let place = topics.place(at: message.topic) {
                return news.kept.withLock {
                    $0.note(place, message.payload, isRetained: message.isRetained) {
                        try? VerifyCommand.label(of: $0, content)
                    }
                }
            }
            state.withLock {
                $0.receive(message.topic, message.payload, isRetained: message.isRetained, at: Self.now())
            }
        case .subscriptionRefused(let index, let error):
            if index == Self.changeSubscription { news.kept.withLock { $0.refused() } }
            StandardError.write(
                "adhan-fleet: the broker refuses the subscription: \(error.sentence); look at its acl")
        case .delivered(let number, let error): news.note(.answered(number, isTaken: error == nil))
        case .stopped: break
        }
    }

    private let loggedAt = Mutex(-Double.infinity)

    private func shouldLog() -> Bool {
        loggedAt.withLock { last in
            let now = MonotonicClock.now()
            guard now - last >= Self.troubleSeconds else { return false }
            last = now
            return true
        }
    }

    /// A name per watcher that stays the same across restarts: two watchers of one fleet with one name would take each other's
    /// connection.
    private static func mark(_ folder: FleetFolder) -> String {
        let machine = (try? FileBytes.read("/etc/machine-id", limit: 4096)) ?? []
        return String(SHA256.hex(machine + Array(folder.path.utf8)).prefix(8))
    }

    // MARK: The loop

    private func assessForever(
        _ manager: ServiceManager, _ session: MQTTSession, _ rollouts: RolloutKeeper
    ) {
        var beatAt = 0.0
        var packages = PackageKeeper(folder, content.config.rollout)
        var enrol = EnrolKeeper(folder, ownUser: content.config.username)
        var revoked = RevokedBoxes(folder)
        var rolloutsAt = 0.0
        while !isEnding.load(ordering: .acquiring) {
            let now = Self.now()
            let (alerts, wait, isRight, late) = state.withLock { watch in
                let late = watch.lateSeconds(at: now)
                return (watch.advance(to: now), watch.waitSeconds(at: now), watch.isConnected, late)
            }
            lag.withLock { $0 = max(0, late) }
            assessedAt.withLock { $0 = now.uptime }
            for poster in posters { poster.post(alerts, org: content.org) }
            if now.uptime >= rolloutsAt {
                rolloutsAt = now.uptime + Self.rolloutSeconds
                carryOut(rollouts, &packages, enrol, &revoked, session, now)
                letIn(&enrol, now)
            }
            manager.alive()
            // The heartbeat is sent here alone, so that a loop that hangs sends none.
            let heartbeat = content.config.watch.heartbeat
            if isRight, !heartbeat.isEmpty, now.uptime >= beatAt {
                beatAt = now.uptime + Self.heartbeatSeconds
                _ = BackgroundThread.start { _ = try? WebDelivery.perform(WebRequest(url: heartbeat)) }
            }
            wakeSignal.wait(min(max(0.05, wait), Self.rolloutSeconds))
            if wakeSignal.isSet { wakeSignal.clear() }
        }
    }

    /// Carries out roll-outs. Once the watch assesses boxes, it has all of their reports.
    private func carryOut(
        _ rollouts: RolloutKeeper, _ packages: inout PackageKeeper, _ enrol: EnrolKeeper,
        _ revoked: inout RevokedBoxes, _ session: MQTTSession, _ now: Timestamp
    ) {
        // The retained envelopes are read before the check for completeness: a connection made in between has received none
        // yet.
        let kept = news.kept.withLock { $0 }
        let isSettled = state.withLock { $0.isAssessing(at: now) }
        var stopped = rollouts.turn(
            session, at: now.wall, isSettled: isSettled, kept: kept,
            isRevoked: { revoked.contains($0) },
            facts: { kind, selector in state.withLock { $0.facts(kind, selector) } })
        if rollouts.holdsLock() {
            stopped.merge(
                packages.turn(at: now.wall, isSettled: isSettled) { state.withLock(\.packageFacts) }
            ) { known, _ in known }
        }
        let (conflicts, formerKeys) = (rollouts.conflicts, rollouts.book.formerKeys(at: now.wall))
        var damaged: [String: FleetWatch.Damage] = [:]
        for file in rollouts.damagedFiles { damaged[file] = .published }
        if !rollouts.isFolderReadable { damaged["published"] = .folder }
        for file in enrol.brokenFiles { damaged[file] = .enrolment }
        let servedIndex = packages.servedIndex
        state.withLock {
            $0.servedIndex = servedIndex
            $0.stoppedRollouts = stopped
            $0.conflicts = conflicts
            $0.formerKeys = formerKeys
            $0.damagedFiles = damaged
        }
    }

    private func letIn(_ enrol: inout EnrolKeeper, _ now: Timestamp) {
        let clones = enrol.turn(enrolments.drain(), at: now) { box in
            state.withLock { watch in
                watch.boxes[box]?.status.map { $0.hardware ?? UnnumberedBoard.name }
            }
        }
        if !clones.isEmpty { state.withLock { for box in clones { $0.noteClone(box, at: now) } } }
    }

    // MARK: For the server

    var isHealthy: Bool {
        assessedAt.withLock { MonotonicClock.now() - $0 < Self.healthSeconds }
            && state.withLock { $0.isConnected }
    }

    func overview() -> FleetOverview { state.withLock { $0.overview(at: WallClock.now()) } }

    func enrolPage() throws(FileError) -> String {
        EnrolPage.html(try EnrolFolder(folder).read().desk, org: content.org)
    }

    func metrics() -> String {
        let late = lag.withLock { $0 }
        return state.withLock { $0.metrics(lagSeconds: late, version: adhandVersion) }
    }
}

/// One Alertmanager and the thread that posts to it. One that hangs delays no other, and the alarms that it misses are repeated
/// within a minute.
final class AlertmanagerPoster: Sendable {
    private let url: String
    private let waiting = Mutex<[[UInt8]]>([])
    private let wakeSignal = WakeSignal()
    private let loggedAt = Mutex(-Double.infinity)

    /// The most bodies that wait. Every open alarm is sent again within a minute.
    private static let mostWaiting = 64

    init(_ base: String) { url = (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/api/v2/alerts" }

    func start() -> Bool {
        BackgroundThread.start { [self] in
            while true {
                let bodies = waiting.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                for body in bodies { send(body) }
                if bodies.isEmpty {
                    wakeSignal.wait(60)
                    wakeSignal.clear()
                }
            }
        }
    }

    func post(_ alerts: [FleetAlert], org: String) {
        guard !alerts.isEmpty else { return }
        let bodies = FleetAlert.bodies(alerts, org: org)
        waiting.withLock { $0 = ($0 + bodies).suffix(Self.mostWaiting) }
        wakeSignal.set()
    }

    private func send(_ body: [UInt8]) {
        // A restart of Alertmanager takes a moment. After the last attempt, the next minute repeats the alarm.
        for pause in [1.0, 4, 0] {
            do throws(WebError) {
                let status = try WebDelivery.perform(
                    WebRequest(url: url, body: body, headers: [.init("Content-Type", "application/json")]))
                if (200..<300).contains(status) { return }
                complain("status \(status)")
            } catch {
                complain(error.reason)
            }
            if pause > 0 { sleep(UInt32(pause)) }
        }
    }

    private func complain(_ reason: String) {
        let isDue = loggedAt.withLock { last in
            let now = MonotonicClock.now()
            guard now - last >= 900 else { return false }
            last = now
            return true
        }
        if isDue { StandardError.write("adhan-fleet: \(url) did not take the alarms: \(reason)") }
    }
}
