import BoxCard
import Glibc
import Host

/// Imports `fleet.toml`: the box joins a fleet and requests its place in it.
extension CardImport {
    /// The user and group of the program that talks to the fleet.
    private static let bridge = "adhan-bridge"

    func applyFleet(_ path: String) throws(CardRefusal) -> Result {
        let text = try text(path)
        if CardText.isEmpty(text) {
            guard isInForce("fleet.toml") else { return .nothing }
            try replace(box.fleet, CardFleet.left)
            try replace(box.configured, [])
            return .removed(["this box belongs to no fleet any more"] + removeTraces())
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
            lines += removeTraces(keeping: [.known, .password])
        }
        try replace(box.fleet, fleet.text)
        try replace(box.configured, [])
        if fleet.enrolment != nil {
            // Do not wait for the unit, because it may wait for this one.
            CardBox.runTool("systemctl", "--no-block", "restart", "\(Self.bridge).service")
        }
        return .imported(lines)
    }

    /// Removes the files by which the box joined its fleet, as `fleet leave` does. adhand has not started yet, so it is not
    /// asked. A fleet that a person wrote into bridge.toml stays.
    /// - Returns: a line for each file that could not be removed.
    private func removeTraces(keeping kept: [FleetTrace] = []) -> [String] {
        var traces = FleetTraces(box)
        guard traces.present(isLeaving: false).contains(where: { !kept.contains($0) }) else { return [] }
        for step in FleetLeaving.steps {
            switch step {
            case .remove(let trace) where !kept.contains(trace): traces.remove(trace)
            // Do not wait for the unit, because it may wait for this one.
            case .reloadBridge: traces.reloadBridge(isAwaited: false)
            case .askBridge, .remove: break
            }
        }
        return traces.left.map { "\(plainly($0.file)) could not be removed: \($0.reason)" }
    }
}
