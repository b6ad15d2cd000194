internal import ArgumentParser
internal import Host
internal import ScreenPlan
internal import WebServer

/// The kind of caller, which the connection's socket determines.
enum Caller: Sendable {
    /// Any user of this machine.
    case machine
    case network
    /// adhan-kiosk's launcher: the directory and mode of the socket admit no other user.
    case launcher

    var audience: Audience { self == .network ? .network : .machine }
}

extension ListenAddress {
    static let standard = ListenAddress(host: "127.0.0.1", port: Int(ScreenPort.page))
}

extension ListenAddress: ExpressibleByArgument {}

extension Listener {
    /// The caller by the socket: those named `lan` are open to other machines, and the Unix socket is the launcher's.
    private var caller: Caller {
        switch place {
        case .passed(_, _, isUnix: true): .launcher
        case .passed(_, "lan", isUnix: false): .network
        case .passed, .own: .machine
        }
    }

    var isForThisMachine: Bool { caller == .machine }

    /// A caller from another machine never counts as a user of this one, whatever the name of the socket.
    func caller(from remote: String?) -> Caller {
        caller == .machine && !Machine.isNear(remote) ? .network : caller
    }
}
