import Testing

@testable import Texts

struct DurationTextTests {
    @Test(
        "Durations are read as people write them",
        arguments: [
            ("90s", 90), ("10m", 600), ("2h", 7200), ("1h30m", 5400), ("1h1m1s", 3661), ("0s", 0),
            ("008m", 480),
            ("1h5s", 3605),
        ] as [(String, Double)])
    func read(_ text: String, _ seconds: Double) {
        #expect(DurationText.parse(text) == seconds)
    }

    @Test(
        "Anything else is not a duration",
        arguments: [
            "", "10", "m", "10 m", " 10m", "1.5h", "-5m", "+5m", "5m1h", "5m5m", "10M", "10min", "1d", "٥m",
            "1h30",
            "99999999999999999999s", "9999999h", "h1",
        ])
    func refuse(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        "Durations are written in their largest units",
        arguments: [
            (0, "0s"), (90, "1m30s"), (600, "10m"), (5400, "1h30m"), (3605, "1h5s"), (-1, "0s"), (.nan, "0s"),
            (.infinity, "0s"), (59.6, "1m"),
        ] as [(Double, String)])
    func write(_ seconds: Double, _ text: String) {
        #expect(DurationText.format(seconds) == text)
    }

    @Test(
        "Milliseconds are read where they are asked for, and only there",
        arguments: [
            ("250ms", 0.25), ("1s250ms", 1.25), ("1250ms", 1.25), ("0ms", 0), ("1m5ms", 60.005), ("5m", 300),
            ("1s", 1), ("0.25s", nil), ("ms", nil), ("1ms1s", nil), ("1s 250ms", nil), ("-1ms", nil),
            ("1hms", nil), ("1ms1ms", nil), ("99999999999ms", nil), ("999999999999999999999ms", nil),
            ("٥ms", nil),
        ] as [(String, Double?)])
    func exact(_ text: String, _ seconds: Double?) {
        #expect(DurationText.parseExact(text) == seconds)
        if text.hasSuffix("ms") { #expect(DurationText.parse(text) == nil) }
    }

    @Test("Milliseconds are written as they are read")
    func exactRoundTrip() {
        for milliseconds in stride(from: 0, through: 130_000, by: 7) {
            let seconds = Double(milliseconds) / 1000
            #expect(DurationText.parseExact(DurationText.formatExact(seconds)) == seconds)
        }
        for (seconds, text) in [
            (0.25, "250ms"), (1.5, "1s500ms"), (60.001, "1m1ms"), (90, "1m30s"), (0, "0s"), (0.0001, "0s"),
            (-1, "0s"), (.nan, "0s"), (.infinity, DurationText.format(.infinity)),
        ] as [(Double, String)] {
            #expect(DurationText.formatExact(seconds) == text)
        }
    }

    @Test("What is written is read back")
    func roundTrip() {
        for seconds in stride(from: 0.0, through: 90_000, by: 7) {
            #expect(DurationText.parse(DurationText.format(seconds)) == seconds)
        }
    }
}
