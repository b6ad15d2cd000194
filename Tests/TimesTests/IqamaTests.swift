import PrayerEngine
import Settings
import Testing
import Texts
import Times

@Suite("Iqama")
struct IqamaTests {
    private func date(_ month: Int, _ day: Int, _ year: Int = 2026) throws -> CivilDate {
        try #require(CivilDate(year: year, month: month, day: day))
    }

    private func minutes(_ text: String) throws -> Double { Double(try #require(ClockText.parse(text))) }

    /// The same events every day, except on those that a test names.
    private func calendar(
        _ settings: IqamaSettings, _ events: [DayEvent: Double], zone: Zone = .utc,
        except others: [CivilDate: [DayEvent: Double]] = [:], ramadan: ClosedRange<CivilDate>? = nil,
        published: [CivilDate: [Prayer: Double]] = [:], exceptions: [CivilDate: [Prayer: Double]] = [:]
    ) -> IqamaCalendar {
        IqamaCalendar(settings, zone: zone) { date in
            IqamaCalendar.Events(
                eventMinutes: others[date] ?? events, publishedMinutes: published[date] ?? [:],
                exceptionMinutes: exceptions[date] ?? [:], isRamadan: ramadan?.contains(date) ?? false)
        }
    }

    @Test(
        "Rules as they are written",
        arguments: [
            ("13:30", IqamaTime.clock(minutes: 810)), ("5:05", .clock(minutes: 305)),
            ("+15m", .after(nil, minutes: 15)),
            ("adhan+1h", .after(nil, minutes: 60)), ("sunrise-40m", .after(.sunrise, minutes: -40)),
            ("Maghrib + 5m", .after(.maghrib, minutes: 5)), ("sunset", .after(.sunset, minutes: 0)),
            ("+0m", .after(nil, minutes: 0)), ("lastThird-10m", .after(.lastThird, minutes: -10)),
        ])
    func reading(text: String, time: IqamaTime) throws {
        #expect(try IqamaTime(text) == time)
        #expect(try IqamaTime(time.text) == time)
    }

    @Test(
        "What is no rule is refused with what was probably meant",
        arguments: [
            ("25:00", "00:00 to 23:59"), ("-10m", "\"+10m\""), ("adhan-5m", "adhan+5m"), ("+15", "15m or 1h"),
            ("sunrize-40m", "did you mean sunrise?"), ("", "such as +15m"), ("+90s", "15m or 1h"),
            ("+13h", "12h at most"),
        ])
    func refusing(text: String, part: String) {
        do throws(IqamaError) {
            _ = try IqamaTime(text)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.reason.contains(part), "\(error.reason)")
        }
    }

    @Test(
        "Fajr forty minutes before Sunday's sunrise, to the nearest ten, kept for the week",
        arguments: [("05:45", "05:00"), ("05:48", "05:10"), ("05:57", "05:20"), ("06:02", "05:20")])
    func weekly(sunrise: String, iqama: String) throws {
        let rule = IqamaRule(
            at: try IqamaTime("sunrise-40m"), roundMinutes: 10, weekly: 7,
            notAfter: try IqamaTime("sunrise-20m"))
        let sunday = try date(11, 22)
        let onSunday: [DayEvent: Double] = [.fajr: 200, .sunrise: try minutes(sunrise)]
        // On the other days of the week the sun rises a little later or earlier; the congregation stays.
        let calendar = calendar(
            IqamaSettings(rules: [.fajr: rule]), [.fajr: 200, .sunrise: try minutes(sunrise) + 6],
            except: [sunday: onSunday])
        for index in 0..<7 {
            #expect(calendar.time(of: .fajr, on: sunday.adding(days: index))?.minutes == (try minutes(iqama)))
        }
        // Sunday night: the next week has its own.
        let next = calendar.time(of: .fajr, on: sunday.adding(days: 7))?.minutes
        #expect(next == rule.settled(try minutes(sunrise) + 6 - 40))
    }

    @Test("No day of the week breaks a limit")
    func capped() throws {
        let rule = IqamaRule(
            at: try IqamaTime("sunrise-40m"), roundMinutes: 10, rounding: .up, weekly: 7,
            notAfter: try IqamaTime("sunrise-30m"))
        let sunday = try date(4, 12)
        var sunrises: [CivilDate: [DayEvent: Double]] = [:]
        for index in -7..<14 {
            sunrises[sunday.adding(days: index)] = [.fajr: 240, .sunrise: 371 - 2 * Double(index)]
        }
        let calendar = calendar(IqamaSettings(rules: [.fajr: rule]), [:], except: sunrises)
        // 05:31 rounds up to 05:40; by Saturday the sun rises at 05:59, so it is rounded down.
        for index in 0..<7 {
            let time = try #require(calendar.time(of: .fajr, on: sunday.adding(days: index))?.minutes)
            #expect(time == 329)
        }
    }

    @Test(
        "Isha at least five minutes after the adhan, up to the next ten, not before seven",
        arguments: [
            ("20:50", "21:00"), ("20:56", "21:10"), ("21:10", "21:20"), ("21:16", "21:30"),
            ("17:56", "19:00"),
        ])
    func isha(adhan: String, iqama: String) throws {
        let rule = IqamaRule(
            at: try IqamaTime("+5m"), roundMinutes: 10, rounding: .up, notBefore: try IqamaTime("19:00"))
        let calendar = calendar(IqamaSettings(rules: [.isha: rule]), [.isha: try minutes(adhan)])
        #expect(calendar.time(of: .isha, on: try date(1, 1))?.minutes == (try minutes(iqama)))
    }

    @Test("Rounding up that breaks a limit rounds down, and a limit counts before rounding does")
    func limits() throws {
        let rule = IqamaRule(
            at: try IqamaTime("sunrise-25m"), roundMinutes: 15, rounding: .up,
            notAfter: try IqamaTime("sunrise-20m")
        )
        let calendar = calendar(IqamaSettings(rules: [.fajr: rule]), [.fajr: 240, .sunrise: 376])
        #expect(calendar.time(of: .fajr, on: try date(1, 1))?.minutes == 345)
    }

    @Test("Exception, cell, change, Ramadan, season, rule: the first that says a time")
    func precedence() throws {
        let ramadan = try date(2, 18)...date(3, 19)
        let settings = IqamaSettings(
            rules: [
                .dhuhr: IqamaRule(at: .clock(minutes: 810)),
                .isha: IqamaRule(at: .after(nil, minutes: 10), roundMinutes: 15, rounding: .up),
            ],
            changes: [
                .init(from: try date(6, 1), times: [.dhuhr: .clock(minutes: 820)]),
                .init(from: try date(7, 1), times: [.isha: .clock(minutes: 1350)]),
                .init(from: try date(9, 1), times: [.dhuhr: .clock(minutes: 830)]),
            ],
            seasons: [
                .init(
                    .days(from: try #require(MonthDay("11-15")), until: try #require(MonthDay("03-15"))),
                    times: [.dhuhr: .clock(minutes: 780)])
            ],
            ramadan: [.dhuhr: .clock(minutes: 800)])
        let day = try date(7, 15)
        let calendar = calendar(
            settings, [.dhuhr: 740, .isha: 1270], ramadan: ramadan, published: [day: [.dhuhr: 825]],
            exceptions: [day.adding(days: 1): [.dhuhr: 777]])
        func check(
            _ date: CivilDate, _ minutes: Double, _ source: IqamaCalendar.Source, _ prayer: Prayer = .dhuhr
        ) {
            let time = calendar.time(of: prayer, on: date)
            #expect(time?.minutes == minutes, "\(date)")
            #expect(time?.source == source, "\(date)")
        }
        check(try date(1, 10), 780, .season)
        check(try date(3, 1), 800, .ramadan)
        check(try date(3, 25), 810, .rule)
        check(try date(6, 1), 820, .change)
        check(day, 825, .published)
        check(day.adding(days: 1), 777, .exception)
        // A change of isha does not end the one of dhuhr.
        check(try date(8, 1), 820, .change)
        check(try date(12, 1), 830, .change)
        check(try date(5, 5), 1290, .rule, .isha)
        check(try date(7, 1), 1350, .change, .isha)
    }

    @Test("A change with a last day is over after it, and hides nothing that comes later")
    func lastDay() throws {
        let settings = IqamaSettings(
            rules: [.isha: IqamaRule(at: .clock(minutes: 1200))],
            changes: [
                .init(from: try date(1, 5), until: try date(1, 9), times: [.isha: .clock(minutes: 1230)]),
                .init(from: try date(1, 7), until: try date(1, 8), times: [.isha: .clock(minutes: 1231)]),
                .init(from: try date(5, 1), times: [.isha: .clock(minutes: 1240)]),
                .init(from: try date(5, 1), until: try date(5, 9), times: [.isha: .clock(minutes: 1250)]),
                .init(from: try date(5, 1), until: try date(5, 3), times: [.isha: .clock(minutes: 1260)]),
            ],
            seasons: [
                .init(
                    .days(from: try #require(MonthDay("03-01")), until: try #require(MonthDay("04-30"))),
                    times: [.isha: .clock(minutes: 1210)])
            ], ramadan: [.isha: .clock(minutes: 1220)])
        let calendar = calendar(
            settings, [.isha: 1190], ramadan: try date(2, 10)...date(2, 20))
        for (month, day, minutes) in [
            (1, 4, 1200.0), (1, 5, 1230), (1, 7, 1231), (1, 9, 1230), (1, 10, 1200), (2, 15, 1220),
            (3, 5, 1210),
            (5, 1, 1260), (5, 3, 1260), (5, 4, 1250), (5, 9, 1250), (5, 10, 1240),
        ] {
            #expect(
                calendar.time(of: .isha, on: try date(month, day))?.minutes == minutes, "\(month)-\(day)")
        }
    }

    @Test("Summer time and winter time as seasons, on the days of the change")
    func seasons() throws {
        let zone = try Zone(name: "Berlin", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
        let settings = IqamaSettings(
            rules: [.dhuhr: IqamaRule(at: .clock(minutes: 750))],
            seasons: [.init(.summerTime, times: [.dhuhr: .clock(minutes: 825)])])
        let calendar = calendar(settings, [.dhuhr: 740], zone: zone)
        let times = try [(3, 28), (3, 29), (10, 24), (10, 25)].map {
            calendar.time(of: .dhuhr, on: try date($0.0, $0.1))?.minutes
        }
        #expect(times == [750, 825, 825, 750])
        // A dated change on the day of the change of the clock is by the new clock.
        let changed = IqamaSettings(changes: [
            .init(from: try date(3, 29), times: [.fajr: .clock(minutes: 330)])
        ])
        let other = self.calendar(changed, [.fajr: 300], zone: zone)
        #expect(other.time(of: .fajr, on: try date(3, 28)) == nil)
        #expect(other.time(of: .fajr, on: try date(3, 29))?.minutes == 330)
    }

    @Test("A week in which the clock is set: the congregation moves as the sun does")
    func clockChange() throws {
        let zone = try Zone(name: "Berlin", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
        let rule = IqamaRule(at: try IqamaTime("sunrise-40m"), roundMinutes: 5, weekly: 1)
        let change = try date(3, 29)
        var days: [CivilDate: [DayEvent: Double]] = [:]
        for index in -7..<7 {
            let summer = index < 0 ? 0.0 : 60
            days[change.adding(days: index)] = [.fajr: 270 + summer, .sunrise: 370 + summer]
        }
        let calendar = calendar(IqamaSettings(rules: [.fajr: rule]), [:], zone: zone, except: days)
        #expect(calendar.time(of: .fajr, on: change.adding(days: -1))?.minutes == 330)
        #expect(calendar.time(of: .fajr, on: change)?.minutes == 390)
    }

    @Test("Fifteen minutes after an isha at ten to midnight is tomorrow's clock")
    func afterMidnight() throws {
        let settings = IqamaSettings(rules: [.isha: IqamaRule(at: .after(nil, minutes: 15))])
        #expect(calendar(settings, [.isha: 1430]).time(of: .isha, on: try date(6, 6))?.minutes == 1445)
        let fixed = IqamaSettings(rules: [.isha: IqamaRule(at: .clock(minutes: 5))])
        #expect(calendar(fixed, [.isha: 1430]).time(of: .isha, on: try date(6, 6))?.minutes == 1445)
    }

    @Test("An event that does not occur has no congregation by it")
    func noEvent() throws {
        let settings = IqamaSettings(rules: [.fajr: IqamaRule(at: .after(.sunrise, minutes: -40))])
        #expect(calendar(settings, [.fajr: 200]).time(of: .fajr, on: try date(6, 6)) == nil)
    }

    @Test("The year's check names the days")
    func problems() throws {
        var days: [CivilDate: [DayEvent: Double]] = [:]
        let first = try date(1, 1)
        for index in 0..<365 {
            let later = index >= 150 && index < 192 ? 15.0 : 0
            days[first.adding(days: index)] = [
                .fajr: 300, .sunrise: 390, .dhuhr: 800 + later, .asr: 1000, .maghrib: 1200, .isha: 1290,
            ]
        }
        let settings = IqamaSettings(rules: [
            .fajr: IqamaRule(at: .after(nil, minutes: 100)), .dhuhr: IqamaRule(at: .clock(minutes: 810)),
            .asr: IqamaRule(at: .after(nil, minutes: 220)), .maghrib: IqamaRule(at: .after(nil, minutes: 2)),
            .isha: IqamaRule(at: .after(nil, minutes: 10)),
        ])
        let problems = calendar(settings, [:], except: days).problems(from: first, days: 365) {
            $0 == .maghrib ? 180 : 90
        }
        #expect(problems.map(\.prayer) == [.fajr, .dhuhr, .asr, .maghrib])
        #expect(problems.map(\.kind) == [.tooLate, .beforeAdhan, .tooLate, .tooSoon])
        #expect(problems[1].spans == [DateSpan(first.adding(days: 150), first.adding(days: 191))])
        #expect(problems[1].text.contains("from 2026-05-31 to 2026-07-11"))
        #expect(problems[1].text.contains("its adhan is later than this time"))
    }
}

extension IqamaRule {
    /// Rounded, without limits.
    fileprivate func settled(_ minutes: Double) -> Double {
        let step = Double(roundMinutes ?? 1)
        return (minutes / step - 0.5).rounded(.up) * step
    }
}
