internal import DisplayProgramme
internal import NIOCore
internal import NIOHTTP1

/// The answer to one request.
struct Answer: Sendable {
    enum Body: Sendable {
        /// Shared by all who receive the same, so that a crowd of slow readers holds it once.
        case bytes(ByteBuffer)
        case file(path: String)
        /// Server-sent events until one side goes away.
        /// - Parameter isWall: the caller is the page of this machine's own display.
        case events(StateVariant, isWall: Bool)
        /// The state of another time, for which adhand is to be asked.
        case stateAt(String, view: String)
    }

    var status: HTTPResponseStatus = .ok
    var type = "text/plain; charset=utf-8"
    var body: Body
    var isStored = false
    var allow: String?
    /// Whether the page may ask the helper of taps, on its port of this machine.
    var mayTouch = false

    static func text(_ status: HTTPResponseStatus, _ sentence: String) -> Answer {
        Answer(status: status, body: .bytes(ByteBuffer(string: sentence + "\n")))
    }

    static func json(_ bytes: ByteBuffer) -> Answer {
        Answer(type: "application/json", body: .bytes(bytes))
    }

    /// On every answer: what a browser must not do with it.
    var guards: [(String, String)] {
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
