import LabSupport
import SeededRandom
import Testing

@testable import Settings
@testable import TOML

@Suite("TOML 1.0")
struct TOMLDocumentTests {
    @Test(
        "Values are what the specification says",
        arguments: [
            ("0", .integer(0)), ("+99", .integer(99)), ("-17", .integer(-17)), ("1_000", .integer(1000)),
            ("0xDEAD_beef", .integer(0xDEAD_BEEF)), ("0o755", .integer(0o755)), ("0b1101", .integer(13)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("-0", .integer(0)), ("3.1415", .number(3.1415)), ("-0.01", .number(-0.01)),
            ("5e+22", .number(5e22)), ("1E06", .number(1e6)), ("6.626e-34", .number(6.626e-34)),
            ("224_617.445_991", .number(224_617.445991)), ("inf", .number(.infinity)),
            ("-inf", .number(-.infinity)), ("+inf", .number(.infinity)), ("true", .flag(true)),
            ("false", .flag(false)), ("''", .text("")), ("\"\"", .text("")), ("'C:\\x'", .text("C:\\x")),
            ("\"a\\tb\\n\\u00e9\\U0001F54C\\\"\\\\\"", .text("a\tb\n\u{e9}\u{1F54C}\"\\")),
            ("\"\t\"", .text("\t")), ("\"\"\"\na\nb\"\"\"", .text("a\nb")),
            ("\"\"\"a\\\n   \n  b\"\"\"", .text("ab")), ("\"\"\"\"a\"\"\"\"\"", .text("\"a\"\"")),
            ("'''\n'a'''", .text("'a")), ("'''a\\\nb'''", .text("a\\\nb")),
            ("\"\"\"a\r\nb\"\"\"", .text("a\nb")), ("1979-05-27", .date("1979-05-27")),
            ("1979-05-27T00:32:00.999-07:00", .date("1979-05-27T00:32:00.999-07:00")),
            ("1979-05-27 07:32:00z", .date("1979-05-27 07:32:00z")), ("23:59:60", .date("23:59:60")),
            ("2024-02-29", .date("2024-02-29")),
        ] as [(String, TOMLDocument.Value)])
    func values(_ written: String, _ value: TOMLDocument.Value) throws {
        for text in [
            "a = \(written)", "a=\(written)\n", " a\t=  \(written)\t # b\r\n", "a = [\n\(written)\n]",
        ] {
            let document = TOMLDocument(Array(text.utf8))
            #expect(document.faults.isEmpty, "\(text)")
            #expect(document.nodes.last?.value == value, "\(text)")
        }
    }

    @Test(
        "What is no value is a fault, and the next line is read all the same",
        arguments: [
            "", "01", "-01", "00.5", "1.", ".5", "1.e3", "1e", "1__0", "_1", "1_", "0x", "0xg", "+0x1", "0X1",
            "0b2",
            "True", "FALSE", "nil", "Inf", "+nan_", "1 2", "9223372036854775808", "1979-02-30", "1900-02-29",
            "1979-13-01", "1979-5-27", "24:00:00", "07:60:00", "07:32", "1979-05-27T",
            "1979-05-27T07:32:00+24:00",
            "1979-05-27 07:32:00.", "'a", "\"a", "\"\\x\"", "\"\\u00\"", "\"\\uD800\"", "\"\\U00110000\"",
            "\"a\u{1}b\"",
            "'a\u{7F}b'", "“a”", "a", "[1 2]", "[1,,2]", "[,1]", "{a = 1,}", "{a = 1 b = 2}", "{a 1}", "{,}",
            "1,5",
            "40°", "80%", "\"a\" \"b\"", "=1", "# 1",
        ])
    func faults(_ written: String) {
        let text = "[t]\nx = \(written)\ny = 1\n"
        let document = TOMLDocument(Array(text.utf8))
        #expect(document.faults.count == 1, "\(document.faults)")
        #expect(document.node(["t", "y"]).map { document.nodes[$0].value } == .integer(1))
        #expect(
            (document.faults.first?.offset ?? 0) >= 4
                && (document.faults.first?.offset ?? 99) <= text.utf8.count)
    }

    @Test(
        "Keys and tables that the specification refuses are refused",
        arguments: [
            "a = 1\na = 2", "a.b = 1\na.b = 2", "a = 1\na.b = 2", "[a]\n[a]", "[a]\nb = 1\n[a.b]",
            "[a.b]\n[a]\nb = 1",
            "a = {}\n[a]", "a = {}\na.b = 1", "a = {b = {}}\na.b.c = 1", "a = []\n[[a]]", "[[a]]\n[a]",
            "[a]\n[[a]]",
            "a.b = 1\n[a]", "[a.b.c]\nz = 9\n[a]\nb.c.t = 9", "[a]\n[a.b]\n[a]", "a = {b.c = 1, b = 2}", "[]",
            "[a",
            "[a.]", "[.a]", "[a] b = 1", "a", "= 1", "a b = 1", "a = 1 b = 2", "\"\"\"a\"\"\" = 1", "é = 1",
            "[[a]",
            "[ [a]]", "a.\nb = 1", "a = [1", "a = {b = 1\n}", "# \u{1}", "a = 1\rb = 2", "a. = 1",
            "'a\nb' = 1",
        ])
    func refused(_ text: String) {
        #expect(!TOMLDocument(Array(text.utf8)).faults.isEmpty)
    }

