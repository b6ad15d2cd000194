internal import BridgePlan
internal import CommandKit
internal import Host

/// Avoids a broker for a while if its messages crash this program.
extension Bridge {
    /// Reads the mark of the previous run.
    func restoreGuard() {
        brokerGuard = BrokerGuard(fileBytes: (try? files.read(.broker)) ?? [])
        let pause = brokerGuard.pauseSeconds
        guard file.config.mqtt.isOn || file.config.fleet.isOn, pause > 0 else { return }
        connectAt = MonotonicClock.now() + pause
        Journal.log(
            "the last \(brokerGuard.ends) runs ended while they spoke with a broker; it is left alone for \(Int(pause)) s"
        )
    }

    /// Makes a connection that had to wait, and removes the mark once the connection is no longer young.
    func checkBroker(_ now: Double) {
        if let connectAt, now >= connectAt {
            self.connectAt = nil
            connect()
            connectFleet()
        }
        if let fleetAgainAt, now >= fleetAgainAt { connectFleet() }
        if brokerGuard.isCalm(at: now) { files.remove(.broker) }
    }

    /// Writes the mark before the connection is made.
    func expectConnection() {
        if let bytes = brokerGuard.begin() { try? files.write(bytes, to: .broker) }
    }

    func guardWaits(_ now: Double) -> [Double] {
        [connectAt.map { max(0, $0 - now) }, brokerGuard.wait(at: now)].compactMap(\.self)
    }
}
