import LabSupport
import PhoneRules
import SeededRandom
import Testing

@Suite("Forms")
struct FormTests {
    private func read(_ text: String) throws -> [[String]] {
        try Form(text.utf8).fields.map { [$0.name, $0.value] }
    }

    @Test("Fields come in their order, with spaces and letters of every script")
    func fields() throws {
        #expect(try read("") == [] && read("&&") == [])
        #expect(try read("for=30m") == [["for", "30m"]])
        #expect(try read("a+b=c%2Bd%0D%0A&x=&y") == [["a b", "c+d\r\n"], ["x", ""], ["y", ""]])
        #expect(try read("text=%D8%B9%D8%B4%D8%A7%D8%A1&a=b=c") == [["text", "عشاء"], ["a", "b=c"]])
    }

    @Test("A field that comes twice has no value of its own")
    func twice() throws {
        let form = try Form("a=1&a=2&b=3".utf8)
        #expect(form["a"] == nil && form["b"] == "3" && form["c"] == nil && form.all("a") == ["1", "2"])
    }

    @Test("Forms that no browser makes are refused")
    func refused() {
        for (text, reason) in [
            ("a=%", Form.UnreadableError.escape), ("a=%4", .escape), ("a=%zz", .escape), ("a=%00", .text),
            ("a=%ff", .text),
            ("a=%ED%A0%80", .text), ("=b", .name), (String(repeating: "n", count: 201), .name),
            (String(repeating: "a&", count: 257), .tooMany),
        ] {
            #expect(throws: reason) { try Form(text.utf8) }
        }
    }

    @Test("Damaged bodies are read or refused, and none is more than its bytes", arguments: 0..<4)
    func damaged(_ part: Int) {
        var random = SplitMix64(seed: UInt64(part))
        let whole = Array("k%20=45+%D8%B9&e=&x=c".utf8)
        let marks = Array("%&=+;\0\u{7F}09afAFg".utf8) + [0x80, 0xC3, 0xED, 0xFF]
        var (read, kept) = (0, 0)
        for _ in 0..<RandomCases.count(250_000) {
            var body = whole
            for _ in 0..<Int(random.next() % 4) + 1 {
                let at = Int(random.next() % UInt64(body.count))
                switch random.next() % 4 {
                case 0: body[at] = marks[Int(random.next() % UInt64(marks.count))]
                case 1: body[at] = UInt8(truncatingIfNeeded: random.next())
                case 2: if body.count > 1 { body.remove(at: at) }
                default: body.removeSubrange((at + 1)...)
                }
            }
            guard let form = try? Form(body) else { continue }
            read += 1
            // The reading is an act, or refused by its field.
            _ = try? Act.read([.set, .mute, .announcement][read % 3], form, role: .keeper)
            let size = form.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
            if size <= body.count { kept += 1 }
        }
        #expect(kept == read && read > RandomCases.count(10_000) && read < RandomCases.count(240_000))
    }
}
