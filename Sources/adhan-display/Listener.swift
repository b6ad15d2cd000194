internal import ArgumentParser
internal import CSystemd
internal import DisplayProgramme
internal import Glibc
internal import Host
internal import NIOCore

/// `127.0.0.1:8787`, `[::1]:8787`.
struct ListenAddress: ExpressibleByArgument, CustomStringConvertible, Sendable {
    let host: String
    let port: Int

    static let standard = ListenAddress(host: "127.0.0.1", port: Int(ScreenPort.page))

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"),
            let port = Int(argument[argument.index(after: colon)...]), (0...65_535).contains(port)
        else { return nil }
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard (try? NIOCore.SocketAddress(ipAddress: String(host), port: port)) != nil else { return nil }
        self.init(host: String(host), port: port)
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The caller, by the door that was taken.
enum Door: Sendable {
    /// Somebody at this machine, any user of it.
    case machine
    case network
    /// adhan-kiosk's launcher: the socket's directory and mode let nobody else in.
    case launcher

    var audience: Audience { self == .network ? .network : .machine }
}

/// A socket on which the server answers.
enum Listener: Sendable {
    case passed(descriptor: Int32, Door)
    case own(ListenAddress)

    var isForThisMachine: Bool {
        switch self {
        case .passed(_, .machine), .own: true
        case .passed(_, .network), .passed(_, .launcher): false
        }
    }

    /// A caller from another machine is never taken for somebody at this one, whatever the socket is called.
    func door(from remote: String?) -> Door {
        switch self {
        case .passed(_, .launcher): .launcher
        case .passed(_, .network): .network
        case .passed(_, .machine), .own: Server.isNear(remote) ? .machine : .network
        }
    }

    /// Those that were handed over, or one of its own.
    static func all(own: ListenAddress?, in environment: Environment) throws(ServerError) -> [Listener] {
        if let passed = passedIn() { return passed }
        // A service whose socket could not be opened would listen in a network of its own, where nobody comes, and keep the
        // socket from being opened later. It ends; systemd starts it again, and tries the socket again with it.
        guard own != nil || !isService(environment) else {
            throw ServerError(
                message:
                    "systemd handed over no socket; look at \"systemctl status adhan-display.socket\", or give "
                    + "--listen an address")
        }
        return [.own(own ?? .standard)]
    }

    /// Whether systemd has started this very process as a service.
    private static func isService(_ environment: Environment) -> Bool {
        environment.value("SYSTEMD_EXEC_PID") == String(getpid())
    }

    /// The sockets that the service manager listens on for us, if it does; those named `lan` are open to other machines, and
    /// the Unix socket is the launcher's.
    static func passedIn() -> [Listener]? {
        var raw: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = unsafe sd_listen_fds_with_names(0, &raw)
        guard count > 0 else { return nil }
        defer { unsafe free(raw) }
        return (0..<count).compactMap { index in
            let descriptor = 3 + index
            let pointer = unsafe raw?[Int(index)]
            let name = unsafe pointer.map { unsafe String(cString: $0) } ?? ""
            unsafe free(pointer)
            guard sd_is_socket(descriptor, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 1) > 0 else {
                return nil
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            if sd_is_socket(descriptor, AF_UNIX, Int32(SOCK_STREAM.rawValue), 1) > 0 {
                return .passed(descriptor: descriptor, .launcher)
            }
            return .passed(descriptor: descriptor, name == "lan" ? .network : .machine)
        }
    }
}

struct ServerError: Error {
    /// One each line.
    let sentences: [String]
    let exitStatus: Int32

    init(sentences: [String], exitStatus: Int32 = EXIT_FAILURE) {
        self.sentences = sentences
        self.exitStatus = exitStatus
    }

    init(message: String, exitStatus: Int32 = EXIT_FAILURE) {
        self.init(sentences: [message], exitStatus: exitStatus)
    }

    var message: String { sentences.joined(separator: "\n") }
}

extension NIOCore.SocketAddress {
    /// As people write it: a socket for both kinds of addresses, such as systemd's, has those of IPv4 written as of IPv6.
    var plainAddress: String? {
        guard let address = ipAddress else { return nil }
        let mapped = "::ffff:"
        let isMapped = address.lowercased().hasPrefix(mapped) && address.contains(".")
        return isMapped ? String(address.dropFirst(mapped.count)) : address
    }
}
