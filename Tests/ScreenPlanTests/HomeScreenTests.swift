import Languages
import PrayerEngine
import Protocol
import Testing
import Texts

@testable import ScreenPlan

@Suite("The home screen")
struct HomeScreenTests {
    private func board(_ town: Town, _ date: String, _ house: Town.House = Town.House(), hour: Double = 0)
        -> HomeScreen
    {
        let date = day(date)
        let now = town.zone.instant(of: date, secondOfDay: hour * 3600)
        return ScreenSchedule(
            town.schedule(around: date, house), DisplaySettings(), DisplayFacts(), now: now
        ).home
    }

    private func instant(_ text: String) throws -> Instant { try #require(InstantText.parse(text)) }

    @Test(
        "A card shows today until its prayer is over, then tomorrow; isha after midnight is still yesterday's",
        arguments: Town.all)
    func cards(_ town: Town) throws {
        for date in ["2026-12-21", "2027-03-28", "2027-06-21", "2027-10-31"] {
            let board = board(town, date)
            for (name, cards) in board.cards {
                #expect(!cards.isEmpty, "\(town.name) \(date): no \(name)")
                for (a, b) in zip(cards, cards.dropFirst()) {
                    #expect(day(b.date) == day(a.date).adding(days: 1))
                    // The next one comes when this one's congregation has prayed, and not hours later.
                    let over = try instant(b.from) - instant(a.iqama ?? a.at)
                    #expect(over > 0 && over <= 1200, "\(town.name) \(date) \(name): \(over) s")
                }
            }
            let noon = town.zone.instant(of: day(date), secondOfDay: 12 * 3600)
            let fajr = try #require(board.cards["fajr"]?.last { try instant($0.from) <= noon })
            #expect(try noon < instant(fajr.at))
        }
    }

    @Test("Both dates turn when they should", arguments: Town.all)
    func dates(_ town: Town) throws {
        for text in ["2026-12-21", "2027-02-08", "2027-03-28", "2027-06-21"] {
            let date = day(text)
            let board = board(town, text)
            let schedule = town.schedule(around: date)
            let maghrib = try #require(
                schedule.occasions.first { $0.prayer == .maghrib && $0.kind == .adhan && $0.date == date })
            func shown(_ now: Instant) throws -> StateDocument.DayEntry {
                try #require(board.days.last { try instant($0.from) <= now })
            }
            func hijri(_ date: CivilDate) -> [Int]? {
                schedule.hijri[date].map { [$0.year, $0.month, $0.day] }
            }
            let before = try shown(maghrib.at - 1)
            let after = try shown(maghrib.at)
            #expect(before.hijri == hijri(date))
            #expect(after.hijri == hijri(date.adding(days: 1)), "\(town.name) \(text)")
            let midnight = town.zone.startOfDay(date.adding(days: 1))
            if maghrib.at < midnight {
                #expect(try shown(midnight - 1).date == "\(date)")
                #expect(try shown(midnight).date == "\(date.adding(days: 1))")
                // Midnight does not turn the Hijri day again.
                #expect(try shown(midnight).hijri == after.hijri)
            }
        }
    }

    @Test("Next is the coming adhan to its very second, fajr of tomorrow included")
    func next() throws {
        for town in Town.all {
            let board = board(town, "2026-11-24")
            let adhans = town.schedule(around: day("2026-11-24")).occasions.filter { $0.kind == .adhan }
            let start = town.zone.startOfDay(day("2026-11-24"))
            for adhan in adhans where start < adhan.at && adhan.at < start + 86_400 * 2 {
                let before = try #require(board.next.last { try instant($0.from) <= adhan.at - 1 })
                #expect(try abs(instant(before.at) - adhan.at) < 0.001)
                let after = try #require(board.next.last { try instant($0.from) <= adhan.at + 0.001 })
                #expect(try instant(after.at) > adhan.at + 1)
            }
        }
    }

