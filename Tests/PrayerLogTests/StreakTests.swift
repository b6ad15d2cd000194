import PrayerEngine
import SeededRandom
import Testing

@testable import PrayerLog

struct StreakTests {
    private let start = Fixture.date("2026-01-01")

    /// A log of days given by letters: k kept, l kept with a late one, b broken, e excused, q made up.
    private func streak(_ days: String, goal: Int = 5, hour: Int = 4) -> Streak {
        var marks: [Mark] = []
        for (index, letter) in days.enumerated() {
            let date = start.adding(days: index)
            switch letter {
            case "k": marks += Fixture.day(date)
            case "l": marks += Array(Fixture.day(date).dropLast()) + [Fixture.mark(date, .isha, .late)]
            case "e": marks += Fixture.day(date, .excused)
            case "q": marks += Array(Fixture.day(date).dropLast()) + [Fixture.mark(date, .isha, .madeUp)]
            case "3": marks += Fixture.day(date).prefix(3)
            default: break
            }
        }
        // The morning after, before fajr: the last day's isha is still open; at six it is over.
        let today = Fixture.today(start.adding(days: days.count).description, hour)
        return Streak(Logbook(marks, today: today), goal: goal)
    }

    @Test("A day is kept by five prayers, on time or late, and not by one that is made up")
    func fiveOnTimeOrLateKeepADay() {
        #expect(streak("kkl").current == 3)
        #expect(streak("kkl").since == start)
        #expect(streak("kkq", hour: 6).current == 0, "what is made up does not repair a day")
        #expect(streak("kkq", hour: 6).best == 2)
    }

    @Test("Excused days neither break nor lengthen a streak")
    func excusedDaysAreSkipped() {
        let streak = streak("kkeeeeek")
        #expect(streak.current == 3)
        #expect(streak.best == 3)
    }

    @Test("A day does not break the streak before its Isha is over")
    func aDayIsNotBrokenBeforeItIsOver() {
        #expect(streak("kk3", hour: 4).current == 2, "its isha may be prayed until fajr")
        #expect(streak("kk3", hour: 6).current == 0)
    }

    @Test("Seven kept days earn a freeze, and at most two are held")
    func sevenKeptDaysEarnAFreezeAndTwoAreHeld() {
        #expect(streak("kkkkkk").freezes == 0)
        #expect(streak("kkkkkk").untilFreeze == 1)
        #expect(streak("kkkkkkk").freezes == 1)
        #expect(streak(String(repeating: "k", count: 21)).freezes == 2)
        #expect(streak(String(repeating: "k", count: 21)).untilFreeze == nil)
        let saved = streak("kkkkkkkbk", hour: 6)
        #expect(saved.current == 8)
        #expect(saved.freezes == 0)
        #expect(saved.frozen == [start.adding(days: 7)])
        #expect(streak("kkkkkkkbb", hour: 6).current == 0)
    }

    /// Nobody is excused from what was before the log, and nobody has missed it.
    @Test("Days before the first mark are unlogged, neither missed nor excused")
    func daysBeforeTheLogAreUnlogged() {
        let marks = [Fixture.mark(start, .maghrib)]
        let today = Fixture.today(start.adding(days: 2).description, 6)
        let log = Logbook(marks, today: today)
        let verdicts = (-1...1).map { Streak.verdict(log.states(on: start.adding(days: $0)), goal: 5) }
        // Of the day after it nothing was logged: nobody missed anything, and it is no day in a row.
        #expect(verdicts == [.unlogged, .broken, .unlogged])
        #expect(Streak(log).frozen.isEmpty)
        let whole = Logbook([marks[0], Fixture.mark(start, .isha)], today: today)
        #expect(Streak.verdict(whole.states(on: start), goal: 5) == .unlogged)
        #expect(Streak(whole).current == 0)
    }

    /// One old prayer from a file, or an excuse, makes nothing of the days behind it missed; a day without a mark ends the row.
    @Test("An old mark or an excuse makes no unlogged day missed")
    func whatNobodyLoggedIsNotMissed() {
        func imported(_ day: Int, _ prayer: DailyPrayer, _ status: MarkStatus = .prayed) -> Mark {
            var mark = Fixture.mark(start.adding(days: day), prayer, status)
            mark.source = .imported
            return mark
        }
        func missed(_ marks: [Mark]) -> Int {
            let log = Logbook(marks, today: Fixture.today(start.adding(days: 10).description, 6))
            return Statistics(log, timings: [])?.total.missed ?? 0
        }
        #expect(missed([imported(0, .fajr)]) == 0)
        #expect(missed(Fixture.day(start, .excused)) == 0)
        #expect(missed([imported(0, .fajr), imported(1, .asr, .missed)]) == 1, "what the file itself says")
        let live = [Fixture.mark(start.adding(days: 5), .asr), Fixture.mark(start.adding(days: 7), .fajr)]
        // Maghrib and isha of the sixth day, four of the eighth.
        #expect(missed([imported(0, .fajr)] + live) == 6)
        #expect(streak("kkk-", hour: 6).current == 0)
        #expect(streak("kkkkkkk-k", hour: 6).current == 8, "a freeze is spent for it")
    }

