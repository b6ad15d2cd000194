import Testing

@testable import PrayerEngine
@testable import Settings

/// Windows against slow arithmetic: every minute of a window is written down by its civil date, and every minute of 400 days is looked up.
@Suite("When a quiet window is in force")
struct QuietWindowTests {
    /// Every way in which clocks are changed: at night, at midnight, by half an hour, westwards, in winter, and not at all.
    static let zones = [
        "EST5EDT,M3.2.0,M11.1.0", "CET-1CEST,M3.5.0,M10.5.0/3", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
        "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45", "<+0545>-5:45", "<+14>-14",
        "NST3:30NDT,M3.2.0,M11.1.0",
        "<-03>3<-02>,M10.3.0/0,M2.3.0/0", "EET-2EEST,M4.5.5/0,M10.5.4/24", "IST-1GMT0,M10.5.0,M3.5.0/1",
        "EET-2EEST,M3.4.4/50,M10.4.4/50", "<+0330>-3:30<+0430>,J79/24,J263/24",
    ]

    /// Two of these for each zone: over midnight, into hours that clocks skip and repeat, by weekday, by date, for whole days, all day.
    static let windows: [String] = [
        "from = \"22:00\"\nuntil = \"06:00\"", "from = \"02:15\"\nuntil = \"02:45\"",
        "from = \"23:30\"\nuntil = \"00:30\"\ndays = [\"saturday\", \"sunday\"]", "days = \"friday\"",
        "from = \"01:30\"\nuntil = \"01:30\"\ndays = [\"sunday\"]",
        "first-day = \"12-20\"\nlast-day = \"01-06\"",
        "from = \"00:00\"\nuntil = \"24:00\"".replacing("24:00", with: "23:59"),
        "from = \"20:00\"\nuntil = \"02:30\"\nfirst-day = \"2026-03-01\"\nlast-day = \"2026-11-30\"",
        "from = \"03:00\"\nuntil = \"02:00\"\nlast-day = \"2026-10-25\"",
        "from = \"00:00\"\nuntil = \"01:00\"",
        "from = \"12:00\"\nuntil = \"12:01\"\nfirst-day = \"03-01\"\nlast-day = \"02-28\"",
        "first-day = \"2026-06-01\"\nlast-day = \"2026-06-03\"",
    ]

    private func window(_ text: String) throws -> QuietWindow {
        let config = try ConfigLoader.load(text: "[[quiet]]\nname = \"w\"\n" + text + "\n", file: "test")
        return try #require(config.quiet.first)
    }

    @Test("Minute by minute over 400 days", arguments: zones.indices)
    func minutes(_ index: Int) throws {
        let zone = try Zone(name: "test", posix: Self.zones[index])
        let first = try #require(CivilDate(year: 2026, month: 2, day: 20))
        let start = zone.startOfDay(first)
        for offset in index == 1 ? [0, 5] : [0] {
            let text = Self.windows[(index + offset) % Self.windows.count]
            let window = try window(text)
            let covered = Self.covered(text, around: first)
            var wrong = 0
            var heldBefore = false
            var unfinished: [Instant] = []
            var clock = zone.clock(of: start)
            for minute in 0..<400 * 1440 {
                let instant = start + Double(minute) * 60
                let second = clock.secondOfDay + 60
                // No clock is changed but at quarters of an hour; between them it shows a minute more with each minute.
                if minute % 15 == 0 || second >= 86_400 {
                    clock = zone.clock(of: instant)
                } else {
                    clock = LocalClock(date: clock.date, secondOfDay: second, offset: clock.offset)
                }
                let reading = clock.date.dayNumber * 1440 + Int(clock.secondOfDay / 60)
                let holds = window.holds(at: clock)
                if minute % 15 == 0, window.holds(at: instant, in: zone) != holds { wrong += 1 }
                if holds != covered.contains(reading) { wrong += 1 }
                // Within the minute nothing changes.
                if minute % 97 == 0, window.holds(at: instant + 59.999, in: zone) != holds { wrong += 1 }
                if holds, minute % 1009 == 0 || !heldBefore, unfinished.count < 3 {
                    unfinished.append(instant)
                }
                if !holds {
                    for asked in unfinished where window.end(after: asked, in: zone) != instant { wrong += 1 }
                    unfinished = []
                }
                heldBefore = holds
            }
            #expect(wrong == 0, "\(Self.zones[index]): \(text)")
        }
    }