    @Test("A congregation of Friday goes to the page by the page's keys, and comes back the same")
    func fridayEntry() throws {
        let entry = StateDocument.FridayEntry(
            from: "f", date: "2026-11-27",
            slots: [.init(slot: 1, adhan: "a", khutba: "k", prayer: "p"), .init(slot: 2, khutba: "l")])
        let bytes = try JSON.encode(entry)
        let slots =
            #"{"adhan":"a","iqama":"p","khutba":"k","slot":1},{"adhan":null,"iqama":null,"khutba":"l","slot":2}"#
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"date":"2026-11-27","from":"f","slots":["# + slots + "]}")
        #expect(try JSON.decode(StateDocument.FridayEntry.self, from: bytes) == entry)
    }

    @Test("Fridays have one to three congregations; dhuhr's card is the first of them, then the next")
    func fridays() throws {
        let town = Town.all[1]
        for count in 1...3 {
            let khutbas = [4500.0, 8100, 11_700].prefix(count)
            let board = board(town, "2026-11-19", Town.House(khutbas: Array(khutbas)))
            let friday = try #require(board.fridays.first)
            #expect(friday.date == "2026-11-20" && friday.slots.map(\.slot) == Array(1...count))
            #expect(friday.slots.allSatisfy { $0.khutba != nil && $0.prayer != nil && $0.adhan != nil })
            let card = try #require(board.cards["dhuhr"]?.first { $0.date == "2026-11-20" })
            #expect(card.jumua && card.at == friday.slots[0].adhan)
            let cards = board.cards["dhuhr"]?.filter { $0.date == "2026-11-20" } ?? []
            #expect(
                cards.map(\.at) == friday.slots.map(\.adhan)
                    && cards.map(\.iqama) == friday.slots.map(\.prayer))
            // Each stands until its congregation has prayed.
            for (before, after) in zip(cards, cards.dropFirst()) {
                let iqama = try instant(#require(before.iqama))
                let from = try instant(after.from)
                #expect(iqama < from && from <= iqama + 1200)
            }
        }
        #expect(board(town, "2026-11-23").cards["dhuhr"]?.allSatisfy { !$0.jumua } == true)
    }

    @Test("In Ramadan a day's imsak and iftar stand until the iftar")
    func fasts() throws {
        let town = Town.all[2]
        let board = board(town, "2027-02-10", Town.House(ramadan: true))
        let first = try #require(board.fasts.first)
        let iftar = try #require(first.iftar)
        #expect(try first.imsak.map(instant).map { try $0 < instant(iftar) } == true)
        #expect(board.fasts.dropFirst().first?.from == iftar)
        #expect(self.board(town, "2027-03-20").fasts.isEmpty)
    }

    @Test("A mosque that announces neither imsak nor iftar has them on its screen all the same")
    func silentFasts() throws {
        let town = Town.all[2]
        let date = day("2027-02-10")
        var schedule = town.schedule(around: date)
        let fajr = try #require(schedule.occasions.first { $0.prayer == .fajr && $0.date == date })
        let maghrib = try #require(
            schedule.occasions.first {
                $0.kind == .adhan && $0.prayer == .maghrib && $0.date == date
            })
        schedule.imsak = [date: fajr.at - 600]
        let now = town.zone.instant(of: date, secondOfDay: 13 * 3600)
        let fasts = ScreenSchedule(schedule, DisplaySettings(), DisplayFacts(), now: now).home.fasts
        #expect(fasts.first?.imsak == schedule.text(fajr.at - 600))
        #expect(fasts.first?.iftar == schedule.text(maghrib.at))
        // After the iftar it is the next day's, which says so.
        #expect(fasts.dropFirst().first?.from == schedule.text(maghrib.at))
        #expect(fasts.dropFirst().first?.date == "\(date.adding(days: 1))")
    }

    @Test("Two prayers of a feast are one banner, before all that can wait")
    func feastNote() throws {
        let town = Town.all[1]
        let date = day("2027-03-10")
        var occasions = town.occasions(
            (date.dayNumber - 3)...(date.dayNumber + 2), Town.House(ramadan: true, eids: [date]))
        let first = try #require(occasions.first { $0.kind == .eid })
        occasions.append(Occasion(kind: .eid, slot: 2, date: date, at: first.at + 5400))
        let schedule = Schedule(zone: town.zone, occasions: occasions)
        let now = town.zone.instant(of: date.adding(days: -1), secondOfDay: 61_200)
        let banners = ScreenSchedule(schedule, DisplaySettings(), DisplayFacts(), now: now).banners
        #expect(banners.first?.kind == .eid && banners.filter { $0.kind == .eid }.count == 1)
        #expect(banners.first?.later == [first.at + 5400] && banners.first?.until == first.at + 5400)
        let text = NoticeText(.english, in: town.zone, now: now).sentence(try #require(banners.first))
        #expect(text == "Eid prayer: Wednesday 10 March 2027, 07:30, 09:00")
    }

    @Test("A jump of the iqama is reported days ahead; one that follows the adhan is not")
    func changes() throws {
        let town = Town.all[1]
        let date = day("2026-11-23")
        var occasions = town.occasions((date.dayNumber - 1)...(date.dayNumber + 9))
        let turn = day("2026-11-27")
        occasions = occasions.map {
            guard $0.kind == .iqama, $0.prayer == .fajr, turn <= $0.date else { return $0 }
            return Occasion(kind: .iqama, prayer: .fajr, date: $0.date, at: $0.at + 900)
        }
        let schedule = Schedule(zone: town.zone, occasions: occasions)
        let now = town.zone.startOfDay(date)
        let banners = ScreenSchedule(schedule, DisplaySettings(), DisplayFacts(), now: now).banners
        #expect(banners.map(\.kind) == [.iqamaChange])
        let banner = try #require(banners.first)
        #expect(banner.date == turn && banner.prayer == .fajr && banner.from <= now)
        var settings = DisplaySettings()
        settings.noticeDays = 2
        let later = ScreenSchedule(schedule, settings, DisplayFacts(), now: now).banners
        #expect(later.allSatisfy { now < $0.from })
        settings.forbiddenTimes = true
        let forbidden = ScreenSchedule(schedule, settings, DisplayFacts(), now: now).banners.filter {
            $0.kind == .forbidden && $0.date == date
        }
        #expect(forbidden.count == 3)
    }
}
