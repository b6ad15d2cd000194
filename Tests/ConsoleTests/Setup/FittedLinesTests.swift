import Testing

@testable import Console

@Suite("Lines that fit a terminal")
struct FittedLinesTests {
    @Test(
        "Nothing of a line is lost, and no part is wider than the terminal", arguments: [20, 40, 60, 79, 200])
    func width(width: Int) {
        let lines = [
            "  Times depend on the place: 28 km to the west are a minute at the equator.",
            "  Fajr 05:12   Sunrise 06:44   Dhuhr 11:41   Asr 14:53   Maghrib 16:33   Isha 17:57", "",
            "short",
            "  東京 は 日本 の 首都 です 東京 は 日本 の 首都 です 東京 は 日本 の 首都",
        ]
        for line in lines {
            let parts = FittedLines.of(line, width: width)
            #expect(parts.allSatisfy { FittedLines.columns($0) <= width }, "\(parts)")
            let words = { (text: String) in text.split(separator: " ") }
            #expect(parts.flatMap(words) == words(line))
            #expect(parts.allSatisfy { line.hasPrefix("  ") == $0.hasPrefix("  ") })
        }
    }

    @Test("Items three spaces apart are broken between, not within")
    func items() {
        let parts = FittedLines.of("  Fajr 05:12   Sunrise 06:44   Dhuhr 11:41", width: 30)
        #expect(parts == ["  Fajr 05:12   Sunrise 06:44", "  Dhuhr 11:41"])
    }

    @Test("A word that is wider than the terminal stands alone")
    func longWord() {
        #expect(
            FittedLines.of("see /a/very/long/path/of/a/file now", width: 20) == [
                "see", "/a/very/long/path/of/a/file", "now",
            ])
    }
}
