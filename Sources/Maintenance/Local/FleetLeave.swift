import BoxCard
import CommandKit
package import Console
package import ControlClient
import Glibc
import Host
import Protocol
import Settings

/// `fleet leave`: adhand belongs to no fleet any more, and then the machine forgets the way to it.
///
/// Cut off anywhere, the same command again goes the rest of the way: what adhand and the files say counts, and no mark of an earlier run.
package struct FleetLeave {
    private let writer: ConfigurationWriter
    private let daemon: ControlClient
    private let box = CardBox(.process)

    /// Seconds for each answer of adhand.
    private static let patienceSeconds = 5.0
    /// A drop-in and the file itself may both name the fleet.
    private static let mostFiles = 2

    /// adhand's own answer about its fleet.
    private enum Membership {
        case member(String)
        case free
        /// adhand is away, or reads another configuration: then the files decide.
        case unanswered

        var isMember: Bool { if case .member = self { true } else { false } }
    }

    /// The answer of the bridge, as far as anything depends on it.
    private enum BridgeAnswer {
        case member
        case other
    }

    /// - Parameter named: the configuration that the command line names.
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
        // The files lie beside the machine's own configuration. Another one has no part in them.
        let present = file == box.configuration ? traces.present(isLeaving: !changes.isEmpty) : []
        // Refuses: there is no fleet to leave, and nothing of one.
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

    /// adhand's state after the change. One that an earlier command left without its reload reads the configuration now.
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

    /// - Returns: whether the steps were taken; not where the bridge has learned from adhand that it obeys a fleet.
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

    /// A bridge that does not answer, or still speaks with the broker, leaves it when it reads its configuration again; then its files are
    /// removed here.
    private func askBridge() -> BridgeAnswer {
        let reply = LineConnection.ask(
            MessagesRequest(.forgetFleet), at: box.messages, for: MessagesReply.self,
            most: MessagesReply.mostBytes, until: WallClock.monotonic() + MessagesRequest.longestForgetSeconds
        )
        return reply?.error == .member ? .member : .other
    }
}
