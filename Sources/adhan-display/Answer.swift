internal import DisplayProgramme
internal import NIOHTTP1

/// What is answered to one request.
struct Answer: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        case file(path: String)
        /// Server-sent events until one side goes away.
        case events
        /// The state of another time, for which adhand is to be asked.
        case stateAt(String)
    }

    var status: HTTPResponseStatus = .ok
    var type = "text/plain; charset=utf-8"
    var body: Body
    var isStored = false
    var allow: String?
    /// Whether the page may ask the helper of taps, on its port of this machine.
    var mayTouch = false

    static func text(_ status: HTTPResponseStatus, _ sentence: String) -> Answer {
        Answer(status: status, body: .bytes(Array((sentence + "\n").utf8)))
    }

    static func json(_ bytes: [UInt8]) -> Answer {
        Answer(type: "application/json", body: .bytes(bytes))
    }

    /// On every answer: what a browser must not do with it.
    var guards: [(String, String)] {
        [
            (
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; "
                    + "connect-src 'self'\(mayTouch ? " http://127.0.0.1:\(TouchRequest.port)" : ""); frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
        ]
    }
}
