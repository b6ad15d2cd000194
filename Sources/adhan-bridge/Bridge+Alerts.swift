internal import BridgePlan
internal import CommandKit
internal import Glibc
internal import Host
internal import MQTT
internal import PrayerEngine
internal import Protocol
internal import Texts
internal import WebDelivery

/// Alerts: each message is saved before its first attempt, and a thread per destination delivers it.
extension Bridge {
    /// Seconds between two lines of the journal about one problem.
    static let troubleSeconds = 900.0
    /// Seconds until a failed write is retried, so that its alert ends even without a new message.
    static let keepAgainSeconds = 60.0

    /// Restores the open alerts and queued messages of the previous run. A file that cannot be read is reported and set aside.
    func restoreAlerts() {
        let now = WallClock.now()
        do {
            let open = try files.read(.open)
            if !open.isEmpty { try book.restore(open, at: now, uptime: MonotonicClock.now()) }
        } catch {
            Journal.log(
                "\"\(files.folder)/open.json\" cannot be used, so open alerts are sent again: \(Self.text(error))"
            )
        }
        do throws(FileError) {
            queue = DeliveryQueue(fileBytes: try files.read(.queue))
        } catch {
            Journal.log("the queue cannot be used: \(error.message)")
        }
        writtenOpen = (try? book.fileBytes()) ?? []
        if book.restore(queued: queue.items.map(\.message), at: now, uptime: MonotonicClock.now()) { keep() }
    }

    private static func text(_ error: any Error) -> String {
        (error as? FileError)?.message ?? "it is damaged"
    }

    func checkAlerts(_ now: Double) {
        if stateFileFailure != nil, now >= keepAgainAt { keep() }
        var conditions: [AlertCondition] = []
        if isUp, lostAt == nil, let status = snapshot?.status {
            conditions += AlertCondition.all(of: status, timetableDays: file.config.alerts.timetableDays)
        }
        if let left = upgrade?.condition { conditions.append(left) }
        if lostAt != nil {
            conditions.append(AlertCondition(.daemon, text: "adhand does not answer."))
        }
        if let failure = stateFileFailure, !conditions.contains(where: { $0.kind == .disk }) {
            conditions.append(
                AlertCondition(.disk, text: "adhan-bridge cannot save what it has to tell: \(failure)."))
        }
        if session != nil, sessionFailure != nil || session?.isConnected == false {
            conditions.append(AlertCondition(.mqtt, text: "No broker is connected\(brokerReason)."))
        }
        if session?.isCloned == true {
            conditions.append(
                AlertCondition(
                    .clone,
                    text:
                        "Another machine is known to the broker by this one's name, \(topics.clientID). If its card was "
                        + "copied, give one of them another: adhan-bridge --box."))
        }
        if !conditions.contains(where: { $0.kind == .clone }), let clone = fleetClone {
            conditions.append(clone)
        }
        let facts = AlertFacts(
            conditions, isAdhandKnown: isUp && lostAt == nil,
            outcomes: outcomes,
            zone: snapshot?.zone ?? .utc)
        let messages = book.update(facts, at: WallClock.now(), uptime: now)
        let isNew = queue.add(messages, to: file.config.destinations)
        if isNew || !messages.isEmpty { keep() }
    }

    /// The alert about a second machine in the fleet. Until adhand has named the fleet there is no session to detect one, so an
    /// alert of the previous run stays open.
    private var fleetClone: AlertCondition? {
        if fleetSession?.isCloned == true {
            return AlertCondition(
                .clone,
                text:
                    "Another machine is known to the fleet by this one's name, \(options.box). If its card was copied, "
                    + "give one of them another: adhan-bridge --box.")
        }
        guard file.config.fleet.isOn, !isFleetKnown else { return nil }
        return book.open.first { $0.key.kind == .clone }.map {
            AlertCondition(.clone, since: $0.value.since, text: $0.value.text)
        }
    }

    private var brokerReason: String { sessionFailure.map { ": \($0.sentence)" } ?? "" }