    /// Civil minutes, counted from 1970, that a window's text names; reads it for itself.
    private static func covered(_ text: String, around first: CivilDate) -> Set<Int> {
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            values[parts[0].filter { $0 != " " }] = String(parts[1])
        }
        func minutes(_ key: String) -> Int? {
            values[key].map { $0.filter(\.isNumber) }.flatMap { Int($0) }.map { $0 / 100 * 60 + $0 % 100 }
        }
        func bound(_ key: String) -> String? { values[key]?.filter { $0.isNumber || $0 == "-" } }
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        var covered: Set<Int> = []
        for day in -3...405 {
            let date = first.adding(days: day)
            if let days = values["days"], !days.contains(names[date.weekday - 1]) { continue }
            let digits = date.description
            if let from = bound("first-day"), let until = bound("last-day"), from.count == 5 {
                let own = String(digits.suffix(5))
                let isIn = from <= until ? own >= from && own <= until : own >= from || own <= until
                if !isIn { continue }
            } else {
                if let from = bound("first-day"), digits < from { continue }
                if let until = bound("last-day"), digits > until { continue }
            }
            var (minute, end) = (minutes("from") ?? 0, minutes("until") ?? 1440)
            if end <= minute { end += 1440 }
            while minute < end {
                covered.insert(date.dayNumber * 1440 + minute)
                minute += 1
            }
        }
        return covered
    }

    @Test("The lowest volume counts, of several alike the first, and a window never makes louder")
    func lowest() throws {
        let text = """
            [[quiet]]
            name = "half"
            volume = 50
            [[quiet]]
            name = "low"
            volume = 20
            kinds = ["reminder", "iqama"]
            [[quiet]]
            name = "low-too"
            volume = 20
            """
        let windows = try ConfigLoader.load(text: text, file: "test").quiet
        let noon = Instant(unixSeconds: 1_795_000_000)
        func name(_ volume: Int, _ kind: AnnouncedKind, _ output: String = "main") -> String? {
            windows.lowering(volume, of: kind, on: output, at: noon, in: .utc)?.name
        }
        #expect(name(80, .adhan) == "low-too" && name(80, .reminder) == "low" && name(80, .iqama) == "low")
        #expect(name(20, .adhan) == nil && name(21, .adhan) == "low-too" && name(0, .adhan) == nil)
    }

    @Test("Silence is a reason even for what has no volume")
    func silence() throws {
        let window = try window("kinds = [\"wake\"]")
        let noon = Instant(unixSeconds: 1_795_000_000)
        #expect([window].lowering(0, of: .wake, on: "main", at: noon, in: .utc) == window)
        #expect([window].lowering(0, of: .adhan, on: "main", at: noon, in: .utc) == nil)
        #expect(
            window.end(after: noon, in: .utc) == nil && window.words == "quiet window \"w\" for the whole day"
        )
    }

    // MARK: The file

    @Test("Every key arrives, and what is printed reads the same")
    func keys() throws {
        let text = """
            [[quiet]]
            name = "night-law"
            from = "22:00"
            until = "06:00"
            days = ["saturday", "sunday"]
            first-day = "12-20"
            last-day = "2027-01-06"
            outputs = ["main"]
            kinds = "reminder"
            volume = 20
            """
            .replacing("12-20", with: "2026-12-20")
        let config = try ConfigLoader.load(text: text, file: "test")
        let window = try #require(config.quiet.first)
        #expect(
            window.name == "night-law" && window.fromMinutes == 1320 && window.untilMinutes == 360
                && window.days == [6, 7])
        #expect(window.firstDay?.text == "2026-12-20" && window.lastDay?.text == "2027-01-06")
        #expect(window.outputs == ["main"] && window.kinds == [.reminder] && window.volumePercent == 20)
        #expect(try ConfigLoader.load(text: config.printed(), file: "printed") == config)
        #expect(!Config.default.printed().contains("quiet"))
    }

    @Test(
        "Mistakes are answered with what to type",
        arguments: [
            ("from = \"22:00\"", "quiet.from needs until beside it"),
            ("until = \"22:00\"", "quiet.until needs from beside it"),
            (
                "from = \"22\"\nuntil = \"06:00\"",
                "quiet.from must be a clock time such as \"08:00\", not \"22\""
            ),
            ("days = [\"fri\"]", "did you mean \"friday\"?"),
            (
                "outputs = [\"horn\"]",
                "there is no such output; the only one is \"main\", which [audio] devices describe"
            ),
            ("kinds = [\"iftar\"]", "iftar-sound is the beginning of Maghrib's adhan"),
            ("kinds = [\"remindr\"]", "did you mean \"reminder\"?"),
            ("first-day = \"winter-time\"", "quiet.first-day must be a date"),
            ("first-day = \"12-20\"", "quiet.first-day is a day of every year and needs last-day beside it"),
            ("last-day = \"12-20\"", "quiet.last-day is a day of every year and needs first-day beside it"),
            ("first-day = \"12-20\"\nlast-day = \"2027-01-01\"", "quiet.last-day does not go with first-day"),
            ("first-day = \"2027-01-02\"\nlast-day = \"2027-01-01\"", "nothing would ever be quiet"),
            ("volume = 101", "quiet.volume must be a whole number from 0 to 100"),
            ("[[quiet]]\nname = \"w\"", "two windows are named \"w\""),
            ("[[quiet]]\nname = \"Night Law\"", "did you mean \"night-law\"?"),
            ("[[quiet]]\nvolume = 3", "[[quiet]] needs name beside the rest"),
        ])
    func mistakes(_ text: String, _ sentence: String) throws {
        let error = try #require(#expect(throws: ConfigError.self) { _ = try window(text) })
        #expect(error.summary.contains(sentence), "\(error)")
    }

    @Test("At most 32")
    func most() throws {
        func text(_ count: Int) -> String { (0..<count).map { "[[quiet]]\nname = \"w\($0)\"\n" }.joined() }
        #expect(try ConfigLoader.load(text: text(32), file: "test").quiet.count == 32)
        let error = try #require(
            #expect(throws: ConfigError.self) { _ = try ConfigLoader.load(text: text(33), file: "test") })
        #expect(error.summary.contains("quiet has 33 windows, allowed are 32"))
    }
}
