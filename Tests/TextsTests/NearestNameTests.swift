import Testing

@testable import Texts

struct NearestNameTests {
    @Test(
        "The nearest name is offered only when it is near",
        arguments: [
            ("fajir", "fajr"), ("FAJR", "fajr"), ("duhr", "dhuhr"), ("magrib", "maghrib"), ("ihsa", "isha"),
            ("jumuah", "jumua"), ("asar", "asr"), ("zuhr", nil), ("sunrise", nil), ("", nil), ("x", nil),
        ] as [(String, String?)])
    func prayers(_ text: String, _ name: String?) {
        #expect(NearestName.of(text, among: Prayer.allCases.map(\.rawValue)) == name)
    }

    @Test(
        "A slip is a letter more, less, another, or two neighbours swapped",
        arguments: [
            ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("", "abc", 3), ("kitten", "sitting", 3),
        ])
    func distances(_ a: String, _ b: String, _ distance: Int) {
        #expect(NearestName.distance(Array(a), Array(b)) == distance)
        #expect(NearestName.distance(Array(b), Array(a)) == distance)
    }
}
