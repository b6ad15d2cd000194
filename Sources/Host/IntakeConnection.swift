package import Protocol
internal import Texts

/// One caller of the intake: a line, the bytes after it, and the answer.
package struct IntakeConnection {
    private var connection: LineConnection
    private let deadline: Double

    /// Seconds for the line, and for the answer.
    private static let patienceSeconds = 10.0

    /// The most bytes that are read and discarded after a refusal.
    private static let mostDropped = 32 << 20

    package init(_ descriptor: Int32) {
        connection = LineConnection(descriptor)
        deadline = MonotonicClock.now() + IntakeRequest.longestSeconds
    }

    private static var soon: Double { MonotonicClock.now() + patienceSeconds }

    package mutating func request() throws(IntakeError) -> IntakeRequest {
        let line: [UInt8]
        do throws(LineConnection.LineError) {
            line = try connection.line(most: IntakeRequest.mostHeadBytes, until: Self.soon)
        } catch .tooLong {
            throw IntakeError(IntakeReply("the request has no end", error: .request))
        } catch {
            throw Self.cut
        }
        guard let request = try? JSON.decode(IntakeRequest.self, from: line) else {
            throw IntakeError(IntakeReply("this is no request of the intake", error: .request))
        }
        guard request.bytes >= 0, request.bytes <= request.act.mostBytes else { throw Self.tooLarge(request) }
        return request
    }

    /// Reads the file after the line, in parts.
    package mutating func file(
        of request: IntakeRequest, _ part: ([UInt8]) throws(FileError) -> Void
    ) throws(IntakeError) {
        var left = request.bytes
        while left > 0 {
            guard let bytes = connection.bytes(until: deadline) else { throw Self.cut }
            guard bytes.count <= left else { throw Self.tooLarge(request) }
            left -= bytes.count
            do throws(FileError) {
                try part(Array(bytes))
            } catch {
                throw IntakeError(error)
            }
        }
    }

    package func answer(_ reply: IntakeReply) {
        guard let line = try? JSON.encode(reply) else { return }
        connection.send(line: line, until: Self.soon)
    }

    package func end() { connection.end(dropping: Self.mostDropped, until: Self.soon) }

    private static let cut = IntakeError(
        IntakeReply("the file broke off before its end; send it again", error: .cut))

    private static func tooLarge(_ request: IntakeRequest) -> IntakeError {
        let most = request.act.mostBytes
        return IntakeError(
            IntakeReply(
                most == 0
                    ? "no file belongs to \(request.act.rawValue)"
                    : "the file is larger than \(most >> 20) MB; choose a smaller one", error: .tooLarge))
    }
}
