package import NIOCore
package import NIOHTTP1

/// The answer to one request.
package struct Answer: Sendable {
    package enum Body: Sendable {
        /// Shared by all who receive the same, so that a crowd of slow readers holds it once.
        case bytes(ByteBuffer)
        case file(path: String)
    }

    package var status: HTTPResponseStatus
    package var type: String
    package var body: Body
    /// Whether the caller may keep it, and asks each time whether it is still the same.
    package var isStored: Bool
    package var allow: String?
    /// Headers of this answer alone.
    package var headers: [(name: String, value: String)] = []

    package init(
        status: HTTPResponseStatus = .ok, type: String = "text/plain; charset=utf-8", body: Body,
        isStored: Bool = false
    ) {
        self.status = status
        self.type = type
        self.body = body
        self.isStored = isStored
    }

    package static func text(_ status: HTTPResponseStatus, _ sentence: String) -> Answer {
        Answer(status: status, body: .bytes(ByteBuffer(string: sentence + "\n")))
    }

    package static func json(_ bytes: ByteBuffer) -> Answer {
        Answer(type: "application/json", body: .bytes(bytes))
    }
}
