import Announcements
import BoxSupport
import Daemon
import PrayerEngine
import Settings
import Testing
import Texts

@testable import Protocol

@Suite("Events from the journal")
struct JournalEntryTests {
    @Test("An event comes back as it was sent; what is none is passed over")
    func reads() throws {
        let zone = try Zone(name: "America/New_York", posix: Box.newYork)
        let announcement = try #require(try Box().state.inputs.config[.asr].enabled ? "asr_20261120" : nil)
        let text = """
            {"__REALTIME_TIMESTAMP":"1795203063003000","MESSAGE":"Asr: adhan started","PRIORITY":"6","ADHAND_EVENT":"prayer.started","ADHAND_ID":"\(announcement)","ADHAND_PRAYER":"asr","ADHAND_LATENESS_MS":"3.1","ADHAND_DEVICE":"default"}
            {"__REALTIME_TIMESTAMP":"1795203063003000","MESSAGE":"Started adhand.service","PRIORITY":"6"}
            {"__REALTIME_TIMESTAMP":"1795203063003000","MESSAGE":[1,2],"PRIORITY":"6","ADHAND_EVENT":"x"}
            nonsense
            """
        let entries = LogEntry.entries(journal: text, in: zone)
        #expect(entries.count == 1)
        let entry = try #require(entries.first)
        #expect(entry.at.hasSuffix(".003-05:00") && entry.level == "info" && entry.event == "prayer.started")
        #expect(
            entry.id == announcement && entry.latenessMs == 3.1 && entry.device == "default"
                && entry.frames == nil)
        // Every field that a notice writes is one that is read.
        let written = try #require(Box().notices.first).journalFields(in: zone).map(\.name)
        #expect(written.allSatisfy(LogEntry.journalFields.contains))
    }
}
