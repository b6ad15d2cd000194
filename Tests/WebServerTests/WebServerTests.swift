import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing
import WebRules
import WebServer

/// A server on loopback that answers with the method, the path and the body of each request.
private final class EchoServer {
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let channel: any Channel
    let port: Int

    init(
        isStrict: Bool = true, bodyPatience: TimeAmount = .seconds(10),
        longestBody: Int = EchoHandler.longestBody
    ) throws {
        channel = try Listener(.own(ListenAddress(host: "127.0.0.1", port: 0)))
            .open(on: Self.group, isStrict: isStrict) { _ in
                EchoHandler(bodyPatience: bodyPatience, longestBody: longestBody)
            }
        port = try #require(channel.localAddress?.port)
    }

    deinit { channel.close(promise: nil) }
}

private final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    /// Longer bodies are refused before they are read.
    static let longestBody = 1000

    private let bodyPatience: TimeAmount
    private let longestBody: Int
    private var writer: AnswerWriter?
    private var head: HTTPRequestHead?
    private var body = ""
    /// The most that the system held for this connection while the body came in.
    private var mostHeldBytes = 0

    init(bodyPatience: TimeAmount, longestBody: Int) {
        (self.bodyPatience, self.longestBody) = (bodyPatience, longestBody)
    }

    private func held(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.socketOption(.so_rcvbuf))).flatMap { Int($0) } ?? -1
    }

    func handlerAdded(context: ChannelHandlerContext) {
        writer = AnswerWriter(guards: [("X-Guard", "on")]) { [self] in head = nil }
    }

    func handlerRemoved(context: ChannelHandlerContext) { writer = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = ""
            let length = head.headers["Content-Length"].first.flatMap { Int($0) } ?? 0
            if length > longestBody {
                writer?.send(.text(.payloadTooLarge, "Too large."), to: head, context, close: true)
                self.head = nil
                return
            }
            context.triggerUserOutboundEvent(
                GateEvent.bodyFollows(length, within: bodyPatience), promise: nil)
        case .body(let bytes):
            body += String(buffer: bytes)
            mostHeldBytes = max(mostHeldBytes, held(context))
        case .end:
            guard let head else { return }
            let shown = body.utf8.count > Self.longestBody ? "\(body.utf8.count) bytes" : body
            writer?.send(
                .text(.ok, "\(head.method) \(head.uri) [\(shown)] \(mostHeldBytes) \(held(context))"),
                to: head,
                context,
                close: !head.isKeepAlive)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

@Suite("The shared web server", .serialized)
struct WebServerTests {
    /// Sends pieces with a pause between them, and reads until the server closes or says nothing for a while.
    private static func talk(_ port: Int, _ pieces: [String], seconds: Double = 2) throws -> String {
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(raw >= 0)
        defer { close(raw) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
        var limit = timeval(tv_sec: Int(seconds), tv_usec: 0)
        unsafe setsockopt(raw, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        for (index, piece) in pieces.enumerated() {
            if index > 0 { usleep(30_000) }
            let bytes = Array(piece.utf8)
            _ = unsafe bytes.withUnsafeBytes {
                unsafe send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(raw, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { break }
            answer += chunk[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }

    private static func post(_ body: String, close: Bool = true, length: Int? = nil) -> String {
        "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: \(length ?? body.utf8.count)\r\n"
            + (close ? "Connection: close\r\n" : "") + "\r\n" + body
    }

    @Test("A body comes in whole, whether it comes with its head, later, or in pieces")
    func bodies() throws {
        let server = try EchoServer()
        let whole = Self.post("name=value")
        for cut in [whole.utf8.count, 20, whole.utf8.count - 10, whole.utf8.count - 3] {
            let first = String(whole.prefix(cut))
            let rest = String(whole.dropFirst(cut))
            let answer = try Self.talk(server.port, rest.isEmpty ? [first] : [first, rest])
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("POST /a [name=value]"), "\(cut)")
            #expect(answer.contains("X-Guard: on\r\n") && answer.contains("Cache-Control: no-store\r\n"))
        }
    }

    @Test("Requests that are sent ahead behind a body are answered one after another, each with its own body")
    func pipelined() throws {
        let server = try EchoServer()
        let answer = try Self.talk(
            server.port,
            [
                Self.post("one", close: false) + "GET /b HTTP/1.1\r\nHost: x\r\n\r\n"
                    + Self.post("GET /c HTTP/1.1\r\n\r\n")
            ])
        let bodies = answer.split(separator: "\n").filter { $0.contains("[") }
        #expect(bodies.count >= 3)
        #expect(
            answer.contains("POST /a [one]") && answer.contains("GET /b []")
                && answer.contains("POST /a [GET /c HTTP/1.1\r\n\r\n]"))
        #expect(answer.components(separatedBy: "HTTP/1.1 200 OK").count == 4)
    }

    @Test("A body that is refused unread does not cost the caller the answer")
    func refused() throws {
        let server = try EchoServer()
        let long = String(repeating: "x", count: 200_000)
        let answer = try Self.talk(server.port, [Self.post(long)])
        #expect(answer.hasPrefix("HTTP/1.1 413") && answer.contains("Connection: close"))
        #expect(!answer.contains("HTTP/1.1 400"))
    }

    @Test("A whole file that is refused unread does not cost the caller the answer, either")
    func refusedFile() throws {
        let server = try EchoServer()
        let file = String(repeating: "x", count: 21_000_000)
        let answer = try Self.talk(server.port, [Self.post(file)], seconds: 20)
        #expect(answer.hasPrefix("HTTP/1.1 413") && answer.contains("Connection: close"))
    }

    @Test("While a long body comes in, the system holds several segments of it; before and after, little")
    func room() throws {
        let server = try EchoServer(longestBody: 1 << 20)
        for (length, isWide) in [(500, false), (600_000, true)] {
            let answer = try Self.talk(server.port, [Self.post(String(repeating: "x", count: length))])
            let rooms = answer.split(whereSeparator: \.isWhitespace).suffix(2).compactMap { Int($0) }
            try #require(rooms.count == 2, "\(answer)")
            // Linux says twice of what was set.
            #expect(isWide ? rooms[0] > 200_000 : rooms[0] <= 32_768, "\(rooms)")
            #expect(rooms[1] <= 32_768, "\(rooms)")
        }
    }

    @Test("A body that does not come ends the connection, without an answer")
    func late() throws {
        let server = try EchoServer(bodyPatience: .milliseconds(200))
        let began = ContinuousClock.now
        let answer = try Self.talk(server.port, [Self.post("abc", length: 900)], seconds: 5)
        #expect(answer.isEmpty && ContinuousClock.now - began < .seconds(4))
    }

    @Test(
        "A strict server refuses lines that end with LF alone; a head of more than 8 KB is refused by every one"
    )
    func heads() throws {
        let strict = try EchoServer()
        let loose = "GET /a HTTP/1.1\nHost: x\n\n"
        #expect(try Self.talk(strict.port, [loose]).hasPrefix("HTTP/1.1 400"))
        #expect(
            try Self.talk(strict.port, ["GET /a HTTP/1.1\r\nHost: x\nOther: y\r\n\r\n"]).hasPrefix(
                "HTTP/1.1 400"))
        let long = "GET /a HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "y", count: 8300) + "\r\n\r\n"
        #expect(try Self.talk(strict.port, [long]).hasPrefix("HTTP/1.1 431"))
        let plain = try EchoServer(isStrict: false)
        #expect(try Self.talk(plain.port, [long]).hasPrefix("HTTP/1.1 431"))
    }

    @Test(
        "Addresses to listen on",
        arguments: [
            ("127.0.0.1:8790", "127.0.0.1:8790"), ("[::1]:1", "[::1]:1"), ("localhost:80", nil),
            ("127.0.0.1", nil),
            ("127.0.0.1:65536", nil), (":80", nil), ("::1:80x", nil),
        ] as [(String, String?)])
    func addresses(_ text: String, _ shown: String?) {
        #expect(ListenAddress(argument: text)?.description == shown)
    }

    @Test("Whether an address is this machine's own")
    func near() {
        #expect(Machine.isNear("127.0.0.1") && Machine.isNear("::1") && Machine.isNear(nil))
        #expect(!Machine.isNear("192.168.1.2") && !Machine.isNear("::127.0.0.1"))
    }
}
