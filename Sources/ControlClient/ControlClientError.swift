public import Host
public import Protocol
import Texts

/// A call that has no answer, and why. ``message`` is a sentence for people; programs look at the case.
public enum ControlClientError: Error, Sendable, Equatable {
    /// adhand answered with a refusal.
    case refused(ControlError)
    /// The path is not a valid socket address.
    case path(SocketError)
    /// There is a socket, but this user may not connect to it.
    case notPermitted(SocketError)
    /// No program listens there.
    case unreachable(SocketError)
    /// A program listens there, but does not answer in time.
    case hangs(path: String, method: String, seconds: Double)
    /// The parts of an answer exceeded their limits.
    case endless(path: String, method: String, ControlClient.AnswerLimits)
    /// The connection ended before the answer was complete.
    case closed(method: String)
    /// The answer has no form that this program knows.
    case unreadable(path: String)
    /// The request cannot be encoded as JSON.
    case request(method: String)

    init(_ error: SocketError) {
        self =
            switch error {
            case .path: .path(error)
            case _ where error.isPermission: .notPermitted(error)
            default: .unreachable(error)
            }
    }

    /// Whether the other side is there but takes too long: worth a retry, unlike a refusal.
    public var isHang: Bool {
        switch self {
        case .hangs, .unreachable(.timedOut): true
        default: false
        }
    }

    /// Whether the request took effect all the same. It could not be saved, and is lost at adhand's next start.
    public var isDone: Bool {
        if case .refused(.stateNotSaved) = self { true } else { false }
    }

    /// One sentence; the program adds the remedy.
    public var message: String {
        switch self {
        case .refused(let error): error.sentence
        case .path(let error), .notPermitted(let error): error.message
        case .unreachable(let error): "cannot reach adhand: \(error.message)"
        case .hangs(let path, let method, let seconds):
            "adhand at \"\(PlainText.visible(path))\" did not answer \(method) within \(Int(seconds)) s"
        case .endless(let path, let method, let limits):
            "adhand at \"\(PlainText.visible(path))\" had not finished its answer to \(method) after "
                + "\(limits.bytes >> 20) MB or \(Int(limits.seconds)) s"
        case .closed(let method): "adhand closed the connection before it answered \(method)"
        case .unreadable(let path):
            "adhand at \"\(PlainText.visible(path))\" answered with something that this program "
                + "(\(adhandVersion)) cannot read; are both of the same version?"
        case .request(let method): "cannot write the request \(method) as JSON"
        }
    }
}
