internal import BridgePlan
internal import CommandKit
internal import ControlClient
internal import Host
internal import MQTT
internal import PrayerEngine
internal import Protocol
internal import Settings
internal import Texts

/// The house's broker: topics, and commands from it.
extension Bridge {
    private static let mostCommands = 8
    /// Seconds over which boxes spread their answers to a restart of Home Assistant.
    private static let announceSpread = 5.0

    /// Replaces the session with one for the current configuration.
    func connect() {
        session?.stop(farewell: Self.farewell(topics))
        session = nil
        sessionNumber += 1
        (sessionFailure, brokerIndex) = (nil, nil)
        dropPublished()
        let mqtt = file.config.mqtt
        guard mqtt.isOn, connectAt == nil else { return }
        expectConnection()
        let will = topics.will
        let settings = SessionSettings(
            brokers: mqtt.addresses.map { .init(host: $0.host, port: $0.port, isEncrypted: $0.isSecure) },
            clientID: topics.clientID, username: mqtt.username, password: file.password,
            certificates: .init(
                caFile: mqtt.caFile, certificateFile: mqtt.certificateFile, keyFile: mqtt.keyFile),
            will: MQTTPublication(topic: will.topic, payload: will.payload, isRetained: true),
            willDelaySeconds: Topics.willDelaySeconds, keepaliveSeconds: Int(mqtt.keepaliveSeconds),
            subscriptions: topics.subscriptions(file.config),
            // An open alert records this, even across a restart.
            wasCloned: book.open.keys.contains { $0.kind == .clone })
        let (inbox, number) = (inbox, sessionNumber)
        let next = MQTTSession(
            settings, now: { MonotonicClock.now() }, chance: { Double.random(in: 0..<1) },
            handler: { event in
                let isForeign = if case .received = event { true } else { false }
                inbox.put(.mqtt(session: number, event), isOwn: !isForeign)
            })
        if next.start() { session = next } else { Journal.log("the system grants no thread for MQTT") }
    }

    static func farewell(_ topics: Topics) -> MQTTPublication {
        MQTTPublication(topic: topics.status, payload: Topics.offline, isRetained: true)
    }

    /// Retries messages whose session has ended.
    private func dropPublished() {
        for item in publishedItems.values {
            inbox.put(.attempted(item, .failed, detail: MQTTError.connectionLost.sentence))
        }
        publishedItems = [:]
    }

    func handle(_ event: MQTTEvent) {
        let now = MonotonicClock.now()
        switch event {
        case .connected(let index):
            (sessionFailure, brokerIndex) = (nil, index)
            brokerGuard.connected(at: now)
            journal.forget(.broker)
            Journal.log("connected to the broker \(file.config.mqtt.brokers[index])")
            sent.forget()
            figuresAt = 0
        case .disconnected(let error):
            (sessionFailure, brokerIndex) = (error, nil)
            expectConnection()
            journal.log("the broker is gone: \(error.sentence)", .broker, every: Self.troubleSeconds, at: now)
            figuresAt = 0
        case .refused(let error, let index, _):
            sessionFailure = error
            journal.log(
                "no connection to the broker \(file.config.mqtt.brokers[index]): \(error.sentence)", .broker,
                every: Self.troubleSeconds, at: now)
        case .received(let message): receive(message)
        case .delivered(let number, let error):
            guard let item = publishedItems.removeValue(forKey: number) else { return }
            let isTaken = error == nil
            inbox.put(
                .attempted(
                    item, isTaken ? .delivered : .failed, detail: error?.sentence ?? "the broker took it"))
        case .subscriptionRefused(_, let error):
            Journal.log("the broker refuses the subscription to commands: \(error.sentence)")
        case .stopped: break
        }
    }

    // MARK: Topics

    func publish(_ publications: [Publication]) {
        guard let session, session.isConnected else { return }
        for publication in publications {
            session.publish(
                MQTTPublication(
                    topic: publication.topic, payload: publication.payload,
                    isRetained: publication.isRetained,
                    expirySeconds: publication.expirySeconds))
        }
    }

