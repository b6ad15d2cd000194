internal import Glibc
internal import Texts

/// Why a conversation over a Unix socket failed.
public enum SocketError: Error, Sendable, Equatable {
    /// The path cannot be the address of a socket.
    case path(String, reason: String)
    /// No program answers there; `code` is the system's error number.
    case unreachable(path: String, code: Int32)
    /// The other side did not take or send anything within the time.
    case timedOut(path: String, seconds: Double)
    /// The connection failed once it was open; `code` is the system's error number.
    case broken(path: String, code: Int32)

    /// Whether the system refused access, rather than finding no listener.
    public var isPermission: Bool {
        if case .unreachable(_, let code) = self { code == EACCES || code == EPERM } else { false }
    }

    /// The same, with a path that can be shown.
    private var shown: SocketError {
        switch self {
        case .path(let path, let reason): .path(PlainText.visible(path), reason: reason)
        case .unreachable(let path, let code): .unreachable(path: PlainText.visible(path), code: code)
        case .timedOut(let path, let seconds): .timedOut(path: PlainText.visible(path), seconds: seconds)
        case .broken(let path, let code): .broken(path: PlainText.visible(path), code: code)
        }
    }

    /// One sentence; the program adds the remedy.
    public var message: String {
        switch shown {
        case .path(let path, let reason): "cannot use \"\(path)\" as a socket: \(reason)"
        case .unreachable(let path, let code):
            switch code {
            case ENOENT, ENOTDIR: "cannot connect to \"\(path)\": there is no socket"
            case ECONNREFUSED: "cannot connect to \"\(path)\": nobody listens there"
            default: "cannot connect to \"\(path)\": \(SystemError.text(code))"
            }
        case .timedOut(let path, let seconds):
            "no answer on \"\(path)\" within \(Int(seconds.rounded(.up))) s"
        case .broken(let path, let code): "the connection to \"\(path)\" broke: \(SystemError.text(code))"
        }
    }
}
