import BoxSupport
import LabSupport
import PrayerEngine
import Settings
import StateFile
import Testing
import Texts

@testable import Announcements
@testable import Console
@testable import ControlRules
@testable import Daemon
@testable import Protocol

/// A clock that is ahead for one start, by a dead battery or a typing mistake, and right afterwards.
struct ClockTrustTests {
    private static let right = "2026-11-20T12:30:00-05:00"
    private static let ahead = "2036-11-20T12:30:00-05:00"

    /// The disk's contents once a clock has been believed for so long that nobody vouches for.
    private func afterStart(_ clock: String, hours: Double, disk: SavedState? = nil) throws -> SavedState? {
        var box = try Box(clock, disk: disk, synchronized: false)
        // No device answers.
        box.ask(.mute(MuteParameters()))
        box.run(for: hours * 3600)
        return box.state.saved
    }

    /// A box without a battery shows the time at which it was switched off, which looks right.
    @Test("A clock that the machine does not know is not believed before a time server answers")
    func aClockThatTheMachineDoesNotKnowIsNotBelievedBeforeATimeServerAnswers() throws {
        var box = try Box(Self.right, synchronized: false)
        #expect(box.state.trust.trusted)
        box.handle(.clockHealth(ClockHealth(synchronized: false, isUnknown: true)))
        #expect(!box.state.trust.trusted && box.timers.allSatisfy { !$0.name.contains("_2026") })
        #expect(box.state.status(at: box.now).awaiting == .clock)
        // Setting it does not help while the machine says so.
        box.handle(.clockStepped(bySeconds: 60))
        #expect(!box.state.trust.trusted)
        box.handle(.clockHealth(ClockHealth(synchronized: true, isUnknown: true)))
        #expect(box.state.trust.trusted && box.timers.contains { $0.name.contains("asr_20261120") })
        box.handle(.clockHealth(ClockHealth(synchronized: false, isUnknown: true)))
        #expect(!box.state.trust.trusted)
        box.handle(.clockHealth(ClockHealth(synchronized: false)))
        #expect(box.state.trust.trusted)
    }

    @Test("A clock that was ahead for one start does not outweigh the right one")
    func aClockThatWasAheadForOneStartDoesNotOutweighTheRightOne() throws {
        var first = try Box(Self.right, synchronized: false)
        first.ask(
            .setException(
                ExceptionParameters(date: "2026-11-22", prayer: "dhuhr", adhan: nil, iqama: "13:20")))
        for clock in [Self.ahead, "2026-11-27T14:05:00-05:00"] {
            var wrong = try Box(clock, disk: first.state.saved, synchronized: false)
            #expect(wrong.state.trust.trusted)
            wrong.run(for: 6 * 3600)
            // A person decides something by this clock: earlier decisions stay.
            wrong.ask(
                .setException(
                    ExceptionParameters(date: "+0", prayer: "isha", adhan: nil, iqama: "21:20")))
            let box = try Box("2026-11-20T14:00:00-05:00", disk: wrong.state.saved, synchronized: false)
            #expect(box.state.trust.trusted, "after \(clock)")
            #expect(box.state.saved.exceptions.all.contains { $0.date.description == "2026-11-22" })
            #expect(box.timers.contains { $0.name.contains("asr_20261120") })
            #expect(box.state.status(at: box.now).next?.prayer == "asr")
        }
    }

    /// Set up by a clock that was ahead, a box is responsible from the first right one on.
    @Test("A box that was set up by a clock ahead records what it misses from the right time on")
    func aBoxThatWasSetUpAheadRecordsWhatItMisses() throws {
        let saved = try afterStart(Self.ahead, hours: 1)
        var box = try Box(Self.right, disk: saved, synchronized: false)
        #expect(box.state.saved.since == box.now)
        box.ask(.unmute)
        try box.sleep(until: "2026-11-20T16:00:00-05:00")
        #expect(box.history.contains { $0.id == "asr_20261120" && $0.outcome == .missed })
    }