    @Test("Excuses of days to come are read, and marks of prayers to come are not")
    func excusesOfDaysToComeAreRead() {
        let today = Fixture.today(start.description, 12)
        let ahead = start.adding(days: Marking.mostDays)
        let log = Logbook(
            Fixture.day(ahead, .excused) + [Fixture.mark(start.adding(days: 3), .asr)], today: today)
        #expect(log.state(PrayerSlot(ahead, .asr)) == .excused)
        #expect(log.state(PrayerSlot(start.adding(days: 3), .asr)) == .upcoming, "nobody can have prayed it")
        #expect(Streak(log).current == 0 && Statistics(log, timings: []) == nil)
    }

    @Test("A goal of fewer prayers keeps a day")
    func aLesserGoalCounts() {
        #expect(streak("333", goal: 3).current == 3)
        #expect(streak("333", goal: 4, hour: 6).current == 0)
    }

    /// Ten thousand lives: some careful, some not, with journeys and illness, goals, and moments at which somebody looks.
    @Test("Streaks of ten thousand random lives agree with a slow computation")
    func agreesWithASlowComputationOverTenThousandLives() {
        var random = SplitMix64(seed: 16)
        var frozen = 0
        for life in 0..<10_000 {
            let days = Int.random(in: 1...60, using: &random)
            let goal = Int.random(in: 0...3, using: &random) == 0 ? Int.random(in: 1...4, using: &random) : 5
            let care = Double.random(in: 0.6...1, using: &random)
            var marks: [Mark] = []
            var pages: [(date: String, prayers: [String])] = []
            for index in 0..<days {
                let date = start.adding(days: index)
                let isAway = Int.random(in: 0...9, using: &random) == 0
                var page: [String] = []
                for prayer in DailyPrayer.allCases {
                    var status: MarkStatus?
                    if isAway {
                        status = .excused
                    } else if Double.random(in: 0...1, using: &random) < care {
                        status = .prayed
                    } else {
                        status =
                            [nil, .late, .madeUp, .missed, .excused].randomElement(using: &random) ?? nil
                    }
                    // The log begins with an entry.
                    if index == 0, prayer == .isha, marks.isEmpty, status == nil { status = .prayed }
                    if let status { marks.append(Fixture.mark(date, prayer, status)) }
                    page.append(status?.name ?? "none")
                }
                pages.append((date.description, page))
            }
            // Either the next morning before fajr, when the last day's isha may still be prayed, or after it.
            let isOver = Bool.random(using: &random)
            let next = start.adding(days: days)
            let log = Logbook(
                marks.shuffled(using: &random), today: Fixture.today(next.description, isOver ? 5 : 4))
            let lastIsha = log.state(PrayerSlot(start.adding(days: days - 1), .isha))
            let streak = Streak(log, goal: goal)
            let slow = SlowStreak(pages: pages, goal: goal, lastIsOver: isOver || lastIsha != .open)
            let same =
                streak.current == slow.current && streak.best == slow.best && streak.freezes == slow.freezes
                && streak.frozen.map(\.description) == slow.frozen
            if !same {
                Issue.record(
                    "life \(life), goal \(goal): \(streak) instead of \(slow) for \(pages.map(\.prayers))")
                return
            }
            frozen += streak.frozen.count
        }
        #expect(frozen > 1000, "freezes were hardly tried")
    }

    @Test("Badges follow the log, and are lost with the marks that earned them")
    func badgesComeOfTheLogAndGoWithIt() {
        var marks = (0..<10).flatMap { Fixture.day(start.adding(days: $0)) }
        let today = Fixture.today("2026-01-11", 6)
        func earned(_ marks: [Mark]) -> Set<Badge> {
            let log = Logbook(marks, today: today)
            return Set(BadgeProgress.all(log, streak: Streak(log)).filter(\.isEarned).map(\.badge))
        }
        #expect(earned(marks) == [.firstPrayer, .perfectDay, .weekWarrior, .earlyBird, .consistent, .inTime])
        marks.removeAll { $0.slot == PrayerSlot(start.adding(days: 3), .fajr) }
        #expect(earned(marks) == [.firstPrayer, .perfectDay])
        #expect(earned([]) == [])
    }

    @Test("Fridays and prayers that were made up count towards their badges")
    func fridaysAndDebtsAreCounted() {
        let fridays = (0..<70).map { start.adding(days: $0) }.filter(\.isFriday)
        let marks =
            fridays.map { Fixture.mark($0, .dhuhr) }
            + (0..<10).map { Fixture.mark(start.adding(days: $0), .fajr, .madeUp) }
        let log = Logbook(marks, today: Fixture.today("2026-03-20", 6))
        let progress = BadgeProgress.all(log, streak: Streak(log))
        #expect(progress.first { $0.badge == .friday }?.count == min(10, fridays.count))
        #expect(progress.first { $0.badge == .debtPaid }?.isEarned == true)
        #expect(progress.first { $0.badge == .earlyBird }?.count == 0)
    }
}
