import Testing

@testable import AdhanCore

struct ConfigDamageTests {
    @Test(
        "a damaged file either still means something, which printing keeps, or is one sentence about a place in it"
    )
    func damage() throws {
        var random = Seeded(state: 5)
        let originals = [ConfigLoaderTests.everything, Config.defaultText].map { Array($0.utf8) }
        let pieces =
            [
                "[", "]", "\"", "'", "'''", "=", ".", ",", "#", "\n", "{", "}", "\\", "\u{0}", "é", "\r", "-",
                "nan",
            ]
            .map { Array($0.utf8) } + [[0xFF], [0xC3]]
        var refused = 0
        for _ in 0..<30000 {
            var bytes = originals.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = Int.random(in: 0...bytes.count, using: &random)
                let end = min(bytes.count, start + ([0, 0, 1, 5].randomElement(using: &random) ?? 0))
                bytes.replaceSubrange(start..<end, with: pieces.randomElement(using: &random) ?? [])
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
        #expect(refused > 1000)
    }
}
