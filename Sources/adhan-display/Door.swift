internal import ArgumentParser
internal import DisplayProgramme
internal import Host
internal import WebServer

/// The caller, by the door that was taken.
enum Door: Sendable {
    /// Somebody at this machine, any user of it.
    case machine
    case network
    /// adhan-kiosk's launcher: the socket's directory and mode let nobody else in.
    case launcher

    var audience: Audience { self == .network ? .network : .machine }
}

extension ListenAddress {
    static let standard = ListenAddress(host: "127.0.0.1", port: Int(ScreenPort.page))
}

extension ListenAddress: ExpressibleByArgument {}

extension Listener {
    /// The sockets named `lan` are open to other machines, and the Unix socket is the launcher's.
    private var door: Door {
        switch place {
        case .passed(_, _, isUnix: true): .launcher
        case .passed(_, "lan", isUnix: false): .network
        case .passed, .own: .machine
        }
    }

    var isForThisMachine: Bool { door == .machine }

    /// A caller from another machine is never taken for somebody at this one, whatever the socket is called.
    func door(from remote: String?) -> Door {
        door == .machine && !Machine.isNear(remote) ? .network : door
    }
}