    /// Publishes everything that has changed since its last publication.
    func publishNews(_ now: Double) {
        if let announceAt, now >= announceAt {
            sent.forget()
            self.announceAt = nil
        }
        guard session?.isConnected == true else { return }
        let known = isUp ? snapshot : nil
        publish(
            sent.changes(
                in: topics.everything(
                    known, book, file.config, programVersion: adhandVersion, upgrade: upgrade)))
    }

    /// Publishes that adhans are near, and that iqamas begin.
    func emitHouseEvents() {
        guard isUp, let snapshot else { return }
        let now = WallClock.now()
        // Starts afresh if the clock was set back, or jumped.
        if houseCursor.map({ $0 > now || now - $0 > 3600 }) ?? true { houseCursor = now }
        while let cursor = houseCursor,
            let next = EventMapper.next(
                in: snapshot.agenda, after: cursor, upcomingSeconds: file.config.homeAssistant.upcomingSeconds
            ),
            next.at <= now
        {
            houseCursor = next.at
            let text = InstantText.rfc3339(now, in: snapshot.zone, milliseconds: true)
            guard now - next.at < Double(EventPayload.expirySeconds),
                let event = mapper.event(next.type, next.occasion, at: text),
                let publication = Publication.document(
                    topics.event, event, isRetained: false, expirySeconds: EventPayload.expirySeconds)
            else { continue }
            publish([publication])
        }
    }

    func nextHouseInstant() -> Instant? {
        guard isUp, let snapshot, let cursor = houseCursor else { return nil }
        // Midnight counts too, so that a day's times are published when it begins.
        let midnight = snapshot.zone.startOfDay(
            snapshot.zone.civilDate(of: WallClock.now()).adding(days: 1))
        let next = EventMapper.next(
            in: snapshot.agenda, after: cursor, upcomingSeconds: file.config.homeAssistant.upcomingSeconds)
        return [next?.at, midnight].compactMap(\.self).min()
    }

    // MARK: Commands

    private func receive(_ message: MQTTMessage) {
        let now = MonotonicClock.now()
        if message.topic == topics.homeAssistantStatus {
            // A retained message arrives with every connection, after which everything is published anyway.
            if !message.isRetained, message.payload == Topics.online {
                announceAt = now + Double.random(in: 0..<Self.announceSpread)
            }
            return
        }
        do throws(CommandRefusal) {
            let request = try BridgeCommand.read(
                IncomingMessage(
                    topic: message.topic, payload: message.payload, isRetained: message.isRetained),
                topics, file.config.commands, snapshot)
            let command = Command(
                request: request, responseTopic: message.responseTopic,
                correlationData: message.correlationData)
            if commands.count < Self.mostCommands {
                commands.append(command)
            } else {
                answer(command, CommandAnswer(ok: false, message: "too many commands at once"))
            }
        } catch {
            if let line = drops.dropped(error, message.topic, at: now) { Journal.log(line) }
        }
    }

    /// Performs the requests one at a time, in the order of their arrival.
    func performNext() {
        guard !isPerforming, !commands.isEmpty else { return }
        let command = commands.removeFirst()
        isPerforming = true
        let (link, inbox) = (link, inbox)
        let isStarted = BackgroundThread.start {
            let answer: CommandAnswer
            do throws(ControlClientError) {
                answer = CommandAnswer(ok: true, message: try link.perform(command.request))
            } catch {
                answer = CommandAnswer(ok: error.isDone, message: error.message)
            }
            inbox.put(.performed(command, answer))
        }
        if !isStarted { isPerforming = false }
    }

    func handle(_ command: Command, _ answer: CommandAnswer) {
        isPerforming = false
        if !answer.ok {
            journal.log(
                "a command over MQTT was refused: \(answer.message)", .droppedCommand, every: 60,
                at: MonotonicClock.now())
        }
        self.answer(command, answer)
        refreshAt = 0
    }

    private func answer(_ command: Command, _ answer: CommandAnswer) {
        guard let topic = command.responseTopic, let payload = try? JSON.encode(answer) else { return }
        session?.publish(
            MQTTPublication(
                topic: topic, payload: payload, expirySeconds: EventPayload.expirySeconds,
                correlationData: command.correlationData))
    }
}
