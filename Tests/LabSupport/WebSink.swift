import Foundation
import Synchronization

/// A web server on the loopback that keeps what it was asked, and answers as a test wants.
public final class WebSink: Sendable {
    public struct Request: Sendable, Equatable {
        public let method: String
        public let path: String
        /// By names in small letters.
        public let headers: [String: String]
        public let body: String
    }

    private final class Record: Sendable {
        let requests = Mutex<[Request]>([])
        let answer: Mutex<@Sendable (Request) -> String>

        init(_ answer: @escaping @Sendable (Request) -> String) { self.answer = Mutex(answer) }
    }

    private let record: Record
    private let server: FakeServer
    public var port: Int { server.port }
    public var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameter answer: whole, with its status line.
    public init(answer: @escaping @Sendable (Request) -> String = { _ in WebSink.answer(200) }) throws {
        let record = Record(answer)
        self.record = record
        server = try FakeServer { connection in
            guard let request = Self.read(connection) else { return }
            record.requests.withLock { $0.append(request) }
            let answer = record.answer.withLock { $0 }
            connection.write(Array(answer(request).utf8))
        }
    }

    public var requests: [Request] { record.requests.withLock { $0 } }

    public func set(answer: @escaping @Sendable (Request) -> String) {
        record.answer.withLock { $0 = answer }
    }

    public static func answer(_ status: Int, _ headers: String = "", body: String = "ok") -> String {
        "HTTP/1.1 \(status) x\r\nContent-Length: \(body.utf8.count)\r\n\(headers)Connection: close\r\n\r\n\(body)"
    }

    private static func read(_ connection: FakeServer.Connection) -> Request? {
        var text = ""
        while true {
            let bytes = connection.read()
            guard !bytes.isEmpty else { return nil }
            text += String(decoding: bytes, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
            let words = (lines.first ?? "").split(separator: " ").map(String.init)
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                headers[parts[0].lowercased()] =
                    parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            }
            let body = String(text[end.upperBound...])
            if body.utf8.count < Int(headers["content-length"] ?? "0") ?? 0 { continue }
            guard words.count == 3 else { return nil }
            return Request(method: words[0], path: words[1], headers: headers, body: body)
        }
    }
}
