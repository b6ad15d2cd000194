internal import Glibc
internal import Host

/// The screen's server, reached through the socket that it shares with this launcher. Only root makes sockets in that
/// directory, and only this user may connect, so each side knows the other. Any program could answer at 127.0.0.1, the address
/// for browsers.
struct PageServer {
    let path: String
    let port: UInt16

    static let usualPath = "/run/adhan-display/launcher.sock"
    /// Seconds to wait for an answer.
    private static let patienceSeconds = 2.0

    enum Standing: Equatable {
        /// The server answers, and browsers reach it at the port.
        case proven
        /// The server answers browsers at another port, or at none.
        case elsewhere(UInt16?)
        /// No program listens at its socket.
        case absent
        /// The server listens but does not answer now: it is starting or busy.
        case busy
    }

    func ask(_ question: String) throws(FileError) -> LoopbackWeb.Reply {
        try LoopbackWeb.ask(question, socket: path, within: Self.patienceSeconds)
    }

    var standing: Standing {
        do throws(FileError) {
            let reply = try ask("/port")
            let answered = UInt16(String(decoding: reply.body, as: UTF8.self).prefix { $0.isNumber })
            return reply.status == 200 && answered == port ? .proven : .elsewhere(answered)
        } catch {
            let isAbsent = error.isMissing || error.code == ECONNREFUSED || error.code == EACCES
            return isAbsent ? .absent : .busy
        }
    }

    /// Whether a program answers browsers at the port although the server's own socket is gone.
    var isTakenByAnother: Bool {
        standing == .absent && LoopbackWeb.isListening(port: port, within: Self.patienceSeconds)
    }
}
