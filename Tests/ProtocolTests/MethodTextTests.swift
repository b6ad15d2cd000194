import Protocol
import Testing

@Suite("The method in force, for people") struct MethodTextTests {
    private func names(_ method: String, _ calendar: String?) -> String? {
        CalculationBasics(
            method: method, asr: "standard", highLatitude: "auto", hijriCalendar: calendar
        ).names
    }

    @Test("A screen names authorities by their own names, once where both are one")
    func authorities() {
        #expect(
            names("moonsighting", "umm-al-qura") == "Moonsighting Committee Worldwide  ·  Umm al-Qura")
        #expect(names("umm-al-qura", "umm-al-qura") == "Umm al-Qura")
        #expect(names("diyanet", "diyanet") == "Diyanet")
        // Angles of one's own are nobody's.
        #expect(names("custom", "umm-al-qura") == "Umm al-Qura")
        #expect(names("mwl", nil) == nil)
    }
}
