package import NIOCore
package import NIOHTTP1

/// The answer to one request.
package struct Answer: Sendable {
    package enum Body: Sendable {
        /// Bytes shared by all receivers of the same answer, so that a crowd of slow readers holds them once.
        case bytes(ByteBuffer)
        case file(path: String)
    }

    package var status: HTTPResponseStatus
    package var type: String
    package var body: Body
    /// Whether the caller may keep the answer and revalidate it each time.
    package var isStored: Bool
    package var allow: String?
    /// Headers of this answer only.
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