    @Test(
        "Keys and tables that the specification allows are allowed",
        arguments: [
            "", "\u{FEFF}a = 1", "a.b = 1\na.c = 2", "[a.b]\n[a]\nc = 1", "[a]\n[a.b]\n[a.b.c]",
            "a.b.c = 1\n[a.b.d]",
            "[[a]]\n[a.b]\n[[a]]\n[a.b]", "\"\" = 1", "'a.b' = 1\na.b = 2", "1.2 = 3\n3.14 = 1", "a = {}",
            "a = [{}, {b = []}]",
            "a = [1, 'x', [true],]", "[a]\r\nb = 1\r\n", "[[a.b]]\n[[a.b]]\nc = 1",
            "a = { b.c = 1, b.d = 2 }",
            "[ a . 'b' ]", "#", "\t\n \n",
        ])
    func allowed(_ text: String) {
        #expect(TOMLDocument(Array(text.utf8)).faults.isEmpty)
    }

    @Test("Every fault is reported, each once, and what is right between them is read")
    func several() throws {
        let text = "a = 1,5\n[b\nc = 2\n[d]\ne = [\n 1,\n \"x\nf = 3\ng == 4\nh = \"ok\"\n[d]\ni = 1\n"
        let document = TOMLDocument(Array(text.utf8))
        #expect(
            document.faults.map { TextPosition(offset: $0.offset, in: Array(text.utf8)).line } == [
                1, 2, 7, 9, 11,
            ])
        #expect(document.node(["b", "c"]) != nil && document.node(["d", "f"]) != nil)
        #expect(document.node(["d", "h"]).map { document.nodes[$0].value } == .text("ok"))
        #expect(document.faults[0].path == ["a"] && document.faults[2].path == ["d", "e"])
        let many = TOMLDocument(Array(String(repeating: "=\n", count: 100_000).utf8))
        #expect(many.faults.count == TOMLDocument.mostFaults)
    }

    @Test("Whatever the bytes are, the end is reached soon and everything lies within them")
    func anything() {
        var random = SplitMix64(seed: 12)
        let tokens =
            [
                "[", "]", "[[", "]]", "{", "}", "\"", "'", "\"\"\"", "'''", "=", ".", ",", "#", "\n", "\r\n",
                "\r", "\\",
                " ", "a", "b", "1", "-", "+", "_", ":", "1979-05-27", "07:32:00", "true", "inf", "0x", "é",
                "\u{FEFF}",
                "\\u0041", "\t", "\u{0}", "a = ", "[a.b]\n", "\n\n", "e1",
            ].map { Array($0.utf8) } + [[0xFF], [0xC3]]
        var accepted = 0
        for _ in 0..<RandomCases.count(20_000) {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...16, using: &random) {
                bytes += tokens.randomElement(using: &random) ?? []
            }
            let document = TOMLDocument(bytes)
            if document.faults.isEmpty { accepted += 1 }
            expectSound(document, bytes)
        }
        #expect(accepted > RandomCases.count(300))
        let whole = Array((ConfigLoaderTests.everything + "\n[[x.y]]\na=[{b='''\n'''},{}]\n").utf8)
        for length in whole.indices {
            expectSound(TOMLDocument(Array(whole.prefix(length))), Array(whole.prefix(length)))
            expectSound(TOMLDocument(Array(whole.suffix(length))), Array(whole.suffix(length)))
        }
    }

    private func expectSound(_ document: TOMLDocument, _ bytes: [UInt8]) {
        let isSound =
            document.nodes.count <= bytes.count + 1 && document.faults.count <= TOMLDocument.mostFaults
            && document.faults.allSatisfy { (0...bytes.count).contains($0.offset) }
            && document.nodes.enumerated().allSatisfy { index, node in
                (node.parent ?? -1) < index && node.range.lowerBound >= 0
                    && node.range.upperBound <= bytes.count
            }
        #expect(isSound, "\(bytes)")
    }

    @Test("Depth and length are bounded")
    func bounds() {
        let clock = ContinuousClock()
        let time = clock.measure {
            for text in [
                String(repeating: "[", count: 200_000), "a = " + String(repeating: "[", count: 200_000),
                String(repeating: "a.", count: 100_000) + "a = 1",
                "a = " + String(repeating: "{a=", count: 100_000),
                String(repeating: "\"\"\"\n", count: 100_001), String(repeating: "a = [\n", count: 100_000),
                "a = \"" + String(repeating: "\\", count: 100_001),
                String(repeating: "a = {\n", count: 100_000),
            ] {
                #expect(!TOMLDocument(Array(text.utf8)).faults.isEmpty)
            }
        }
        // A second on a slow machine that is busy, built without optimisation; quadratic work would take minutes.
        #expect(time < .seconds(60))
        let deep = "a = " + String(repeating: "[", count: 31) + String(repeating: "]", count: 31)
        #expect(TOMLDocument(Array(deep.utf8)).faults.isEmpty)
        let deeper = "a = " + String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect(TOMLDocument(Array(deeper.utf8)).faults.first?.kind == .tooDeep)
    }
}
