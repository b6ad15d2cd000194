internal import NIOCore
internal import NIOHTTP1
internal import ScreenPlan
internal import WebServer

/// The result of one request.
enum Reply: Sendable {
    case answer(Answer)
    /// Server-sent events until one side disconnects.
    /// - Parameter isWall: whether the caller is the page of this machine's own display.
    case events(StateVariant, isWall: Bool)
    /// The state at another time, for which adhand must be asked.
    case stateAt(String, view: String)

    static func text(_ status: HTTPResponseStatus, _ sentence: String) -> Reply {
        .answer(.text(status, sentence))
    }

    /// Headers of every answer, which restrict what a browser may do with it.
    /// - Parameter mayTouch: whether the page may call the helper of taps on its port of this machine.
    static func guards(mayTouch: Bool) -> [(String, String)] {
        [
            (
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; "
                    + "manifest-src 'self'; connect-src 'self'\(mayTouch ? " http://127.0.0.1:\(TouchRequest.port)" : ""); frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
        ]
    }
}
