import LabSupport
import PrayerEngine
import SeededRandom
import Settings
import StateFile
import Testing
import Texts

@testable import Announcements
@testable import Daemon
@testable import Protocol

@Suite("What an announcement is called")
struct AnnouncementIDTests {
    private static let friday = CivilDate(dayNumber: 20_777)

    static let written: [(AnnouncementID, String)] = [
        (.adhan(.fajr, on: friday), "fajr_20261120"),
        (.adhan(.jumua, on: friday), "jumua_20261120"),
        (.adhan(.jumua, slot: 2, on: friday), "jumua-2_20261120"),
        (.iqama(.fajr, on: friday), "iqama_fajr_20261120"),
        (.iqama(.jumua, slot: 3, on: friday), "iqama_jumua-3_20261120"),
        (.khutba(on: friday), "khutba_20261120"),
        (.khutba(slot: 2, on: friday), "khutba-2_20261120"),
        (.reminder(beforeSeconds: 600, .fajr, on: friday), "reminder-10m_fajr_20261120"),
        (.reminder(beforeSeconds: 5400, .jumua, slot: 2, on: friday), "reminder-1h30m_jumua-2_20261120"),
        (.simulated(.asr, serial: 3, at: Instant(unixSeconds: 1_795_197_600)), "trigger-3_asr_1795197600"),
        (.test(.isha, serial: 12), "test-12_isha"),
        (.adhan(.fajr, on: CivilDate(dayNumber: -719_162)), "fajr_00010101"),
    ]

    @Test("Each is written as ever, and read back as it was", arguments: written)
    func roundTrip(id: AnnouncementID, text: String) {
        #expect(id.description == text)
        #expect(AnnouncementID(text) == id)
    }

    @Test(
        "What is not written like that is no identity",
        arguments: [
            "", "_", "fajr", "fajr_", "fajr_2026112", "fajr_20261131", "Fajr_20261120", "fajr-1_20261120",
            "fajr-0_20261120", "fajr-02_20261120", "fahr_20261120", "reminder_fajr_20261120",
            "reminder-600s_fajr_20261120", "reminder-10m_20261120", "trigger_asr_1", "trigger-1_asr_x",
            "trigger-1_asr_01", "trigger-1_asr-2_1", "khutba-1_20261120", "khutba_jumua_20261120",
            "iqama-1_fajr_20261120", "test-1_asr-2", "fajr_20261120_", "fajr_+2026112", "fajr_20261120\n",
        ])
    func refused(text: String) {
        #expect(AnnouncementID(text) == nil)
    }

    @Test("A mute of the next adhan is about it and what goes with it, not about another congregation")
    func mutedNext() {
        let second = AnnouncementID.adhan(.jumua, slot: 2, on: Self.friday)
        let mute = Mute.next(Announcement(second, at: Instant(unixSeconds: 0), settings: .init()))
        func silences(_ id: AnnouncementID) -> Bool {
            let announcement = Announcement(id, at: Instant(unixSeconds: 0), settings: .init())
            return mute.silences(announcement, at: Instant(unixSeconds: 0))
        }
        #expect(silences(second))
        #expect(silences(.reminder(beforeSeconds: 600, .jumua, slot: 2, on: Self.friday)))
        #expect(silences(.iqama(.jumua, slot: 2, on: Self.friday)))
        #expect(!silences(.adhan(.jumua, on: Self.friday)))
        #expect(!silences(.simulated(.jumua, serial: 2, at: Instant(unixSeconds: 0))))
        #expect(!silences(.adhan(.jumua, slot: 2, on: Self.friday.adding(days: 7))))
    }

    @Test("Two congregations of one Friday within the hour are two calls; one prayer under two dates is one")
    func twins() {
        let at = Instant(unixSeconds: 1_795_197_600)
        var handled = HandledIds()
        handled.set(.played, of: "jumua_20261120", at: at)
        func twin(_ id: AnnouncementID, _ instant: Instant) -> AnnouncementID? {
            handled.twin(of: Announcement(id, at: instant, settings: .init()))
        }
        #expect(twin("jumua-2_20261120", at + 1800) == nil)
        #expect(twin("iqama_jumua_20261120", at + 900) == nil)
        #expect(twin("dhuhr_20261121", at + 60) == "jumua_20261120")
        #expect(twin("dhuhr_20261121", at + 3601) == nil)
        #expect(twin("asr_20261120", at + 60) == nil)
    }

