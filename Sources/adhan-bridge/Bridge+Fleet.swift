internal import BridgePlan
internal import CommandKit
internal import ControlClient
internal import Envelope
internal import Host
internal import MQTT
internal import PrayerEngine
internal import Protocol
internal import Texts

/// The fleet: a connection of its own, with reports going up and envelopes coming down. ``FleetReporter`` decides about
/// reports, and adhand about envelopes.
extension Bridge {
    /// The longest pause between attempts. With its spread and that of the reports, every box is back within a minute of the
    /// broker.
    private static let longestPauseSeconds = 40.0
    /// The largest packet: an envelope and MQTT's overhead.
    private static let mostPacketBytes = SignedEnvelope.largestBytes + 1024
    /// Days of the agenda that are requested: a plan, and the rest of today.
    private static let agendaDays = FleetReporter.planDays + 1
    /// The board's serial number, if the kernel knows one that every user may read.
    private static let serialFile = "/sys/firmware/devicetree/base/serial-number"

    // MARK: The connection

    /// Replaces the session with one for the current configuration.
    func connectFleet() {
        stopFleet()
        fleetSession = nil
        fleetSessionNumber += 1
        (fleetFailure, fleetBrokerIndex, reportedOutcomes) = (nil, nil, [:])
        (isFleetIdentityRefused, fleetAgainAt) = (false, nil)
        // A box without a fleet holds no password in memory: the file may have been removed, and a later return must begin with
        // the file.
        if fleet == nil { membership = nil }
        let link = file.config.fleet
        guard link.isOn, connectAt == nil, let fleet, prepareMembership(in: fleet.org) else {
            reporter = nil
            return
        }
        if membership?.role == .applicant {
            reporter = nil
            return startFleet(applicantSettings())
        }
        let reporter = FleetReporter(
            org: fleet.org, box: options.box, beatSeconds: link.beatSeconds,
            reportedUntil: reporter?.reportedUntil ?? readReported())
        self.reporter = reporter
        guard let will = reporter.farewell(fleetFacts()) else { return }
        var settings = fleetSettings(
            clientID: "adhand-fleet-\(options.box)", username: link.username ?? options.box,
            password: membership?.document.password ?? file.fleetPassword)
        settings.will = MQTTPublication(topic: will.topic, payload: will.payload, isRetained: true)
        settings.willDelaySeconds = FleetReporter.willDelaySeconds
        settings.subscriptions = reporter.topics.changeFilters(of: options.box)
        settings.mostPacketBytes = Self.mostPacketBytes
        settings.wasCloned = book.open.keys.contains { $0.kind == .clone }
        startFleet(settings)
    }

    func fleetSettings(clientID: String, username: String, password: String?) -> SessionSettings {
        let link = file.config.fleet
        var settings = SessionSettings(
            brokers: link.addresses.map { .init(host: $0.host, port: $0.port, isEncrypted: $0.isSecure) },
            clientID: clientID, username: username, password: password,
            certificates: .init(caFile: link.caFile))
        settings.longestPauseSeconds = Self.longestPauseSeconds
        return settings
    }

    private func startFleet(_ settings: SessionSettings) {
        expectConnection()
        let (inbox, number) = (inbox, fleetSessionNumber)
        let next = MQTTSession(
            settings, now: { MonotonicClock.now() }, chance: { Double.random(in: 0..<1) },
            handler: { event in
                let isForeign = if case .received = event { true } else { false }
                inbox.put(.fleet(session: number, event), isOwn: !isForeign)
            })
        if next.start() {
            fleetSession = next
        } else {
            Journal.log("the system grants no thread for the fleet")
        }
    }

    func stopFleet() {
        guard let fleetSession else { return }
        let farewell = reporter?.farewell(fleetFacts()).map {
            MQTTPublication(topic: $0.topic, payload: $0.payload, isRetained: true)
        }
        if fleetSession.isConnected { fleetFarewell = fleetSessionNumber }
        fleetSession.stop(farewell: farewell)
    }

    /// Handles an event of an earlier session, of which only the end matters.
    func noteEarlierFleet(session number: Int, _ event: MQTTEvent) {
        if number == fleetFarewell, case .stopped = event { fleetFarewell = nil }
    }

