import Testing
import WebRules

@Suite("Names by which a browser may call this machine")
struct HostNamesTests {
    private let names = HostNames(machine: "Box", added: ["Screen.Mosque.example"])

    @Test(
        "Own names are taken with and without a port, in any case",
        arguments: [
            "localhost", "LOCALHOST:8787", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:65535", "box",
            "BOX.local:8787",
            "screen.mosque.example", "screen.mosque.example:80", "192.168.1.20", "192.168.1.20:8788",
        ])
    func own(_ host: String) {
        #expect(names.isOurs(host, address: "192.168.1.20"))
    }

    @Test(
        "Any other name is foreign, and so is text that is no name",
        arguments: [
            "", ":", ":8787", "evil.example", "box.evil.example", "box.", "box.local.", "192.168.1.21",
            "screen.mosque.example.evil", "localhost:", "localhost:123456", "localhost:x", "localhost:80:80",
            "[::1",
            "[::1]x", "[]", "user@localhost", "localhost, evil.example", "127.0.0.1.evil.example",
        ])
    func foreign(_ host: String) {
        #expect(!names.isOurs(host, address: "192.168.1.20"))
    }

    @Test("A machine without a name and an address has the loopback's names alone")
    func nameless() {
        let names = HostNames(machine: "", added: [])
        #expect(names.isOurs("localhost", address: nil))
        #expect(!names.isOurs(".local", address: nil) && !names.isOurs("", address: nil))
    }
}