    /// A clock that was set back goes through days once more whose outcomes are old: protected, they must not drive out those of the
    /// days to come.
    @Test("What is protected pushes nothing out that is newer")
    func protection() throws {
        let first = try #require(CivilDate("2026-01-01"))
        let at = Instant(unixSeconds: 0)
        func id(_ number: Int) -> AnnouncementID { .adhan(.fajr, on: first.adding(days: number)) }
        var handled = HandledIds()
        for number in 0..<HandledIds.capacity { handled.set(.played, of: id(number), at: at) }
        let newest = id(HandledIds.capacity - 1)
        let today = (0..<50).map(id)
        for number in 0..<(HandledIds.capacity - today.count - 1) {
            handled.protect(today)
            handled.set(.played, of: id(10_000 + number), at: at)
        }
        #expect(today.allSatisfy { handled[$0] == .played })
        #expect(handled[newest] == .played)
        #expect(handled[id(today.count)] == nil)
    }

    @Test("The date of an identity is known, also of a kind that is not")
    func dates() throws {
        let date = try #require(CivilDate("2026-11-20"))
        let planned = [
            AnnouncementID.adhan(.jumua, slot: 2, on: date), .iqama(.fajr, on: date), .khutba(on: date),
            .reminder(beforeSeconds: 600, .asr, on: date), .call("tahajjud", on: date), .imsak(on: date),
        ]
        for id in planned { #expect(AnnouncementID.date(in: id.description) == id.date, "\(id)") }
        #expect(AnnouncementID.date(in: "eclipse_20261120") == date)
        let at = Instant(unixSeconds: 1_795_197_600)
        for id in [AnnouncementID.simulated(.asr, serial: 3, at: at), .test(.fajr, serial: 4)] {
            #expect(AnnouncementID.date(in: id.description) == nil)
        }
        for text in ["", "fajr", "fajr_20261320", "fajr_2026112", "20261120_fajr"] {
            #expect(AnnouncementID.date(in: text) == nil, "\(text)")
        }
    }

    @Test("Of what is learnt later the newest takes the room that is left, and is the first to go")
    func learning() throws {
        let first = try #require(CivilDate("2026-01-01"))
        let at = Instant(unixSeconds: 0)
        func id(_ number: Int) -> AnnouncementID { .adhan(.fajr, on: first.adding(days: number)) }
        var handled = HandledIds()
        for number in 30..<HandledIds.capacity + 20 { handled.set(.played, of: id(number), at: at) }
        handled.learn(
            older: (0..<31).map { HandledAnnouncement(id: id($0), outcome: .missed, at: at) })
        #expect(handled.inOrder.map(\.id) == (0..<HandledIds.capacity + 20).map(id))
        handled = HandledIds()
        for number in 30..<HandledIds.capacity + 20 { handled.set(.played, of: id(number), at: at) }
        handled.learn(
            older: (0..<31).map { HandledAnnouncement(id: id($0), outcome: .interrupted, at: at) })
        #expect(handled.inOrder.map(\.id) == (20..<HandledIds.capacity + 20).map(id))
        #expect(handled[id(30)] == .played)
        handled.set(.played, of: id(5000), at: at)
        #expect(handled[id(20)] == nil && handled[id(21)] == .interrupted)
    }

    /// They are kept and not looked for at every event: nothing that comes, goes or is dropped may leave them behind.
    @Test(
        "The adhans lost since one was played are those of the records, whatever comes, goes and is dropped")
    func lost() throws {
        let first = try #require(CivilDate("2026-01-01"))
        var random = SplitMix64(seed: 26)
        var handled = HandledIds()
        func id() -> AnnouncementID {
            let date = first.adding(days: Int.random(in: 0..<4000, using: &random))
            return Bool.random(using: &random) ? .adhan(.fajr, on: date) : .iqama(.fajr, on: date)
        }
        func entry() -> HandledAnnouncement {
            let outcomes: [Outcome] = [.missed, .missed, .missed, .failed, .muted, .interrupted]
            // Rare enough that the oldest record, which is dropped, is of one that was lost since.
            let isPlayed = Int.random(in: 0..<3000, using: &random) == 0
            return HandledAnnouncement(
                id: id(), outcome: isPlayed ? .played : outcomes.randomElement(using: &random) ?? .missed,
                at: Instant(unixSeconds: Double.random(in: 0..<1e9, using: &random)))
        }
        for number in 0..<6000 {
            switch number % 10 {
            case 0: handled.remove(id())
            case 1 where number % 500 == 1: handled.learn(older: (0..<5).map { _ in entry() })
            default:
                let one = entry()
                handled.set(one.outcome, of: one.id, at: one.at)
            }
            guard number % 20 == 3 else { continue }
            let all = handled.inOrder.filter { $0.id.kind == .adhan }
            let since = (all.lastIndex { $0.outcome.isHeardSomewhere } ?? -1) + 1
            let lost = all[since...].filter { [.missed, .failed].contains($0.outcome) }
            #expect(handled.adhansLostSincePlayed == lost.sorted { $0.at < $1.at })
        }
    }
}
