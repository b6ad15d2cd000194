import Foundation
import LabSupport
import Testing

@testable import Host

struct LocalSocketTests {
    @Test("Bytes go there and come back, however many")
    func echo() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let address = try SocketAddress(scratch.file("s"))
        let listener = try #require(Self.listen(address))
        let total = 300_000
        let server = Thread {
            let peer = OwnedDescriptor(accept(listener, nil, nil))
            var buffer = [UInt8](repeating: 0, count: 4096)
            var left = total
            while left > 0 {
                let count = unsafe read(peer.raw, &buffer, buffer.count)
                guard count > 0 else { return }
                var sent = 0
                while sent < count {
                    let written = unsafe buffer[sent..<count].withUnsafeBytes {
                        unsafe write(peer.raw, $0.baseAddress, $0.count)
                    }
                    guard written > 0 else { return }
                    sent += written
                }
                left -= count
            }
        }
        server.start()
        let client = try LocalSocket.connect(to: address, timeout: 2)
        let message = (0..<total).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var answer: [UInt8] = []
        for start in stride(from: 0, to: total, by: 30_000) {
            let piece = Array(message[start..<(start + 30_000)])
            try client.send(piece, timeout: 5)
            while answer.count < start + piece.count { answer += try client.receive(timeout: 5) }
        }
        #expect(answer == message)
        #expect(try client.receive(timeout: 5).isEmpty, "the end is an empty answer")
        close(listener)
    }

    @Test("Who does not answer is not waited for longer than asked")
    func silence() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let address = try SocketAddress(scratch.file("s"))
        let listener = try #require(Self.listen(address))
        defer { close(listener) }
        let client = try LocalSocket.connect(to: address, timeout: 1)
        let begin = MonotonicClock.now()
        let error = #expect(throws: SocketError.self) { try Self.receive(client, 0.2) }
        #expect(error == .timedOut(path: address.path, seconds: 0.2))
        #expect(error?.message == "no answer on \"\(address.path)\" within 1 s")
        #expect(MonotonicClock.now() - begin >= 0.2)
    }

    @Test("A listener that takes nothing, and one that is gone, are errors and no signal")
    func noTaker() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let address = try SocketAddress(scratch.file("s"))
        let listener = try #require(Self.listen(address))
        let client = try LocalSocket.connect(to: address, timeout: 1)
        let full = #expect(throws: SocketError.self) {
            try Self.send(client, [UInt8](repeating: 1, count: 8 << 20), 0.1)
        }
        #expect(full == .timedOut(path: address.path, seconds: 0.1))
        close(listener)
        let broken = #expect(throws: SocketError.self) { try Self.send(client, [1], 1) }
        #expect(
            broken == .broken(path: address.path, code: EPIPE)
                || broken == .broken(path: address.path, code: ECONNRESET))
    }

    @Test("A socket that is not there, and one that nobody serves any more, are distinguished")
    func unreachable() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let address = try SocketAddress(scratch.file("s"))
        #expect(Self.failure(address)?.message == "cannot connect to \"\(address.path)\": there is no socket")
        close(try #require(Self.listen(address)))
        #expect(
            Self.failure(address)?.message == "cannot connect to \"\(address.path)\": nobody listens there")
        try scratch.write("f", [])
        #expect(Self.failure(try SocketAddress(scratch.file("f"))) != nil)
        #expect(SocketError.unreachable(path: "x", code: EACCES).isPermission)
    }

    @Test("A path that is no socket's is refused before anything is tried")
    func paths() throws {
        #expect(try SocketAddress(String(repeating: "a", count: 107)).path.count == 107)
        let error = #expect(throws: SocketError.self) { try SocketAddress(String(repeating: "ä", count: 54)) }
        #expect(
            error?.message.hasSuffix(
                "the path has 108 bytes, a socket's may have 107; choose a shorter one with --socket") == true
        )
        #expect(throws: SocketError.self) { try SocketAddress("") }
        #expect(throws: SocketError.self) { try SocketAddress("a\0b") }
    }

    @Test("A path of the greatest length works")
    func longestPathBytes() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let name = String(repeating: "x", count: SocketAddress.longestPathBytes - scratch.path.utf8.count - 1)
        let address = try SocketAddress(scratch.file(name))
        let listener = try #require(Self.listen(address))
        _ = try LocalSocket.connect(to: address, timeout: 1)
        close(listener)
    }

    private static func listen(_ address: SocketAddress) -> Int32? {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard unsafe address.withPointer({ unsafe bind(listener, $0, $1) }) == 0,
            Foundation.listen(listener, 4) == 0
        else {
            return nil
        }
        return listener
    }

    private static func failure(_ address: SocketAddress) -> SocketError? {
        do {
            _ = try LocalSocket.connect(to: address, timeout: 0.1)
            return nil
        } catch {
            return error
        }
    }

    private static func receive(_ socket: borrowing LocalSocket, _ timeout: Double) throws {
        _ = try socket.receive(timeout: timeout)
    }

    private static func send(_ socket: borrowing LocalSocket, _ bytes: [UInt8], _ timeout: Double) throws {
        try socket.send(bytes, timeout: timeout)
    }
}