    /// Saves the queue before the open alerts: if this is interrupted between the two, the next run creates the message again
    /// with the same key, and finds it in the queue.
    func keep() {
        do throws(FileError) {
            try files.write(queue.fileBytes(), to: .queue)
            let open = (try? book.fileBytes()) ?? []
            if open != writtenOpen {
                try files.write(open, to: .open)
                writtenOpen = open
            }
            stateFileFailure = nil
            queue.isKept = true
        } catch {
            stateFileFailure = error.message
            keepAgainAt = MonotonicClock.now() + Self.keepAgainSeconds
            queue.isKept = false
            journal.log(
                "\(error.message); messages are kept in memory", .stateFile, every: Self.troubleSeconds,
                at: MonotonicClock.now())
        }
    }

    // MARK: Handing over

    func deliveryWaits(_ now: Double) -> [Double] {
        file.destinations.filter { !attempts.contains($0.settings.name) && canTry($0) }
            .compactMap { queue.due(for: $0.settings.name) }.map { max(0, $0 - now) }
    }

    /// Whether a message can be attempted. Without a broker, a message for it waits and uses up no attempt.
    private func canTry(_ destination: BridgeFile.Destination) -> Bool {
        destination.settings.kind != .mqtt || session?.isConnected == true
    }

    func deliver(_ now: Double) {
        for destination in file.destinations where !attempts.contains(destination.settings.name) {
            guard canTry(destination), let item = queue.next(for: destination.settings.name, at: now) else {
                continue
            }
            attempts.insert(destination.settings.name)
            switch destination.settings.kind {
            case .mqtt: publish(item, destination.settings.name)
            case .webhook, .mail:
                let (inbox, zone) = (inbox, snapshot?.zone ?? .utc)
                let isStarted = BackgroundThread.start {
                    let (outcome, detail) = Delivery.attempt(item.message, destination, zone: zone)
                    inbox.put(.attempted(item, outcome, detail: detail))
                }
                if !isStarted { inbox.put(.attempted(item, .failed, detail: "the system grants no thread")) }
            }
        }
    }

    private func publish(_ item: DeliveryQueue.Item, _ name: String) {
        let payload = try? JSON.encode(item.message)
        let number = nextNumber
        nextNumber += 1
        let message = MQTTPublication(
            topic: topics.alert(name), payload: payload ?? [], expirySeconds: 86_400)
        if session?.publish(message, number: number) == .accepted {
            publishedItems[number] = item
        } else {
            inbox.put(.attempted(item, .failed, detail: "no broker took it"))
        }
    }

    func noteAttempt(_ item: DeliveryQueue.Item, _ outcome: DeliveryQueue.Outcome, _ detail: String) {
        let now = MonotonicClock.now()
        attempts.remove(item.destination)
        let fate = queue.tried(item, outcome, at: now)
        let topic = BridgeTopic.delivery(item.destination)
        switch fate {
        case .delivered:
            journal.forget(topic)
            count(item, "delivered")
        case .retried(let seconds):
            journal.log(
                "\"\(item.destination)\" did not take \(item.message.idempotencyKey): \(detail); tried again in "
                    + DurationText.format(seconds), topic, every: Self.troubleSeconds, at: now)
        case .dropped:
            Journal.log(
                "\"\(item.destination)\" does not take \(item.message.idempotencyKey), which is dropped: \(detail)"
            )
            count(item, "dropped")
        case .unknown: break
        }
        deliveries[item.destination] = BridgeStatus.Delivery(
            name: item.destination, at: InstantText.rfc3339(WallClock.now(), in: snapshot?.zone ?? .utc),
            delivered: outcome == .delivered, detail: detail)
        figuresAt = min(figuresAt, now + Self.figureSettleSeconds)
        keep()
    }

    private func count(_ item: DeliveryQueue.Item, _ result: String) {
        counts.alerts[item.destination, default: [:]][result, default: 0] += 1
    }
}
