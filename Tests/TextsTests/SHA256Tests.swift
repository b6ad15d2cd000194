import Testing

@testable import Texts

struct SHA256Tests {
    @Test(
        "A digest is 64 hexadecimal digits with small letters",
        arguments: [
            (SHA256.hex([]), true), (String(repeating: "0", count: 64), true),
            (String(repeating: "f", count: 64), true), (String(repeating: "f", count: 63), false),
            (String(repeating: "f", count: 65), false), (String(repeating: "F", count: 64), false),
            (String(repeating: "g", count: 64), false), (String(repeating: "é", count: 32), false),
            (String(repeating: "/", count: 64), false), ("", false),
        ])
    func form(_ text: String, _ isDigest: Bool) {
        #expect(SHA256.isHex(text) == isDigest)
    }
}
