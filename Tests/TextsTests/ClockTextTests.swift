import Testing

@testable import Texts

struct ClockTextTests {
    @Test(
        "A time of day has hours and minutes, and may have seconds",
        arguments: [
            ("14:00", 50_400), ("9:05", 32_700), ("09:5", 32_700), ("0:00", 0), ("23:59:59", 86_399),
            ("24:00", nil), ("14:60", nil), ("14:00:60", nil), ("14", nil), ("14:", nil), (":30", nil),
            ("014:00", nil), ("14:00:00:00", nil), ("-1:30", nil), ("+1:30", nil), (" 1:30", nil), ("", nil),
            ("١٤:٠٠", nil),
        ] as [(String, Int?)])
    func secondOfDay(_ text: String, _ second: Int?) {
        #expect(ClockText.secondOfDay(text) == second)
    }

    @Test(
        "A cell of a table has two digits of each",
        arguments: [
            ("05:44", 344), ("23:59", 1439), ("5:44", nil), ("5:044", nil), ("05:4", nil), ("24:00", nil),
            ("05:60", nil), ("1:2:3", nil), ("12:3:", nil), ("05:44:00", nil), ("٠٥:", nil),
        ] as [(String, Int?)])
    func parse(_ text: String, _ minutes: Int?) {
        #expect(ClockText.parse(text) == minutes)
    }
}
