internal import Host
internal import WebServer

/// The sockets of this program: for browsers, and for programs that open pairing windows.
struct Sockets {
    enum Pairing {
        case passed(descriptor: Int32)
        case own(path: String)
    }

    let pages: [Listener]
    /// `nil` if no pairing window can be opened by a socket.
    let pairing: Pairing?

    /// Sockets from systemd take precedence over those named on the command line.
    static func all(
        listen: ListenAddress?, pairing: String?, in environment: Environment
    ) throws(ServerError) -> Sockets {
        let listeners = try Listener.all(
            own: listen, standard: .standard, unit: "adhan-remote.socket", in: environment)
        var pages: [Listener] = []
        var own = pairing.map { Pairing.own(path: $0) }
        for listener in listeners {
            if case .passed(let descriptor, "pairing", isUnix: true) = listener.place {
                own = .passed(descriptor: descriptor)
            } else {
                pages.append(listener)
            }
        }
        guard pages.isEmpty else { return Sockets(pages: pages, pairing: own) }
        guard let listen else {
            throw ServerError(
                message:
                    "systemd handed over no socket for browsers; look at \"systemctl status adhan-remote.socket\""
            )
        }
        return Sockets(pages: [Listener(.own(listen))], pairing: own)
    }
}
