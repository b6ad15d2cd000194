import Testing
import Texts

@testable import BridgePlan
@testable import Settings

@Suite("An address for messages is written into bridge.toml")
struct AlertEditTests {
    private static let new = "https://ntfy.sh/new"

    private func edited(
        _ text: String?, _ address: String = new, name: String = "phone",
        _ format: AlertDestination.Format? = nil
    ) throws -> (text: String, config: BridgeConfig) {
        let before = try config(text ?? "")
        let edit = try AlertEdit("bridge.toml", text.map { Array($0.utf8) }, before, name: name)
        let bytes = try edit.setting(try DeliveryAddress.typed(address).get(), format)
        let text = String(decoding: bytes, as: UTF8.self)
        return (text, try config(text))
    }

    private func config(_ text: String) throws -> BridgeConfig {
        try BridgeConfig.schema.read([ConfigSource(file: "bridge.toml", text: Array(text.utf8))]).settings
    }

    @Test("A new file")
    func begun() throws {
        let (text, config) = try edited(nil)
        #expect(
            text.hasSuffix(
                "\n\n[[alert]]\nname = \"phone\"\nkind = \"webhook\"\nurl = \"https://ntfy.sh/new\"\nformat = \"ntfy\"\n"
            ),
            "\(text)")
        #expect(config.destinations.map(\.url) == [Self.new])
    }

    @Test("Everything else stays as it was written", arguments: ["\n", "\r\n"])
    func kept(end: String) throws {
        let old = [
            "# ours", "[mqtt]", "broker = \"mqtt://ha.local\" # attic", "", "[[alert]] # the office",
            "kind = \"webhook\"",
            "name = \"office\"", "url = 'https://example.org/a'", "",
        ].joined(separator: end)
        let (text, config) = try edited(old)
        #expect(text.hasPrefix(old + end + "[[alert]]" + end), "\(text)")
        #expect(config.destinations.map(\.name) == ["office", "phone"])
        // The second time it is the same alert, and one line differs.
        let (again, config2) = try edited(text, "https://ntfy.sh/third")
        #expect(again == text.replacing("https://ntfy.sh/new", with: "https://ntfy.sh/third"))
        #expect(config2.destinations.map(\.url) == ["https://example.org/a", "https://ntfy.sh/third"])
        let (other, _) = try edited(text, "https://example.org/b", name: "office")
        #expect(other.contains("name = \"office\"" + end + "format = \"ntfy\"") == false, "\(other)")
        #expect(other.contains("url = \"https://example.org/b\""), "\(other)")
    }

    @Test("The format follows the server, unless it is given or the server stays")
    func format() throws {
        let slack = "https://hooks.slack.com/services/x"
        #expect(try edited(nil, slack).config.destinations[0].format == .slack)
        #expect(
            try edited(nil, "https://discord.com/api/webhooks/1/a/slack").config.destinations[0].format
                == .slack)
        let json = try edited(nil, "https://example.org/a", .json).text
        #expect(try edited(json, "https://example.org/b").config.destinations[0].format == .json)
        #expect(try edited(json, slack).config.destinations[0].format == .slack)
        #expect(try edited(edited(nil, slack).text).config.destinations[0].format == .ntfy)
    }

    @Test("In braces it is changed there, and cannot be added to or taken out")
    func braces() throws {
        let old = "alert = [{ name = \"phone\", kind = \"webhook\", url = \"https://a.example/\" }]\n"
        let (text, config) = try edited(old)
        #expect(
            config.destinations.map(\.url) == [Self.new] && config.destinations[0].format == .ntfy, "\(text)")
        #expect(throws: (any Error).self) { try edited(old, name: "other") }
        let edit = try AlertEdit("bridge.toml", Array(old.utf8), config, name: "phone")
        #expect(throws: AlertEdit.Refusal.self) { try edit.removing() }
    }

    @Test("What has no address in the file is refused")
    func refused() throws {
        let mail =
            "[[alert]]\nname = \"phone\"\nkind = \"mail\"\nfrom = \"a@example.org\"\nto = [\"b@example.org\"]\n"
        let secret = "[[alert]]\nname = \"phone\"\nkind = \"webhook\"\nurl-file = \"/etc/adhand/secret\"\n"
        for text in [mail, secret] { #expect(throws: AlertEdit.Refusal.self) { try edited(text) } }
        #expect(throws: AlertEdit.Refusal.self) { try edited(nil, name: "Our Phone") }
    }

    @Test("Taken out, the rest is as if it had never been there")
    func removed() throws {
        let rest = "# ours\n[[alert]]\nname = \"a\"\nkind = \"webhook\"\nurl = \"https://a.example/\"\n"
        let after =
            "\n[[alert]]\nname = \"z\"\nkind = \"webhook\"\nurl = \"https://z.example/\"\n[homeassistant]\n"
        let (text, config) = try edited(rest)
        #expect(try AlertEdit("f", Array(text.utf8), config, name: "phone").removing() == Array(rest.utf8))
        let inside = text + after
        let edit = try AlertEdit("f", Array(inside.utf8), self.config(inside), name: "phone")
        #expect(try edit.removing() == Array((rest + after).utf8))
        #expect(try AlertEdit("f", nil, BridgeConfig(), name: "phone").removing() == nil)
    }
}
