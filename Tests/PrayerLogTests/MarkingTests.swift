import Languages
import PrayerEngine
import Testing
import Texts

@testable import PrayerLog

struct MarkingTests {
    private let day = "2026-11-20"  // a Friday

    private func marks(_ request: MarkRequest, _ hour: Int, _ minute: Int = 0, on day: String? = nil) throws
        -> [Mark]
    {
        try Fixture.marking(Fixture.today(day ?? self.day, hour, minute)).marks(request, source: .command)
    }

    private func refusal(_ request: MarkRequest, _ hour: Int, _ minute: Int = 0) -> String {
        do {
            return "\(try marks(request, hour, minute).map(\.status))"
        } catch {
            return (error as? MarkRefusal).map {
                Language.english.text($0, in: .utc, today: Fixture.date(day))
            } ?? "\(error)"
        }
    }

    @Test("Without a name, the prayer whose time has come is marked")
    func marksThePrayerWhoseTimeItIs() throws {
        let mark = try #require(try marks(MarkRequest(), 15, 20).first)
        #expect(mark.slot == PrayerSlot(Fixture.date(day), .asr))
        #expect(mark.status == .prayed)
        #expect(mark.at == Fixture.at(Fixture.date(day), 15, 20))
        #expect(
            mark.window
                == PrayerWindow(
                    start: Fixture.at(Fixture.date(day), 15), end: Fixture.at(Fixture.date(day), 18)))
    }

    /// To the second: asr begins at 15:00:00 and maghrib at 18:00:00.
    @Test(
        "The prayer to be marked changes at the second at which the next one begins",
        arguments: [
            (-1.0, DailyPrayer.dhuhr), (0.0, .asr), (3 * 3600.0 - 1, .asr), (3 * 3600.0, .maghrib),
        ])
    func changesAtTheInstant(_ after: Double, _ prayer: DailyPrayer) throws {
        let date = Fixture.date(day)
        let today = Today(now: Fixture.at(date, 15) + after, zone: .utc, windows: Fixture.windows)
        let slot = try Fixture.marking(today).marks(MarkRequest(), source: .command).first?.slot
        #expect(slot == PrayerSlot(date, prayer))
    }

    @Test("Isha after midnight belongs to yesterday")
    func ishaAfterMidnightIsYesterdays() throws {
        let yesterday = PrayerSlot(Fixture.date("2026-11-19"), .isha)
        #expect(try marks(MarkRequest(), 1, 30).first?.slot == yesterday)
        #expect(try marks(MarkRequest(prayer: .isha), 1, 30).first?.slot == yesterday)
        #expect(try marks(MarkRequest(prayer: .isha), 1, 30).first?.status == .prayed)
        // When fajr has come it is over.
        #expect(
            refusal(MarkRequest(prayer: .isha), 5, 0) == "Isha begins at 19:30; it can be marked from then on"
        )
    }

    @Test("A prayer of the future is refused, with the time from which it can be marked")
    func theFutureIsRefused() {
        #expect(
            refusal(MarkRequest(prayer: .asr), 14, 59) == "Asr begins at 15:00; it can be marked from then on"
        )
        #expect(
            refusal(MarkRequest(prayer: .asr, date: Fixture.date("2026-11-21")), 15)
                == "2026-11-21 is still to come; it is 2026-11-20 now")
        #expect(
            refusal(MarkRequest(prayer: .asr, timeOfDay: 17 * 3600), 16)
                == "17:00 is still to come; it is 16:00 now")
        #expect(
            refusal(MarkRequest(prayer: .asr, date: Fixture.date("9999-12-31")), 15)
                == "9999-12-31 is still to come; it is 2026-11-20 now")
        #expect(
            refusal(MarkRequest(prayer: .asr, date: Fixture.date("0026-11-20")), 15)
                == "0026-11-20 lies before 1900 (2026?)")
    }

    /// A machine without a clock battery would mark a prayer of 1970.
    @Test("A clock that is not set marks nothing")
    func aClockThatIsNotSetMarksNothing() {
        let today = Fixture.today("1970-01-02", 15, 20)
        #expect(throws: MarkRefusal.clockNotSet(today.now)) {
            try Fixture.marking(today).marks(MarkRequest(), source: .command)
        }
        #expect(
            Language.english.text(.clockNotSet(today.now), in: .utc, today: today.date)
                == "The clock shows 1970-01-02, so it is not set; set it and mark the prayer then")
    }

    @Test("Between two prayer times the refusal names the command to type")
    func noPrayersTimeNamesWhatToDo() {
        #expect(
            refusal(MarkRequest(), 8)
                == "It is not the time of any prayer now; name the one that you mean: prayed fajr"
        )
    }

    @Test("The time of a prayer decides between prayed, late and made up")
    func theInstantSaysHowItWasPrayed() throws {
        func status(_ time: (Int, Int)?, _ prayer: Prayer, now: Int, date: String? = nil) throws
            -> MarkStatus?
        {
            try marks(
                MarkRequest(
                    prayer: prayer, date: date.map(Fixture.date),
                    timeOfDay: time.map { $0.0 * 3600 + $0.1 * 60 }), now
            ).first?.status
        }
        #expect(try status(nil, .fajr, now: 6) == .prayed)
        #expect(try status(nil, .fajr, now: 9) == .late)
        #expect(try status((5, 40), .fajr, now: 9) == .prayed)
        #expect(try status((7, 0), .fajr, now: 9) == .late)
        #expect(try status(nil, .fajr, now: 9, date: "2026-11-18") == .prayed)
        #expect(try status((7, 0), .fajr, now: 9, date: "2026-11-18") == .late)
        // After midnight it is still the isha of the day before.
        #expect(try status((1, 0), .isha, now: 9, date: "2026-11-18") == .prayed)
        let fajr = PrayerSlot(Fixture.date(day), .fajr)
        #expect(throws: MarkRefusal.notYet(fajr, begins: Fixture.at(fajr.date, 5))) {
            try marks(MarkRequest(prayer: .fajr, date: Fixture.date("2026-11-20"), timeOfDay: 4 * 3600), 9)
                .first
        }
    }

    @Test("Jumu'ah is marked as the Dhuhr of a Friday")
    func fridaysPrayerIsDhuhr() throws {
        #expect(try marks(MarkRequest(prayer: .jumua), 13).first?.slot.prayer == .dhuhr)
        #expect(try marks(MarkRequest(prayer: .dhuhr), 13).first?.slot.prayer == .dhuhr)
        #expect(
            refusal(MarkRequest(prayer: .jumua, date: Fixture.date("2026-11-19")), 13)
                == "2026-11-19 is not a Friday; its prayer is Dhuhr")
    }

    @Test("An excuse covers whole days, or one prayer that is named")
    func anExcuseIsOfWholeDays() throws {
        let request = MarkRequest(
            date: Fixture.date("2026-11-18"), until: Fixture.date("2026-11-20"), status: .excused)
        let excuse = try marks(request, 9)
        #expect(excuse.count == 15)
        #expect(excuse.allSatisfy { $0.status == .excused && $0.at == nil })
        #expect(try marks(MarkRequest(prayer: .fajr, status: .excused), 9).count == 1)
        // Days to come, a year of them.
        let ahead = try marks(
            MarkRequest(
                date: Fixture.date("2026-11-20"), until: Fixture.date("2027-11-20"), status: .excused), 9
        )
        #expect(ahead.count == 366 * 5 && ahead.allSatisfy { $0.window == nil })
        #expect(
            refusal(MarkRequest(date: Fixture.date("2027-11-22"), status: .excused), 9)
                == "2026-11-20 – 2027-11-22: that is more than 366 days")
        #expect(
            refusal(
                MarkRequest(
                    date: Fixture.date("2024-11-18"), until: Fixture.date("2026-11-18"), status: .excused), 9)
                == "2024-11-18 – 2026-11-18: that is more than 366 days")
    }

    /// A prayer that nobody marked is missed when its time ends, whoever was or was not running then.
    @Test("An unmarked prayer is missed when its time ends")
    func whatIsNotMarkedIsMissedWhenItsTimeEnds() {
        let date = Fixture.date(day)
        let first = Fixture.mark(date.adding(days: -1), .fajr)
        func state(_ slot: PrayerSlot, _ day: String, _ hour: Int, _ minute: Int = 0) -> PrayerState {
            Logbook([first], today: Fixture.today(day, hour, minute)).state(slot)
        }
        let isha = PrayerSlot(date, .isha)
        #expect(state(isha, day, 19, 29) == .upcoming)
        #expect(state(isha, day, 19, 30) == .open)
        #expect(state(isha, "2026-11-21", 4, 59) == .open)
        // The day before is logged, this one is not: nobody knows.
        #expect(state(isha, "2026-11-21", 5, 0) == .unlogged)
        let before = PrayerSlot(date.adding(days: -1), .isha)
        #expect(state(before, "2026-11-20", 4, 59) == .open)
        #expect(state(before, "2026-11-20", 5, 0) == .missed)
        #expect(state(before, "2027-11-21", 5, 0) == .missed)
        #expect(state(PrayerSlot(date.adding(days: -2), .asr), day, 6) == .unlogged)
        #expect(Logbook([], today: Fixture.today(day, 23)).state(PrayerSlot(date, .fajr)) == .unlogged)
    }

    /// Where the sun gives a prayer no time it may be prayed all day, and nothing is missed before the day is over.
    @Test("A prayer without a time of its own has the whole day")
    func withoutATimeThePrayerIsOfTheDay() {
        let date = Fixture.date(day)
        let whole = PrayerWindow(start: Fixture.at(date, 0), end: Fixture.at(date.adding(days: 1), 0))
        let windows = DayWindows(
            date: date, events: { [DayEvent.dhuhr: Fixture.at(date, 12)][$0] }, nextFajr: nil, day: whole)
        #expect(windows[.isha] == whole)
        #expect(windows[.dhuhr] == PrayerWindow(start: Fixture.at(date, 12), end: whole.end))
    }
}
