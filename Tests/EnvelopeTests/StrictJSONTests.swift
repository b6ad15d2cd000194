import Testing

@testable import Envelope

@Suite("Strict JSON")
struct StrictJSONTests {
    private func value(_ text: String) -> StrictJSON? { try? StrictJSON(Array(text.utf8)) }

    @Test("What RFC 8259 allows, with whole numbers and each key once")
    func valid() {
        #expect(value(" [1, -2,\t0 ]\n") == .list([.integer(1), .integer(-2), .integer(0)]))
        #expect(value(#"{"a":{"b":[]},"c":null}"#) == .object(["a": .object(["b": .list([])]), "c": .null]))
        #expect(value(#""\u00e9\ud83d\ude00\n\/""#) == .text("é😀\n/"))
        #expect(value("[true,false]") == .list([.flag(true), .flag(false)]))
    }

    @Test(
        "Everything else is refused",
        arguments: [
            "", " ", "{", "[", "[1", "[1,]", #"{"a":1,}"#, #"{"a"}"#, #"{a:1}"#, "tru", "nul", "01", "-",
            "+1", "1.5",
            "1e2", "[1]x", "\"", "\"a\n\"", #""\x""#, #""\u12""#, #""\ud800""#, #""\ud800\u0041""#,
            #""\udc00""#,
            #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, "9007199254740992", "-9007199254740992",
            "[[[[[[[[[1]]]]]]]]]", "'a'", "NaN",
        ])
    func invalid(_ text: String) {
        #expect(value(text) == nil)
    }

    @Test("Bytes that are no UTF-8 are refused; so is a byte order mark")
    func bytes() {
        #expect((try? StrictJSON([0x22, 0xFF, 0x22])) == nil)
        #expect((try? StrictJSON([0xEF, 0xBB, 0xBF, 0x31])) == nil)
    }
}
