import LabSupport
import PrayerEngine
import Testing
import Texts

@Suite("Instants and numbers as text")
struct InstantTextTests {
    @Test(
        "RFC 3339 is written and read back",
        arguments: [
            "2026-11-20T16:32:00.250-05:00", "2026-07-01T00:00:00.000-04:00", "1999-12-31T23:59:59.999-05:00",
        ])
    func roundTrip(text: String) throws {
        let zone = try Zone(name: "America/New_York", posix: "EST5EDT,M3.2.0,M11.1.0")
        #expect(InstantText.rfc3339(try instant(text), in: zone, milliseconds: true) == text)
    }

    @Test(
        "Anything else is not an instant",
        arguments: [
            "", "2026-11-20", "2026-11-20T16:32:00", "2026-02-30T00:00:00Z", "2026-11-20T24:00:00Z",
            "2026-11-20T16:32:00.Z",
            "2026-11-20T16:32:00+5:00", "2026-11-20 16:32:00Z", "2026-11-20T16:32:0xZ",
        ])
    func refused(text: String) {
        #expect(InstantText.parse(text) == nil)
    }

    @Test("Rounding carries over midnight instead of writing 24:00 or a thousandth too many")
    func carries() throws {
        let zone = try Zone(name: "UTC", posix: "UTC0")
        #expect(
            InstantText.rfc3339(Instant(unixSeconds: 86_399.9999), in: zone, milliseconds: true)
                == "1970-01-02T00:00:00.000+00:00")
        #expect(InstantText.rfc3339(Instant(unixSeconds: 86_399.6), in: zone) == "1970-01-02T00:00:00+00:00")
    }

    @Test(
        "Decimals are rounded away from zero on halves and never show a negative zero",
        arguments: [
            (3.14159, 2, "3.14"), (-0.04, 1, "0.0"), (2.5, 0, "3"), (-2.5, 0, "-3"), (0.996, 2, "1.00"),
            (12, 1, "12.0"),
        ])
    func decimals(value: Double, places: Int, text: String) {
        #expect(NumberText.decimals(value, places) == text)
    }
}
