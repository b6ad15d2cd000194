import LabSupport
import SeededRandom
import Testing

@testable import Settings

struct ConfigDamageTests {
    @Test(
        "A damaged file either still means something, which printing keeps, or is one sentence about a place in it"
    )
    func damage() throws {
        var random = SplitMix64(seed: 6)
        let originals = [ConfigLoaderTests.everything, Config.defaultText].map { Array($0.utf8) }
        var refused = 0
        for _ in 0..<RandomCases.count(1000) {
            var bytes = originals.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = Int.random(in: 0...bytes.count, using: &random)
                let end = min(bytes.count, start + ([0, 0, 1, 5].randomElement(using: &random) ?? 0))
                bytes.replaceSubrange(start..<end, with: Self.pieces.randomElement(using: &random) ?? [])
            }
            do throws(ConfigError) {
                let config = try ConfigLoader.load(text: bytes, file: "f")
                #expect(try ConfigLoader.load(text: config.printed(), file: "printed") == config)
            } catch {
                refused += 1
                let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                let isInside = (1...(lines.count + 1)).contains(error.line)
                #expect(isInside, "\(error.message)")
                let length = isInside && error.line <= lines.count ? lines[error.line - 1].count : 0
                #expect((1...(length + 1)).contains(error.column), "\(error.message)")
                #expect(!error.reason.isEmpty && !error.reason.contains("\n"), "\(error.message)")
            }
        }
        #expect(refused > RandomCases.count(300))
    }

    @Test("No text of any tokens, however they are strewn, ends the program")
    func strewn() {
        var random = SplitMix64(seed: 9)
        var accepted = 0
        // Text that is no UTF-8 or has a NUL never comes as far as the tokens.
        let texts = Self.pieces.filter { String(validating: $0, as: UTF8.self) != nil && !$0.contains(0) }
        for _ in 0..<RandomCases.count(5000) {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...14, using: &random) {
                bytes += texts.randomElement(using: &random) ?? []
                if Bool.random(using: &random) { bytes += Self.words.randomElement(using: &random) ?? [] }
            }
            if (try? ConfigLoader.load(text: bytes, file: "f")) != nil { accepted += 1 }
        }
        #expect(accepted > RandomCases.count(10))
    }

    private static let words = [
        "a", "adhan", "[adhan]", "volume", "=", " = ", "80", "\"10m\"", "[", "]", ",", "\n", "{ a = 1 }",
        "# c\n",
    ].map { Array($0.utf8) }

    /// Bytes that break texts.
    private static let pieces =
        [
            "[", "]", "\"", "'", "'''", "=", ".", ",", "#", "\n", "{", "}", "\\", "\u{0}", "é", "\r", "-",
            "nan", "_", "+", ":", "\u{A0}", "\u{85}", "\u{2028}", "\u{B}", "\u{C}", "\u{FEFF}", "0x",
            "1e", "t", "f",
            "i", "\"\"\"", "[[", "= [", "= {", "1979-", "07:", "\u{7F}", "e", "0", "  ",
        ]
        .map { Array($0.utf8) } + [[0xFF], [0xC3]]
}
