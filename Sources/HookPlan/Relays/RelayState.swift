/// One relay: its wanted state, and the state that its commands have achieved.
struct RelayState: Sendable, Equatable {
    /// The most attempts to switch off a relay that was removed from the file.
    static let mostFarewells = 10

    let number: Int
    var settings: RelaySettings
    /// Whether the relay was removed from the file: it is switched off, then forgotten.
    var isLeaving = false
    private(set) var isWanted = false
    /// The present state; `nil` before it was first switched, and after a failure.
    private(set) var isOn: Bool?
    private(set) var switching: Bool?
    private var offAt: Double?
    private var retryAt = -Double.infinity
    /// The time at which a line that is on is set again.
    private var renewAt = Double.infinity
    private var farewells = 0

    init(number: Int, _ settings: RelaySettings) { (self.number, self.settings) = (number, settings) }

    var isGone: Bool { isLeaving && switching == nil && (isOn == false || farewells >= Self.mostFarewells) }
    var isGivenUp: Bool { isGone && isOn != false }

    /// - Parameter isBlocked: whether the drive still belongs to another relay that is being removed.
    /// - Returns: the switching to do now.
    mutating func decide(hasReason: Bool, isBlocked: Bool = false, at uptime: Double) -> HookEffect? {
        if isLeaving {
            (isWanted, offAt) = (false, nil)
        } else if hasReason {
            // A call does not wait for the retry of a failure at the end of an earlier one.
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

    /// Seconds until something has to be done without an input.
    func waitSeconds(at uptime: Double) -> Double? {
        let waits = [
            offAt.map { $0 - uptime }, switching == nil && isOn != isWanted ? retryAt - uptime : nil,
            switching == nil && isWanted ? renewAt - uptime : nil,
        ]
        return waits.compactMap { $0 }.filter { $0.isFinite }.map { max(0, $0) }.min()
    }
}
