import Settings
import Testing
import Texts

@testable import BridgePlan

@Suite("The address for messages that is set on the phone page")
struct PageAlertTests {
    private func page(_ address: String) throws -> PageAlert { try PageAlert.typed(address).get() }

    @Test("It is taken as an app shows it, and kept as it was read")
    func kept() throws {
        let page = try page(" ntfy.sh/our-mosque ")
        #expect(page.address == "https://ntfy.sh/our-mosque")
        #expect(PageAlert(json: try page.json) == page)
        #expect(page.destination.format == .ntfy && page.destination.kind == .webhook)
        #expect(try self.page("https://hooks.slack.com/services/x").destination.format == .slack)
    }

    @Test(
        "Nothing that is readable on its way, near, or nobody's",
        arguments: [
            "http://ntfy.sh/x", "https://192.168.1.20/x", "https://10.0.0.1", "https://box.local/x",
            "https://localhost/x", "https://[::1]/x", "https://[fd00::1]/x", "https://127.0.0.1:8790/r/stop",
            "ntfy.sh", "https://ntfy.sh/", "file:///etc/passwd", "https://a:b@example.org/x", "a topic", "",
            "HTTPS://LOCALHOST/x",
        ])
    func refused(_ address: String) {
        #expect(throws: DeliveryAddress.AddressError.self) { try page(address) }
    }

    @Test(
        "A file that is cut off, of another version or without an address is none",
        arguments: [
            "", "{", "{\"v\":1}", "{\"v\":2,\"address\":\"https://ntfy.sh/x\"}",
            "{\"address\":\"https://ntfy.sh/x\"}",
            "{\"v\":1,\"address\":\"javascript:x\"}",
        ])
    func damaged(_ text: String) { #expect(PageAlert(json: Array(text.utf8)) == nil) }

    @Test("It is one more alert; the file's own of that name goes before it")
    func beside() throws {
        func config(_ text: String) throws -> BridgeConfig {
            let source = ConfigSource(file: "bridge.toml", text: Array(text.utf8))
            var config = try BridgeConfig.schema.read([source]).settings
            config.add(try page("ntfy.sh/page"))
            return config
        }
        let phone = try config(
            "[[alert]]\nname = \"phone\"\nkind = \"webhook\"\nurl = \"https://ntfy.sh/phone\"\n")
        #expect(phone.destinations.map(\.name) == ["phone", "page"])
        let own = try config(
            "[[alert]]\nname = \"page\"\nkind = \"webhook\"\nurl = \"https://ntfy.sh/own\"\n")
        #expect(own.destinations.map(\.url) == ["https://ntfy.sh/own"])
    }
}
