import Foundation
import LabSupport
import Testing

@testable import WebDelivery

struct WebDeliveryTests {
    @Test("A message is posted with its headers")
    func aMessageIsPosted() throws {
        let sink = try WebSink()
        let request = WebRequest(
            url: sink.url + "/our-mosque", body: Array("Dhuhr was not heard".utf8),
            headers: [
                .init("Title", "adhand"), .init("Idempotency-Key", "failed-1-begin"), .init("X-Empty", ""),
            ])
        #expect(try WebDelivery.perform(request) == 200)
        #expect(sink.requests.count == 1)
        let seen = try #require(sink.requests.first)
        #expect((seen.method, seen.path, seen.body) == ("POST", "/our-mosque", "Dhuhr was not heard"))
        #expect(seen.headers["title"] == "adhand")
        #expect(seen.headers["idempotency-key"] == "failed-1-begin")
        #expect(seen.headers["x-empty"] == "")
        #expect(seen.headers["expect"] == nil)
    }

    @Test("A heartbeat is a GET")
    func aBeatIsAGet() throws {
        let sink = try WebSink()
        #expect(try WebDelivery.perform(WebRequest(url: sink.url + "/beat")) == 200)
        #expect(sink.requests.map(\.method) == ["GET"])
    }

    @Test("The status of the answer is returned", arguments: [204, 400, 404, 429, 500])
    func theStatusIsTold(status: Int) throws {
        let sink = try WebSink { _ in WebSink.answer(status, body: "") }
        #expect(try WebDelivery.perform(WebRequest(url: sink.url, body: [])) == status)
    }

    @Test("Redirects are not followed")
    func redirectsAreNotFollowed() throws {
        let elsewhere = try WebSink()
        let target = elsewhere.url
        let sink = try WebSink { _ in WebSink.answer(302, "Location: \(target)/\r\n") }
        #expect(try WebDelivery.perform(WebRequest(url: sink.url)) == 302)
        #expect(elsewhere.requests.isEmpty)
    }

    @Test("Only the beginning of an endless answer is read")
    func ofAnEndlessAnswerTheBeginningIsRead() throws {
        let server = try FakeServer { connection in
            _ = connection.read()
            connection.write(Array("HTTP/1.1 200 x\r\n\r\n".utf8))
            for _ in 0..<2000 { connection.write(Array(repeating: 65, count: 65_536)) }
        }
        let began = ProcessInfo.processInfo.systemUptime
        #expect(try WebDelivery.perform(WebRequest(url: "http://127.0.0.1:\(server.port)/")) == 200)
        #expect(ProcessInfo.processInfo.systemUptime - began < 10)
    }

    @Test("The body is returned to callers who ask for it")
    func theBodyIsReadWhereItIsWanted() throws {
        let sink = try WebSink { _ in WebSink.answer(503, body: "{\"a\":1}") }
        let answer = try WebDelivery.fetch(WebRequest(url: sink.url))
        #expect(answer == WebAnswer(status: 503, body: Array("{\"a\":1}".utf8)))
    }

    @Test("A body that is longer than its limit is left out", arguments: [6, 7])
    func aLongerBodyIsNone(limit: Int) throws {
        let sink = try WebSink { _ in WebSink.answer(200, body: "{\"a\":1}") }
        var request = WebRequest(url: sink.url)
        request.limits.answerBytes = limit
        let answer = try WebDelivery.fetch(request)
        #expect(answer.status == 200 && (answer.body == nil) == (limit < 7))
    }

    @Test("A large body arrives in pieces and is returned whole")
    func aLargeBodyComesInPieces() throws {
        let sent = String(repeating: "adhan ", count: 100_000)
        let sink = try WebSink { _ in WebSink.answer(200, body: sent) }
        var request = WebRequest(url: sink.url)
        request.limits.answerBytes = 1 << 20
        #expect(try WebDelivery.fetch(request).body == Array(sent.utf8))
    }

    @Test("A server that never answers is given up")
    func aServerThatSaysNothingIsGivenUp() throws {
        let server = try FakeServer { connection in while !connection.read().isEmpty {} }
        var request = WebRequest(url: "http://127.0.0.1:\(server.port)/")
        request.limits.wholeSeconds = 1
        let began = ProcessInfo.processInfo.systemUptime
        #expect(throws: WebError.timedOut) { try WebDelivery.perform(request) }
        #expect(ProcessInfo.processInfo.systemUptime - began < 5)
    }

    @Test("An answer that comes a byte at a time is given up")
    func anAnswerThatDripsIsGivenUp() throws {
        let server = try FakeServer { connection in
            _ = connection.read()
            for character in "HTTP/1.1 200 x\r\nX: \(String(repeating: "a", count: 50))" {
                connection.write(Array(String(character).utf8))
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
        var request = WebRequest(url: "http://127.0.0.1:\(server.port)/")
        request.limits.wholeSeconds = 1
        #expect(throws: WebError.timedOut) { try WebDelivery.perform(request) }
    }

    @Test("A port without a server and a name without an address have errors of their own")
    func nobodyThere() throws {
        let port = try FreePort.find()
        #expect(throws: WebError.connectionRefused) {
            try WebDelivery.perform(WebRequest(url: "http://127.0.0.1:\(port)/"))
        }
        #expect(throws: WebError.nameNotFound) {
            try WebDelivery.perform(WebRequest(url: "https://no.such.host.invalid/"))
        }
    }

    @Test("An answer that is not HTTP, or none at all, is an error")
    func nonsenseIsNoAnswer() throws {
        let server = try FakeServer { connection in
            _ = connection.read()
            connection.write(Array("SSH-2.0-x\r\n".utf8))
        }
        #expect(throws: WebError.malformed) {
            try WebDelivery.perform(WebRequest(url: "http://127.0.0.1:\(server.port)/"))
        }
        let closing = try FakeServer { connection in _ = connection.read() }
        #expect(throws: WebError.connectionLost) {
            try WebDelivery.perform(WebRequest(url: "http://127.0.0.1:\(closing.port)/"))
        }
    }

    @Test("Public addresses are reached with encryption only")
    func publicAddressesAreSpokenToWithEncryptionAlone() throws {
        #expect(throws: WebError.plainToPublicAddress) {
            try WebDelivery.perform(WebRequest(url: "http://192.0.2.1/"))
        }
        #expect(throws: WebError.plainToPublicAddress) {
            try WebDelivery.perform(WebRequest(url: "http://[2001:db8::1]/"))
        }
    }

    @Test("A certificate of an unknown authority is refused")
    func aCertificateOfNobodyIsRefused() throws {
        let authority = try TestAuthority()
        let broker = try Broker(.tls(authority, asksForCertificate: false))
        #expect(throws: WebError.certificate) {
            try WebDelivery.perform(WebRequest(url: "https://localhost:\(broker.port)/"))
        }
    }

    @Test(
        "An address or a header that HTTP does not allow is refused before it is sent",
        arguments: [
            WebRequest(url: "ftp://127.0.0.1/"), WebRequest(url: "file:///etc/passwd"), WebRequest(url: "x"),
            WebRequest(url: "http://127.0.0.1/", headers: [.init("A", "b\r\nC: d")]),
            WebRequest(url: "http://127.0.0.1/", headers: [.init("A: b", "c")]),
            WebRequest(url: "http://127.0.0.1/", headers: [.init("", "c")]),
        ])
    func whatIsNoRequestIsNotMade(request: WebRequest) {
        #expect(throws: WebError.invalidRequest) { try WebDelivery.perform(request) }
    }
}
