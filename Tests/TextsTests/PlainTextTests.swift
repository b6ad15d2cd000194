import Protocol
import Testing
import Texts

@Suite("Text from outside")
struct PlainTextTests {
    @Test(
        "What a terminal would obey is shown instead",
        arguments: [
            ("plain text, ümläut, أذان, \u{1F54C}", "plain text, ümläut, أذان, \u{1F54C}"),
            ("a\u{1B}[2Jb", "a\\u{1b}[2Jb"), ("one\ntwo\r\n\tthree", "one\\ntwo\\r\\n\\tthree"),
            ("\u{9B}31m", "\\u{9b}31m"), ("\u{7F}\u{0}", "\\u{7f}\\u{0}"),
            ("abc\u{202E}3pm.exe\u{2066}", "abc\\u{202e}3pm.exe\\u{2066}"), ("a\u{2028}b", "a\\u{2028}b"),
            // The joiner without which Persian is misspelt.
            ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("e\u{301}\u{E0041}", "e\u{301}\\u{e0041}"),
        ])
    func visible(text: String, expected: String) {
        #expect(PlainText.visible(text) == expected)
        #expect(PlainText.visible(PlainText.visible(text)) == expected)
    }

    @Test("Lines and our own decoration stay where a program writes them, nothing else does")
    func printable() {
        let text =
            "\(Style.coloured("good", .good))\r\n\tplain\rover"
            + "\u{1B}[2J\u{1B}[8mhidden\u{202E}\u{1B}[31"
        #expect(
            PlainText.printable(text)
                == "\u{1B}[32mgood\u{1B}[0m\r\n\tplain\\rover\\u{1b}[2J\\u{1b}[8mhidden\\u{202e}\\u{1b}[31")
    }

    private struct Document: ReplyDocument, Equatable {
        static var described: String { "" }
        let text: String
        var other: String?
    }

    private struct Lines: ReplyDocument {
        static var described: String { "" }
        static var hasLines: Bool { true }
        let text: String
    }

    private static let evil = "a\n2026-11-20 12:00:00 info \u{1B}[2J\u{9B}1m\u{202E}b\\u001b \"q\" \u{7F}é\\n"

    @Test("JSON holds what it held, and nothing that a terminal would obey")
    func json() throws {
        let bytes = try JSON.encode(Document(text: Self.evil))
        #expect(try JSON.decode(Document.self, from: bytes).text == Self.evil)
        let shown = String(decoding: bytes, as: UTF8.self)
        #expect(PlainText.visible(shown) == shown)
    }

    @Test("What a daemon answers is visible before anybody sees it, however the daemon wrote it")
    func answers() throws {
        let raw = Array(
            "{\"parameters\":{\"text\":\"x\\u001B[2J\\n\\u202e\u{202E}\u{9B}\u{E000}\\\\n\"}}".utf8)
        let text = try Varlink.read(Document.self, from: raw).document.text
        #expect(text == "x\\u{1b}[2J\\n\\u{202e}\\u{202e}\\u{9b}\u{E000}\\n")
        let lines = Array("{\"parameters\":{\"text\":\"one\\ntwo\\u001b\"}}".utf8)
        #expect(try Varlink.read(Lines.self, from: lines).document.text == "one\ntwo\\u{1b}")
        let refused = Array(
            "{\"error\":\"org.adhand.Control.SoundNotFound\",\"parameters\":{\"sound\":\"\\u001b]0;x\\u0007\"}}"
                .utf8)
        #expect(throws: ControlError.soundNotFound(sound: "\\u{1b}]0;x\\u{7}")) {
            try Varlink.read(Document.self, from: refused)
        }
    }

    @Test("Nor is what lies outside the basic plane hidden, raw or as a surrogate pair; what is no tag stays")
    func beyondTheBasicPlane() throws {
        let raw = Array(
            "{\"parameters\":{\"text\":\"a\u{E0041}b\\udb40\\udc41c\\uD83D\\uDD4C\u{1F54C}\\udb40\"}}".utf8)
        let shown = String(decoding: PlainText.visible(json: raw), as: UTF8.self)
        #expect(
            shown
                == "{\"parameters\":{\"text\":\"a\\\\u{e0041}b\\\\u{e0041}c\\uD83D\\uDD4C\u{1F54C}\\udb40\"}}"
        )
        let whole = Array("{\"parameters\":{\"text\":\"e\u{301}\u{E0041}\\udb40\\udc41\"}}".utf8)
        #expect(try Varlink.read(Document.self, from: whole).document.text == "e\u{301}\\u{e0041}\\u{e0041}")
        // Printed as JSON: an escape that reads as the same character.
        let printed = PlainText.printable(json: Array("\"\u{E0041}\u{1F54C}\"".utf8))
        #expect(String(decoding: printed, as: UTF8.self) == "\"\\udb40\\udc41\u{1F54C}\"")
        #expect(try JSON.decode(String.self, from: printed) == "\u{E0041}\u{1F54C}")
    }

    @Test("Damaged JSON does not disturb the door")
    func damaged() {
        for text in [
            "\\", "\"\\u", "\"\\u12", "\\u00", "\u{C2}", "{\"a\":\"\\ud800\\u\"}", "\u{E0041}",
            "\\udb40\\udc4", "\\ud800\\",
        ] {
            let bytes = Array(text.utf8)
            _ = PlainText.visible(json: bytes)
            for count in 0...bytes.count { _ = PlainText.printable(json: Array(bytes.prefix(count))) }
        }
    }
}
