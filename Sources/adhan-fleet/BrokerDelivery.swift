internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Host
internal import MQTT

/// Retained messages that one command reads or sends.
enum BrokerDelivery {
    /// The messages that the broker keeps on these topics.
    static func retained(
        on topics: [String], _ content: FleetFolder.Content, as client: String
    ) throws(FleetError) -> [String: [UInt8]] {
        try gather(on: topics, content, as: client) { $0 }
    }

    /// Finds the topics that hold an envelope, and its text. The signature is not checked.
    /// - Parameter filters: topics, or filters that match many.
    static func standing(
        _ digest: String, on filters: [String], _ content: FleetFolder.Content, as client: String
    ) throws(FleetError) -> (topics: [String], text: [UInt8]?) {
        // Thousands of boxes hold the same text, so it is parsed once.
        var last: (text: [UInt8], isMeant: Bool)?
        var meant: [UInt8]?
        func compare(_ text: [UInt8]) -> Bool {
            if let last, last.text == text { return last.isMeant }
            let isMeant = (try? SignedEnvelope(text))?.digest == digest
            last = (text, isMeant)
            if isMeant { meant = text }
            return isMeant
        }
        let found: [String: Bool] = try gather(on: filters, content, as: client) { compare($0) ? true : nil }
        return (found.keys.sorted(), meant)
    }

    /// - Parameter read: returns the part of a message to keep in memory, or `nil` to drop the message.
    private static func gather<Value>(
        on filters: [String], _ content: FleetFolder.Content, as client: String, read: ([UInt8]) -> Value?
    ) throws(FleetError) -> [String: Value] {
        let name = clientName(client)
        let echo = FleetTopic(org: content.org).echo(of: name)
        var visit = try BrokerVisit(
            content.session(name, subscriptions: filters + [echo]),
            complaint: "the broker does not say what it keeps")
        defer { visit.session.stop() }
        var found: [String: Value] = [:]
        while true {
            for event in try visit.events() {
                switch event {
                case .connected:
                    visit.session.publish(MQTTPublication(topic: echo, payload: [1]), number: 0)
                case .received(let message) where message.topic == echo: return found
                case .received(let message):
                    found[message.topic] = message.payload.isEmpty ? nil : read(message.payload)
                default: break
                }
            }
        }
    }

    /// Sends the text and waits until the broker has confirmed every publication.
    static func send(
        _ text: [UInt8], to topics: [String], _ content: FleetFolder.Content, as client: String
    ) throws(FleetError) {
        var visit = try BrokerVisit(
            content.session(clientName(client)), complaint: "the broker did not take it")
        defer { visit.session.stop() }
        var waiting = Set(topics.indices)
        var next = 0
        while !waiting.isEmpty {
            for event in try visit.events() {
                if case .delivered(let number, nil) = event { waiting.remove(number) }
            }
            while visit.isConnected, next < topics.count,
                visit.session.publish(
                    MQTTPublication(topic: topics[next], payload: text, isRetained: true), number: next)
                    == .accepted
            { next += 1 }
        }
    }

    /// A random name per command: two commands with one name would take each other's connection.
    private static func clientName(_ client: String) -> String {
        "\(client)-\(Int.random(in: 0..<1_000_000))"
    }
}

/// A command's single connection to the broker.
private struct BrokerVisit {
    let session: MQTTSession
    private(set) var isConnected = false
    private let inbox: Inbox<MQTTEvent>
    private let brokers: Int
    private let complaint: String
    private let deadline = MonotonicClock.now() + patienceSeconds
    private var reason = MQTTError.timedOut

    private static let patienceSeconds = 20.0

    init(_ settings: SessionSettings, complaint: String) throws(FleetError) {
        let inbox = Inbox<MQTTEvent>()
        session = MQTTSession(
            settings, now: { MonotonicClock.now() }, chance: { 0.5 }, handler: { inbox.put($0) })
        (self.inbox, self.complaint, brokers) = (inbox, complaint, settings.brokers.count)
        guard session.start() else { throw FleetError(.failed, "the system grants no thread") }
    }

    /// The events since the last call. Waits a moment for them.
    /// - Throws: 69 when no broker answers, or when the connected one goes away or refuses something.
    mutating func events() throws(FleetError) -> [MQTTEvent] {
        let left = deadline - MonotonicClock.now()
        guard left > 0 else { throw unreachable(reason) }
        inbox.wakeSignal.wait(min(0.2, left))
        let events = inbox.drain()
        for event in events {
            switch event {
            case .connected: isConnected = true
            case .delivered(_, let error?): throw unreachable(error)
            case .disconnected(let error): throw unreachable(error)
            case .subscriptionRefused(_, let error): throw unreachable(error)
            case .refused(let error, let broker, _):
                reason = error
                if broker == brokers - 1 { throw unreachable(error) }
            default: break
            }
        }
        return events
    }

    private func unreachable(_ error: MQTTError) -> FleetError {
        FleetError(.unreachable, "\(complaint): \(error.sentence)")
    }
}