    @Test("A clock that is synchronized, or ran for a day, is believed more than a new one")
    func aClockThatIsKeptRightOrWentOnForADayIsBelievedMore() throws {
        let synchronized = try Box("2026-11-27T14:05:00-05:00").state.saved
        let lasted = try afterStart("2026-11-25T14:05:00-05:00", hours: 49)
        for saved in [synchronized, lasted] {
            let box = try Box("2026-11-23T02:57:00-05:00", disk: saved, synchronized: false)
            #expect(!box.state.trust.trusted)
            let status = box.state.status(at: box.now)
            #expect(status.clock.seen != nil && status.awaiting == .clock)
            // Neither the status nor the journal says that somebody switched prayers off.
            let texts = [
                StatusText.render(status, .plain), NextText.render(status, .plain),
                box.notices.map(\.message).joined(separator: "\n"),
            ]
            for text in texts { #expect(!text.lowercased().contains("no prayer is enabled"), "\(text)") }
            for wrapped in [texts[0], texts[2]] {
                let text = wrapped.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(text.contains("sudo date --set=now"), "\(text)")
                #expect(text.contains("Monday 23 November 2026, 02:57"), "\(text)")
            }
        }
        let box = try Box("2026-11-23T02:57:00-05:00", disk: synchronized, synchronized: false)
        #expect(box.state.status(at: box.now).clock.seen?.hasPrefix("2026-11-27T14:05") == true)
    }

    /// `date --set=now` changes nothing, and vouches for what the clock shows, for the next start as well.
    @Test("A clock that is set to what it shows is believed, also at the next start")
    func setToWhatItShowsTheClockIsBelieved() throws {
        let saved = try Box("2026-11-27T14:05:00-05:00").state.saved
        var box = try Box("2026-11-23T02:57:00-05:00", disk: saved, synchronized: false)
        box.handle(.clockStepped(bySeconds: 0.000_01))
        #expect(box.state.trust.trusted)
        #expect(!box.notices.contains { $0.kind == .clockStepped })
        #expect(box.state.status(at: box.now).next?.prayer == "fajr")
        let again = try Box("2026-11-23T03:00:00-05:00", disk: box.disk, synchronized: false)
        #expect(again.state.trust.trusted)
    }

    /// A clock chip that dies while adhand runs says nothing of the time, and takes nothing away of what is known about it.
    @Test("A step to a time before the first adhand confirms no clock")
    func aStepToATimeBeforeAnyAdhandVouchesForNothing() throws {
        let saved = try Box("2026-11-23T14:05:00-05:00").state.saved
        var box = try Box("2026-11-23T14:10:00-05:00", disk: saved, synchronized: false)
        box.now = Instant(unixSeconds: 0)
        box.handle(.clockStepped(bySeconds: -1_795_461_000))
        #expect(!box.state.trust.trusted)
        #expect(box.state.saved.clock.confirmed == saved.clock.confirmed)
        let wrong = try Box("2026-03-01T08:00:00-05:00", disk: box.state.saved, synchronized: false)
        #expect(!wrong.state.trust.trusted)
    }

    /// A box without a network that is switched off every night: a day of running is a day.
    @Test("Days of running add up over restarts")
    func daysOfRunningAddUpOverRestarts() throws {
        var saved: SavedState?
        for day in 20...23 {
            saved = try afterStart("2026-11-\(day)T08:00:00-05:00", hours: 12, disk: saved)
        }
        let confirmed = try #require(saved?.clock.confirmed)
        #expect(try confirmed >= instant("2026-11-20T08:00:00-05:00"))
        // Its clock loses its battery.
        let dead = try Box("2026-06-01T08:00:00-04:00", disk: saved, synchronized: false)
        #expect(!dead.state.trust.trusted)
        #expect(try Box("2026-11-24T08:00:00-05:00", disk: saved, synchronized: false).state.trust.trusted)
    }

    @Test("The state of an older adhand counts as a time that was seen")
    func whatAnOlderAdhandSavedCountsAsSeen() throws {
        let saved = try Box("2026-11-27T14:05:00-05:00").state.saved
        let bytes = try saved.fileBytes()
        #expect(try SavedState(fileBytes: bytes).clock.confirmed == saved.clock.confirmed)
        let text = String(decoding: bytes, as: UTF8.self)
        let start = try #require(text.firstRange(of: "\"clock\" : {"))
        let end = try #require(text[start.lowerBound...].firstRange(of: "},"))
        let old = text[..<start.lowerBound] + text[end.upperBound...]
        let read = try SavedState(fileBytes: Array(old.utf8))
        #expect(read.clock.confirmed == read.resolvedThrough)
    }

    @Test("Exceptions expire only by a synchronized clock")
    func exceptionsAreForgottenOnlyByAClockThatIsKeptRight() throws {
        for synchronized in [true, false] {
            var box = try Box(Self.right)
            box.ask(
                .setException(
                    ExceptionParameters(date: "2026-11-21", prayer: "dhuhr", adhan: nil, iqama: "13:20")))
            var later = try Box("2027-03-01T12:00:00-05:00", disk: box.disk, synchronized: synchronized)
            later.ask(
                .setException(
                    ExceptionParameters(date: "2027-03-02", prayer: "dhuhr", adhan: nil, iqama: "13:20")))
            #expect(later.state.saved.exceptions.count == (synchronized ? 1 : 2))
        }
    }

    @Test("The history ages by its newest entry")
    func theHistoryAgesByItsNewestLine() throws {
        let newest = try instant("2026-11-20T12:30:00-05:00")
        let (soon, far) = (newest + 3600, newest + 10 * 366 * 86_400)
        #expect(HistoryAge.limit(newest: newest, now: far, isSynchronized: false) == nil)
        #expect(HistoryAge.limit(newest: nil, now: far, isSynchronized: true) == nil)
        for now in [soon, far] {
            #expect(
                HistoryAge.limit(newest: newest, now: now, isSynchronized: true)
                    == newest - HistoryAge.oldest)
        }
        // A line that a clock ahead has left behind makes the others no older.
        #expect(HistoryAge.limit(newest: far, now: soon, isSynchronized: true) == soon - HistoryAge.oldest)
    }
}
