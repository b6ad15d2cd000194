/// One relay: what is wanted of it, and what its commands have made of it.
struct RelayState: Sendable, Equatable {
    /// Attempts to switch off a relay that is no longer in the file.
    static let mostFarewells = 10

    let number: Int
    var settings: RelaySettings
    /// Whether the file no longer has it: off, and then forgotten.
    var isLeaving = false
    private(set) var isWanted = false
    /// Its state; `nil` before it was switched the first time, and after a failure.
    private(set) var isOn: Bool?
    private(set) var switching: Bool?
    private var offAt: Double?
    private var retryAt = -Double.infinity
    /// When a line that is on is switched on again.
    private var renewAt = Double.infinity
    private var farewells = 0

    init(number: Int, _ settings: RelaySettings) { (self.number, self.settings) = (number, settings) }

    var isGone: Bool { isLeaving && switching == nil && (isOn == false || farewells >= Self.mostFarewells) }
    var isGivenUp: Bool { isGone && isOn != false }

    /// - Parameter isBlocked: whether what it is switched by is still another's, which is on its way out.
    /// - Returns: the switching that is to be done now.
    mutating func decide(hasReason: Bool, isBlocked: Bool = false, at uptime: Double) -> HookEffect? {
        if isLeaving {
            (isWanted, offAt) = (false, nil)
        } else if hasReason {
            // A call does not wait for what failed at the end of an earlier one.
            if !isWanted, isOn == nil { retryAt = -.infinity }
            (isWanted, offAt) = (true, nil)
        } else if isWanted {
            let end = offAt ?? uptime + settings.lingerSeconds
            offAt = end
            if uptime >= end {
                (isWanted, offAt) = (false, nil)
                retryAt = -.infinity
            }
        }
        let isDue = isOn != isWanted || isWanted && uptime >= renewAt
        guard switching == nil, isDue, uptime >= retryAt, !isGone, !isBlocked else { return nil }
        switching = isWanted
        return .switchRelay(number: number, name: settings.name, settings.drive, isOn: isWanted)
    }

    mutating func end(isOn: Bool, failed: Bool, at uptime: Double) {
        switching = nil
        self.isOn = failed ? nil : isOn
        retryAt = failed ? uptime + RelayDrive.retrySeconds : -.infinity
        renewAt =
            isOn && !failed && settings.drive.isRenewed ? uptime + RelayDrive.renewSeconds : .infinity
        if failed, isLeaving { farewells += 1 }
    }

    /// Seconds until it has something to do by itself.
    func waitSeconds(at uptime: Double) -> Double? {
        let waits = [
            offAt.map { $0 - uptime }, switching == nil && isOn != isWanted ? retryAt - uptime : nil,
            switching == nil && isWanted ? renewAt - uptime : nil,
        ]
        return waits.compactMap { $0 }.filter { $0.isFinite }.map { max(0, $0) }.min()
    }
}
