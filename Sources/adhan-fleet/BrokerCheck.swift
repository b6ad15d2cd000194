internal import CommandKit
internal import FleetPlan
internal import Host
internal import MQTT
internal import Texts

/// Checks for the person who sets up a server that the brokers of fleet.toml accept its user.
enum BrokerCheck {
    private static let patienceSeconds = 20.0

    /// Asks each broker by itself, because a session is content with one.
    static func run(_ content: FleetFolder.Content) throws(FleetError) {
        for broker in content.config.brokers {
            var alone = content
            alone.config.brokers = [broker]
            if let error = try refusal(alone) { throw sentence(error, broker, content.config) }
        }
    }

    /// - Returns: `nil` where the broker has accepted the session.
    private static func refusal(_ content: FleetFolder.Content) throws(FleetError) -> MQTTError? {
        let inbox = Inbox<MQTTEvent>()
        let session = MQTTSession(
            // A client name of its own leaves the connection of a running watcher alone.
            content.session("adhan-fleet-check-\(Int.random(in: 0..<1_000_000))"),
            now: { MonotonicClock.now() }, chance: { 0.5 }, handler: { inbox.put($0) })
        guard session.start() else { throw FleetError(.failed, "the system grants no thread") }
        defer { session.stop() }
        let deadline = MonotonicClock.now() + patienceSeconds
        while MonotonicClock.now() < deadline {
            for event in inbox.drain() {
                switch event {
                case .connected: return nil
                case .refused(let error, _, _): return error
                default: break
                }
            }
            inbox.wakeSignal.wait(0.2)
        }
        return .timedOut
    }

    private static func sentence(_ error: MQTTError, _ broker: String, _ config: FleetConfig) -> FleetError {
        guard error == .wrongPassword || error == .notAuthorized else {
            return FleetError(
                .unreachable,
                "fleet.toml is valid, but the broker \(broker) cannot be reached: \(error.sentence)")
        }
        let word = config.passwordFile.map { "the password in \"\(PlainText.visible($0))\"" }
        return FleetError(
            .invalidInput,
            "the broker \(broker) does not accept the user \"\(PlainText.visible(config.username))\" with \(word ?? "no password, as fleet.toml has no password-file"); write the one that the broker's password_file has for this user"
        )
    }
}
