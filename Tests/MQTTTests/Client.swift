import Foundation
import LabSupport
import MQTT
import Synchronization

/// A session under test, and the events that came of it.
final class Client: Sendable {
    private final class Record: Sendable {
        let events = Mutex<[MQTTEvent]>([])
        let arrival = DispatchSemaphore(value: 0)
    }

    private let record = Record()
    let session: MQTTSession

    init(_ settings: SessionSettings) {
        let record = record
        session = MQTTSession(
            settings, now: { ProcessInfo.processInfo.systemUptime }, chance: { 0.5 },
            handler: { event in
                record.events.withLock { $0.append(event) }
                record.arrival.signal()
            })
        _ = session.start()
    }

    deinit { session.stop() }

    var events: [MQTTEvent] { record.events.withLock { $0 } }

    /// Waits for the first event that fits, from the event of that index on.
    func wait(
        from index: Int = 0, seconds: Double = 20, for fits: (MQTTEvent) -> Bool
    ) -> MQTTEvent? {
        let end = ProcessInfo.processInfo.systemUptime + seconds
        while true {
            if let found = events.dropFirst(index).first(where: fits) { return found }
            let left = end - ProcessInfo.processInfo.systemUptime
            guard left > 0 else { return nil }
            _ = record.arrival.wait(timeout: .now() + min(left, 0.1))
        }
    }

    func isConnected(from index: Int = 0, seconds: Double = 20) -> Bool {
        wait(from: index, seconds: seconds) { if case .connected = $0 { true } else { false } } != nil
    }

    func message(from index: Int = 0, topic: String, seconds: Double = 20) -> MQTTMessage? {
        let event = wait(from: index, seconds: seconds) {
            if case .received(let message) = $0 { message.topic == topic } else { false }
        }
        return if case .received(let message) = event { message } else { nil }
    }

    /// The reason for which the first attempt from there on failed.
    func refusal(from index: Int = 0, seconds: Double = 20) -> MQTTError? {
        let event = wait(from: index, seconds: seconds) { if case .refused = $0 { true } else { false } }
        return if case .refused(let error, _, _) = event { error } else { nil }
    }

    func loss(from index: Int = 0, seconds: Double = 20) -> MQTTError? {
        let event = wait(from: index, seconds: seconds) { if case .disconnected = $0 { true } else { false } }
        return if case .disconnected(let error) = event { error } else { nil }
    }
}

extension SessionSettings {
    static func test(
        _ port: Int, id: String = "test-\(UInt32.random(in: 0...UInt32.max))", follow: [String] = []
    )
        -> SessionSettings
    {
        SessionSettings(
            brokers: [Broker(host: "127.0.0.1", port: port, isEncrypted: false)], clientID: id,
            certificates: Certificates(caFile: "/nonexistent"), willDelaySeconds: 0, subscriptions: follow)
    }

    func encrypted(_ authority: TestAuthority, host: String = "localhost", withCertificate: Bool = false)
        -> SessionSettings
    {
        var settings = self
        settings.brokers = brokers.map { Broker(host: host, port: $0.port, isEncrypted: true) }
        settings.certificates = Certificates(
            caFile: authority.caFile, certificateFile: withCertificate ? authority.clientCertificate : nil,
            keyFile: withCertificate ? authority.clientKey : nil)
        return settings
    }
}