    func handleFleet(_ event: MQTTEvent) {
        if membership?.role == .applicant { return handleApplicant(event) }
        let now = MonotonicClock.now()
        let brokers = file.config.fleet.brokers
        switch event {
        case .connected(let index):
            noteLetIn()
            (fleetFailure, fleetBrokerIndex) = (nil, index)
            brokerGuard.connected(at: now)
            journal.forget(.fleetBroker)
            Journal.log("connected to the broker of the fleet, \(brokers[index])")
            desk.connected()
            // The other machine of this name takes over the session within a second, so the fleet must receive reports of both
            // before then.
            let isCloned = fleetSession?.isCloned == true
            reporter?.connected(at: now, chance: isCloned ? 0 : Double.random(in: 0..<1))
        case .disconnected(let error):
            (fleetFailure, fleetBrokerIndex) = (error, nil)
            reporter?.lost()
            expectConnection()
            journal.log(
                "the broker of the fleet is gone: \(error.sentence)", .fleetBroker,
                every: Self.troubleSeconds, at: now)
        case .refused(let error, let index, let pause):
            noteFleetRefusal(error, of: brokers[index], pauseSeconds: pause)
        case .received(let message):
            if let change = reporter?.topics.change(at: message.topic),
                change.box ?? options.box == options.box
            {
                desk.receive(message.topic, change.kind, message.payload, at: now)
            }
        case .delivered(let number, let error):
            guard let until = reportedOutcomes.removeValue(forKey: number), error == nil,
                reporter?.delivered(until: until) == true
            else { return }
            keepReported()
        case .subscriptionRefused(_, let error):
            Journal.log("the broker of the fleet refuses the subscription to changes: \(error.sentence)")
        case .stopped: break
        }
    }

    var fleetStatus: BridgeStatus.Broker? {
        guard fleetSession != nil || membership != nil || fleetFarewell != nil else { return nil }
        let isConnected = fleetSession?.isConnected == true && membership?.role != .applicant
        return BridgeStatus.Broker(
            connected: isConnected, broker: fleetBrokerIndex.map { file.config.fleet.brokers[$0] },
            reason: isConnected ? nil : fleetFailure?.name, membership: membership?.standing)
    }

    // MARK: Reports

    /// Asks adhand for its fleet, in addition to its status.
    func refreshFleet(_ status: StatusDocument, isWhole: Bool) throws(ControlClientError) {
        // A change that is scheduled or on trial may change its state without an event.
        let isOpen = fleet?.applied.contains { $0.state == "scheduled" || $0.state == "trial" } ?? false
        guard file.config.fleet.isOn, isWhole || isOpen || isFleetOld else { return }
        isFleetOld = false
        let new: FleetDocument?
        do throws(ControlClientError) { new = try link.fleet() } catch {
            // An older adhand does not have this method.
            guard case .refused(.methodNotFound) = error else { throw error }
            new = nil
        }
        if isWhole || fleetAgenda.isEmpty, new != nil {
            fleetAgenda = try link.agenda(from: String(status.now.prefix(10)), days: Self.agendaDays)
        }
        let isOther = new?.org != fleet?.org
        let isOtherMember = new?.groups != fleet?.groups || new?.signing != fleet?.signing
        (fleet, isFleetKnown) = (new, true)
        if new == nil {
            journal.log(
                "[fleet] of \"\(options.config)\" has no effect: adhand belongs to no fleet, as adhand.toml has no [fleet]",
                .fleet, every: Self.troubleSeconds * 4, at: MonotonicClock.now())
        }
        if isOther {
            // Sends the farewell while the former fleet is still known: without it, that fleet would list the box as online for
            // ever.
            stopFleet()
            fleetSession = nil
            // The new fleet has none of the reports that went to the former one.
            if reporter != nil { files.remove(.fleet) }
            reporter = nil
            desk = EnvelopeDesk()
            connectFleet()
        } else if isOtherMember {
            desk.membershipChanged(at: MonotonicClock.now())
        }
    }

