internal import Glibc
package import Protocol
internal import Texts

/// One caller of the intake: a line, the bytes after it, and the answer. Every wait has an end.
package struct IntakeConnection {
    private let descriptor: Int32
    /// Bytes that came with the line.
    private var ahead: ArraySlice<UInt8> = []
    private let deadline: Double

    /// Seconds for the line, and for the answer.
    private static let patienceSeconds = 10.0

    /// Bytes of what was refused before it was there.
    private static let mostDropped = 32 << 20

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        deadline = WallClock.monotonic() + IntakeRequest.longestSeconds
    }

    package mutating func request() throws(IntakeError) -> IntakeRequest {
        let deadline = WallClock.monotonic() + Self.patienceSeconds
        var line: [UInt8] = []
        while true {
            if let end = line.firstIndex(of: 0x0A) {
                ahead = line[(end + 1)...]
                guard let request = try? JSON.decode(IntakeRequest.self, from: Array(line[..<end])) else {
                    throw IntakeError(IntakeReply("this is no request of the intake", error: .request))
                }
                guard request.bytes >= 0, request.bytes <= request.act.mostBytes else {
                    throw Self.tooLarge(request)
                }
                return request
            }
            guard line.count <= IntakeRequest.mostHeadBytes else {
                throw IntakeError(IntakeReply("the request has no end", error: .request))
            }
            line += try receive(until: deadline)
        }
    }

    /// The file behind the line, in parts.
    package mutating func file(
        of request: IntakeRequest, _ part: ([UInt8]) throws(FileError) -> Void
    ) throws(IntakeError) {
        var left = request.bytes
        while left > 0 {
            let bytes = ahead.isEmpty ? try receive(until: deadline)[...] : ahead
            ahead = []
            guard bytes.count <= left else { throw Self.tooLarge(request) }
            left -= bytes.count
            do throws(FileError) {
                try part(Array(bytes))
            } catch {
                throw IntakeError(error)
            }
        }
    }

    /// A caller who has gone does not want to know.
    package func answer(_ reply: IntakeReply) {
        guard var bytes = try? JSON.encode(reply) else { return }
        bytes.append(0x0A)
        let deadline = WallClock.monotonic() + Self.patienceSeconds
        while !bytes.isEmpty, wait(Int16(POLLOUT), until: deadline) {
            let sent = unsafe bytes.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            guard sent >= 0 || errno == EAGAIN || errno == EINTR else { return }
            bytes.removeFirst(max(0, sent))
        }
    }

    /// Says that nothing more comes, and drops what the caller still sends: a connection that is closed with bytes unread is
    /// reset, and the answer may be lost with it.
    package func end() {
        shutdown(descriptor, Int32(SHUT_WR))
        let deadline = WallClock.monotonic() + Self.patienceSeconds
        var left = Self.mostDropped
        while left > 0, let bytes = try? receive(until: deadline) { left -= bytes.count }
    }

    private static func tooLarge(_ request: IntakeRequest) -> IntakeError {
        let most = request.act.mostBytes
        return IntakeError(
            IntakeReply(
                most == 0
                    ? "no file belongs to \(request.act.rawValue)"
                    : "the file is larger than \(most >> 20) MB; choose a smaller one", error: .tooLarge))
    }

    private func receive(until deadline: Double) throws(IntakeError) -> [UInt8] {
        var room = [UInt8](repeating: 0, count: 65_536)
        while wait(Int16(POLLIN), until: deadline) {
            let count = unsafe room.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            if count > 0 { return Array(room[..<count]) }
            guard count < 0, errno == EAGAIN || errno == EINTR else { break }
        }
        throw IntakeError(IntakeReply("the file broke off before its end; send it again", error: .cut))
    }

    private func wait(_ events: Int16, until deadline: Double) -> Bool {
        while true {
            let left = deadline - WallClock.monotonic()
            guard left > 0 else { return false }
            var request = pollfd(fd: descriptor, events: events, revents: 0)
            let count = unsafe poll(&request, 1, Int32((left * 1000).rounded(.up)))
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { return false }
        }
    }
}
