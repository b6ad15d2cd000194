import BoxCard
import Glibc
import Host

/// `fleet.toml`: the box obeys a fleet, and asks for its place in it.
extension CardTaking {
    /// The user and group of the program that talks to the fleet.
    private static let bridge = "adhan-bridge"

    func applyFleet(_ path: String) throws(CardRefusal) -> Result {
        let text = try text(path)
        if CardText.isEmpty(text) {
            guard isInForce("fleet.toml") else { return .nothing }
            try replace(box.fleet, CardFleet.left)
            try replace(box.configured, [])
            takeLinkAway()
            return .takenBack(["this box belongs to no fleet any more"])
        }
        let fleet = try CardFleet(text)
        var lines = fleet.lines
        if let enrolment = fleet.enrolment {
            let group = UserDatabase.group(named: Self.bridge)
            if group == nil {
                lines.append("the program that asks is not on this box: its package is adhand-bridge")
            }
            try replace(
                box.fleetToken, Array("\(enrolment.token)\n".utf8), mode: 0o640, group: group?.id)
            if let authority = enrolment.authority {
                try replace(box.fleetAuthority, Array(authority.utf8))
            } else {
                _ = unsafe unlink(box.fleetAuthority)
            }
            try replace(
                box.fleetLink,
                enrolment.bridge(tokenFile: box.fleetToken, authorityFile: box.fleetAuthority))
        } else {
            takeLinkAway()
        }
        try replace(box.fleet, fleet.text)
        try replace(box.configured, [])
        if fleet.enrolment != nil {
            // Without waiting for a unit that may wait for this one.
            CardBox.tool("systemctl", "--no-block", "restart", "\(Self.bridge).service")
        }
        return .taken(lines)
    }

    /// Removes the card's words about the fleet's broker with the fleet. A fleet that somebody wrote into bridge.toml stays.
    private func takeLinkAway() {
        guard unsafe unlink(box.fleetLink) == 0 else { return }
        _ = unsafe unlink(box.fleetToken)
        _ = unsafe unlink(box.fleetAuthority)
        CardBox.tool("systemctl", "--no-block", "try-restart", "\(Self.bridge).service")
    }
}
