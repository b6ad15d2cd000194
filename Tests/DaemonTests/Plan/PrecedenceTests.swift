import PrayerEngine
import Protocol
import Settings
import Testing

@testable import Announcements
@testable import Daemon
@testable import Texts

@Suite("Who gives way to whom")
struct PrecedenceTests {
    private static let start = Instant(unixSeconds: 1_795_197_600)
    private static let date = CivilDate(dayNumber: 20_777)

    private func adhan(_ seconds: Double, _ prayer: Prayer = .asr) -> Announcement {
        Announcement(.adhan(prayer, on: Self.date), at: Self.start + seconds, settings: .init())
    }

    private func trigger(_ seconds: Double) -> Announcement {
        let at = Self.start + seconds
        return Announcement(.simulated(.isha, serial: 1, at: at), at: at, settings: .init())
    }

    private func reminder(_ seconds: Double, before: Double = 600) -> Announcement {
        Announcement(
            .reminder(beforeSeconds: before, .isha, on: Self.date), at: Self.start + seconds,
            settings: .init())
    }

    private func reason(_ announcement: Announcement, _ competitor: Precedence.Competitor) -> String? {
        Precedence.yielding(of: announcement, at: announcement.at, to: competitor)?.reason
    }

    @Test(
        "What sounds is taken over by everything but a reminder, and a reminder takes over from reminders alone"
    )
    func sounding() {
        #expect(reason(reminder(0), .sounding(adhan(-60))) == "Asr was sounding")
        #expect(reason(reminder(0), .sounding(trigger(-60))) == "Isha (simulated) was sounding")
        #expect(reason(reminder(0), .sounding(reminder(-60, before: 660))) == nil)
        #expect(reason(trigger(0), .sounding(adhan(-60))) == nil)
        #expect(reason(adhan(0), .sounding(trigger(-60))) == nil)
    }

    @Test("What is about to take the device ends nothing that was heard for a moment only, unless it is less")
    func coming() {
        #expect(reason(reminder(0), .coming(adhan(2), leadSeconds: 2.3)) == "Asr was about to sound")
        #expect(reason(reminder(0), .coming(adhan(3), leadSeconds: 2.3)) == nil)
        #expect(reason(reminder(0), .coming(reminder(2, before: 598), leadSeconds: 2.3)) == nil)
        #expect(reason(trigger(0), .coming(adhan(2), leadSeconds: 2.3)) == "Asr was about to sound")
        #expect(
            reason(trigger(0), .coming(trigger(2), leadSeconds: 2.3)) == "Isha (simulated) was about to sound"
        )
        // A test never silences an adhan.
        #expect(reason(adhan(0), .coming(trigger(2), leadSeconds: 2.3)) == nil)
        #expect(reason(adhan(0), .coming(adhan(2, .isha), leadSeconds: 2.3)) == "Isha was about to sound")
    }

    @Test("Of several that are due an adhan is called before anything else, and of two the later")
    func due() {
        #expect(Precedence.winner(of: [adhan(-90), trigger(-1), reminder(0)]) == adhan(-90))
        #expect(Precedence.winner(of: [trigger(-9), reminder(0)]) == trigger(-9))
        #expect(Precedence.winner(of: [adhan(-9), adhan(-90, .isha)]) == adhan(-9))
        #expect(Precedence.winner(of: []) == nil)
        #expect(
            reason(trigger(0), .due(adhan(-90))) == "it gave way to Asr, which was due as well")
        #expect(reason(adhan(-90), .due(trigger(0))) == nil)
    }

    @Test("What is prepared is what will be called, whatever order it comes in")
    func prepared() {
        func heard(_ coming: [Announcement], beside sounding: [Announcement] = []) -> [Announcement] {
            Precedence.audible(of: coming, beside: sounding, leadSeconds: { _ in 2.3 })
        }
        #expect(heard([reminder(5), adhan(5)]) == [adhan(5)])
        #expect(heard([adhan(5), reminder(8)]) == [adhan(5)])
        #expect(heard([reminder(0), adhan(5)]) == [reminder(0), adhan(5)])
        #expect(heard([trigger(4), adhan(5)]) == [adhan(5)])
        #expect(heard([adhan(5), trigger(6)]) == [adhan(5), trigger(6)])
        #expect(heard([adhan(5), trigger(5)]) == [adhan(5)])
        #expect(heard([reminder(5)], beside: [adhan(-60)]).isEmpty)
        #expect(heard([adhan(5)], beside: [trigger(-60)]) == [adhan(5)])
    }

    @Test("What gives way at its own instant takes no device before, however early it would be started")
    func givesWayAtItsOwn() {
        let iqama = Announcement(.iqama(.asr, on: Self.date), at: Self.start + 5, settings: .init())
        let heard = Precedence.audible(
            of: [reminder(0), iqama, adhan(5)], beside: [], leadSeconds: { $0 == iqama ? 11 : 2.3 })
        #expect(heard == [reminder(0), adhan(5)])
    }
}
