import BoxCard
import CommandKit
package import Console
package import ControlClient
import Glibc
import Host
import Protocol
import Settings

/// `fleet leave`: removes adhand from its fleet, then the files by which the machine joined it.
///
/// After an interruption, the same command completes the rest: it acts on the state of adhand and of the files, without a
/// record of an earlier run.
package struct FleetLeave {
    private let writer: ConfigurationWriter
    private let daemon: ControlClient
    private let box = CardBox(.process)

    /// Seconds to wait for each answer of adhand.
    private static let patienceSeconds = 5.0
    /// The most files that name the fleet: a drop-in and the file itself.
    private static let mostFiles = 2

    /// adhand's answer about its fleet.
    private enum Membership {
        case member(String)
        case free
        /// adhand does not answer, or reads another configuration; the files decide.
        case unanswered

        var isMember: Bool { if case .member = self { true } else { false } }
    }

    /// The relevant part of the bridge's answer.
    private enum BridgeAnswer {
        case member
        case other
    }

    /// - Parameter named: the configuration given on the command line.
    package init(named: String?, _ daemon: ControlClient) throws(CommandError) {
        writer = try ConfigurationWriter(named: named, daemon, for: "fleet leave")
        self.daemon = daemon
    }

    package func run() throws(CommandError) -> FleetLeaveDocument {
        let file = try writer.path()
        var changes: [SetDocument] = []
        while changes.count < Self.mostFiles, try writer.namesFleet() {
            changes.append(try writer.leaveFleet())
        }
        var traces = FleetTraces(box)
        // The files lie beside the machine's own configuration, so another configuration does not involve them.
        let present = file == box.configuration ? traces.present(isLeaving: !changes.isEmpty) : []
        // Call this for its refusal: there is no fleet to leave, and no file of one.
        if changes.isEmpty, present.isEmpty { changes.append(try writer.leaveFleet()) }

        let (reload, membership) = reload(changes, file)
        var remains = FleetRemains(.member(org: nil))
        if case .member(let org) = membership {
            remains.outcome = .member(org: org)
        } else if try writer.namesFleet() {
            remains.outcome = .member(org: nil)
        } else if remove(&traces, present) {
            remains.outcome = .gone(isBridgeBehind: traces.isBridgeBehind)
            remains.left = traces.left
            remains.named = traces.named
            let kept = Set(traces.left.map(\.file) + traces.named)
            let gone = present.filter { !kept.contains(traces.path($0)) }
            remains.removed = gone.map { traces.path($0) }
            remains.isWayGone = gone.contains(where: \.isWayIn)
        }
        if case .member = remains.outcome {
            remains.left = present.map {
                FleetRemains.Left(file: traces.path($0), reason: "adhand belongs to the fleet")
            }
        }
        return FleetLeaveDocument(
            changes, file: file, reload, remains, asRoot: CommandError.asRoot, isRoot: geteuid() == 0)
    }

    // MARK: - adhand

    /// adhand's state after the change. An adhand that an earlier command left without a reload reads the configuration now.
    private func reload(_ changes: [SetDocument], _ file: String) -> (ReloadResult, Membership) {
        let membership = membership(file)
        if membership.isMember {
            let result = ConfigurationReload(daemon, file: file).reload(isChanged: true, removed: [])
            return (result, self.membership(file))
        }
        guard let last = changes.last else {
            let isFree = if case .free = membership { true } else { false }
            return (ReloadResult(isFree, "The configuration names no fleet any more."), membership)
        }
        return (ReloadResult(last.reloaded, last.message, fix: last.fix), membership)
    }

    private func membership(_ file: String) -> Membership {
        let patience = Self.patienceSeconds
        guard let reply = try? daemon.ask(.getStatus, patienceSeconds: patience),
            reply.status.reads(file),
            let answer = try? daemon.ask(.getFleet, patienceSeconds: patience)
        else { return .unanswered }
        guard let fleet = answer.fleet else { return .free }
        return .member(fleet.org)
    }

    // MARK: - The steps

    /// - Returns: whether the steps were taken; false if the bridge has learned from adhand that it obeys a fleet.
    private func remove(_ traces: inout FleetTraces, _ present: [FleetTrace]) -> Bool {
        guard !present.isEmpty else { return true }
        for step in FleetLeaving.steps {
            switch step {
            case .askBridge: if askBridge() == .member { return false }
            case .remove(let trace): traces.remove(trace)
            case .reloadBridge: traces.reloadBridge(isAwaited: true)
            }
        }
        return true
    }

    /// Asks the bridge to forget the fleet. A bridge that does not answer, or is still connected to the broker, disconnects
    /// when it reads its configuration again; then its files are removed here.
    private func askBridge() -> BridgeAnswer {
        let reply = LineConnection.ask(
            MessagesRequest(.forgetFleet), at: box.messages, for: MessagesReply.self,
            most: MessagesReply.mostBytes, until: MonotonicClock.now() + MessagesRequest.longestForgetSeconds
        )
        return reply?.error == .member ? .member : .other
    }
}