    private func fleetFacts() -> FleetFacts {
        var facts = FleetFacts(
            problems: ProblemsPayload(book, snapshot),
            identity: boxFacts, now: WallClock.now())
        facts.identity.image = upgrade?.running
        facts.identity.leftAdhand = upgrade?.leftAdhand
        facts.snapshot = isUp ? snapshot : nil
        facts.agenda = fleetAgenda
        facts.history = history
        facts.applied = desk.applied(fleet?.applied ?? [])
        facts.groups = fleet?.groups ?? []
        return facts
    }

    static func boxFacts(of box: String) -> BoxFacts {
        let serial = (try? FileBytes.read(serialFile, limit: 256)) ?? []
        return BoxFacts(
            boot: BootIdentity.current(in: .process), version: adhandVersion,
            hardware: BoxFacts.hardware(serial: serial, box: box))
    }

    func reportToFleet() {
        guard let fleetSession, fleetSession.isConnected, reporter != nil else { return }
        let facts = fleetFacts()
        for message in reporter?.messages(facts, uptime: MonotonicClock.now()) ?? [] {
            let number = nextNumber
            nextNumber += 1
            let answer = fleetSession.publish(
                MQTTPublication(
                    topic: message.topic, payload: message.payload,
                    qos: message.isAcknowledged ? .atLeastOnce : .atMostOnce, isRetained: message.isRetained),
                number: message.reportedUntil == nil ? nil : number)
            if answer == .accepted, let until = message.reportedUntil { reportedOutcomes[number] = until }
        }
    }

    func fleetWaits(_ now: Double) -> [Double] {
        let isConnected = fleetSession?.isConnected == true
        let report = isConnected ? reporter?.waitSeconds(now: WallClock.now(), uptime: now) : nil
        let again = fleetAgainAt.map { max(0, $0 - now) }
        return [report, again, isHanding ? nil : desk.waitSeconds(at: now)].compactMap(\.self)
    }

    // MARK: Envelopes

    /// Passes on the envelopes, one at a time.
    func handEnvelopes(_ now: Double) {
        guard !isHanding, isUp, lostAt == nil, let item = desk.next(at: now) else { return }
        isHanding = true
        let (link, inbox) = (link, inbox)
        if !BackgroundThread.start({ inbox.put(.handed(item, link.apply(item.envelope))) }) {
            isHanding = false
        }
    }

    func noteAnswer(_ item: EnvelopeDesk.Item, _ answer: EnvelopeDesk.Answer) {
        isHanding = false
        let text = InstantText.rfc3339(WallClock.now(), in: snapshot?.zone ?? .utc)
        desk.handed(item, answer, at: MonotonicClock.now(), now: text)
        switch answer {
        case .taken(let state) where state == "already" || state == "not-for-me": break
        case .taken(let state):
            Journal.log("an envelope of the fleet was handed to adhand: \(item.kind.rawValue), \(state)")
        case .refused(let reason, let detail):
            journal.log(
                "adhand refuses an envelope of the fleet, \(item.kind.rawValue) (\(reason)): \(PlainText.visible(detail))",
                .fleet, every: Self.troubleSeconds, at: MonotonicClock.now())
        case .unanswered: break
        }
        (refreshAt, isFleetOld) = (0, true)
    }

    // MARK: What the fleet knows

    private struct Reported: Codable {
        var v = 1
        let org: String
        /// The instant up to which outcomes were reported, in Unix seconds.
        let until: Double
    }

    private func readReported() -> Instant? {
        guard let bytes = try? files.read(.fleet), let known = try? JSON.decode(Reported.self, from: bytes),
            known.org == fleet?.org, known.until.isFinite
        else { return nil }
        return Instant(unixSeconds: known.until)
    }

    private func keepReported() {
        guard let org = fleet?.org, let until = reporter?.reportedUntil,
            let bytes = try? JSON.encode(Reported(org: org, until: until.unixSeconds))
        else { return }
        do throws(FileError) { try files.write(bytes, to: .fleet) } catch {
            journal.log(error.message, .stateFile, every: Self.troubleSeconds, at: MonotonicClock.now())
        }
    }
}
