import ScreenPlan
import Testing

@Suite("A tap on the display")
struct TouchTests {
    private static let token = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"

    private func request(
        _ origin: String, token: String = token, action: String = "mute-hour"
    ) throws(TouchRequest.Refusal) -> TouchRequest? {
        let body = "{\"token\":\"\(token)\",\"do\":\"\(action)\"}"
        let head =
            "POST /touch HTTP/1.1\r\nHost: 127.0.0.1:\(TouchRequest.port)\r\nOrigin: \(origin)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n"
        return try TouchRequest.parse(Array((head + body).utf8))
    }

    @Test(
        "The page is known by its session's secret and its own port, whatever the port is",
        arguments: [8787, 9000])
    func ports(port: UInt16) throws {
        let page = try #require(TouchSecret(TouchSecret(token: Self.token, port: port).text))
        #expect(page.port == port)
        for host in ["127.0.0.1", "localhost"] {
            let tap = try #require(try request("http://\(host):\(port)"))
            #expect(tap.action == .muteHour && tap.origin == "http://\(host):\(port)" && tap.isFrom(page))
        }
        let other = try #require(try request("http://127.0.0.1:\(port + 1)"))
        #expect(!other.isFrom(page))
        let guess = try #require(
            try request("http://127.0.0.1:\(port)", token: "9f8e7d6c5b4a39281706f5e4d3c2b1a1"))
        #expect(!guess.isFrom(page))
    }

    @Test("A phone is paired by a tap of that name alone: no tap chooses its role")
    func pair() throws {
        #expect(try request("http://127.0.0.1:8787", action: "pair")?.action == .pair)
        for action in ["pair keeper", "pair ", "Pair"] {
            #expect(throws: TouchRequest.Refusal(400, "that cannot be done by a tap")) {
                try request("http://127.0.0.1:8787", action: action)
            }
        }
    }

    @Test("The box's own network is asked for by a word alone: no tap names a network or a key")
    func hotspot() throws {
        #expect(try request("http://127.0.0.1:8787", action: "hotspot")?.action == .hotspot)
        for action in ["hotspot on", "hotspot ", "Hotspot", "hotspot asr"] {
            #expect(throws: TouchRequest.Refusal(400, "that cannot be done by a tap")) {
                try request("http://127.0.0.1:8787", action: action)
            }
        }
    }

    @Test(
        "A page of no port of this machine is refused",
        arguments: [
            "https://127.0.0.1:8787", "http://127.0.0.1", "http://127.0.0.1:", "http://127.0.0.1:08787",
            "http://127.0.0.1:8787/", "http://127.0.0.1:+8787", "http://127.0.0.1:70000",
            "http://localhost.example:8787", "null",
        ])
    func strangers(origin: String) {
        #expect(throws: TouchRequest.Refusal(403, "only the screen's own page may ask")) {
            try request(origin)
        }
    }

    @Test(
        "A secret's file that is cut, or of an earlier version, is none",
        arguments: ["", "9f8e", "9f8e\n", "9f8e\n8787"])
    func cut(text: String) {
        #expect(TouchSecret(text) == nil)
    }
}
