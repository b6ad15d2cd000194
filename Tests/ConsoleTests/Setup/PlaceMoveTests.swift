import PrayerEngine
import Testing
import Texts

@testable import Announcements
@testable import Console
@testable import Daemon
@testable import Protocol
@testable import Settings
@testable import Times

/// A timetable and times set by hand belong to a place. When it changes, nothing of them stays in force without a word.
@Suite("What belongs to a place")
struct PlaceMoveTests {
    static let today = CivilDate(year: 2026, month: 11, day: 20)!

    static func site(_ name: String, _ latitude: Double, _ longitude: Double, _ zone: String) throws -> Site {
        Site(
            name: name, place: try Place(latitude: latitude, longitude: longitude), approximate: false,
            zone: try #require(Machine.zone(zone)),
            calculation: Calculation(method: try #require(Method.named("mwl"))))
    }

    static func paris() throws -> Site { try site("Paris", 48.8566, 2.3522, "Europe/Paris") }
    static func kazan() throws -> Site { try site("Kazan", 55.7887, 49.1221, "Europe/Moscow") }

    /// The times that a mosque would print for a place in a year: its computed times, maghrib some minutes later.
    static func table(
        _ site: Site, later: Int = 0, remembers: Bool = true, from first: CivilDate = today, count: Int = 200
    ) -> PublishedTimetable {
        var table = PublishedTimetable()
        for day in site.computedTimes.days(from: first, count: count) {
            var cells: [TimetableColumn: Int] = [:]
            for event in [DayEvent.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha] {
                guard let at = day[event] else { continue }
                let minutes = Int(SunReference.minutes(of: at, after: day.date, in: site.zone))
                cells[.begins(event)] = ((minutes + (event == .maghrib ? later : 0)) % 1440 + 1440) % 1440
            }
            table.dated[day.date] = .init(cellMinutes: cells, sources: [])
        }
        table.label(
            .init(
                id: 1, name: "main", file: "paris.csv", sha256: "", imported: "2026-11-01", format: "csv",
                clock: "local", place: remembers ? .init(site) : nil))
        return table
    }

    @Test("A table of Paris fits Paris, and neither Kazan nor Brussels, whose sun is almost the same")
    func mismatch() throws {
        let (paris, kazan) = (try Self.paris(), try Self.kazan())
        let brussels = try Self.site("Brussels", 50.8503, 4.3517, "Europe/Brussels")
        let table = Self.table(paris)
        #expect(TimetableMismatch(table, at: paris, from: Self.today) == nil)
        let far = try #require(TimetableMismatch(table, at: kazan, from: Self.today))
        #expect(far.code == .sun && far.importedFor == "Paris")
        #expect(
            far.sentence.hasPrefix(
                "the timetable does not fit Kazan (it was imported for Paris): its sunrise is"))
        let near = try #require(TimetableMismatch(table, at: brussels, from: Self.today))
        #expect(near.code == .elsewhere && near.sentence.contains("km from Brussels"))
        // Without what it was imported for the sun alone tells.
        let old = Self.table(paris, remembers: false)
        #expect(TimetableMismatch(old, at: kazan, from: Self.today)?.code == .sun)
        #expect(TimetableMismatch(old, at: brussels, from: Self.today) == nil)
        // A person who says that it is meant for both does not read it again.
        var adopted = table
        adopted.adopt(.init(keptAt: brussels))
        #expect(TimetableMismatch(adopted, at: brussels, from: Self.today) == nil)
        // It stays the table of Paris: a person who goes back there gets no question and no warning.
        #expect(TimetableMismatch(adopted, at: paris, from: Self.today) == nil)
        let back = PlaceMove(
            PlaceBelongings(table: adopted),
            from: ConfiguredLocation(name: "Brussels", latitude: 50.8503, longitude: 4.3517), to: paris,
            today: Self.today)
        #expect(back.timetable == nil)
        #expect(try PublishedTimetable(csv: Array(adopted.csv().utf8), file: "t") == adopted)
        adopted.adopt(.init(keptAt: kazan))
        #expect(TimetableMismatch(adopted, at: kazan, from: Self.today)?.code == .sun)
    }

    @Test("Maghrib after the redness has gone, and a table that is past, are no reason for doubt")
    func plausible() throws {
        let paris = try Self.paris()
        #expect(TimetableMismatch(Self.table(paris, later: 18), at: paris, from: Self.today) == nil)
        let later = Self.today.adding(days: 300)
        #expect(TimetableMismatch(Self.table(paris), at: try Self.kazan(), from: later) == nil)
        #expect(TimetableMismatch(PublishedTimetable(), at: paris, from: Self.today) == nil)
    }

    @Test("What does not fit does not fit in any season, and what fits fits in all of them")
    func seasons() throws {
        // North of Paris the sun rises earlier in summer and later in winter: over a year the median tells nothing.
        let (paris, north) = (try Self.paris(), try Self.site("North", 56.5, 2.3522, "Europe/Paris"))
        var year = PublishedTimetable()
        for quarter in [0, 180] {
            let from = Self.today.adding(days: quarter)
            for (date, row) in Self.table(paris, from: from, count: 180).dated { year.dated[date] = row }
        }
        let verdicts = stride(from: 0, to: 340, by: 20).map {
            TimetableMismatch(year, at: north, from: Self.today.adding(days: $0))?.code
        }
        #expect(Set(verdicts) == [.sun])
        #expect(
            TimetableCheck.findings(year, site: north, today: Self.today).contains { $0.kind == .otherPlace })
        #expect(TimetableMismatch(year, at: paris, from: Self.today.adding(days: 200)) == nil)
        #expect(
            !TimetableCheck.findings(year, site: paris, today: Self.today).contains { $0.kind == .otherPlace }
        )
    }

    @Test("The zone of a place that nobody chose moves it, and another clock at the same place is looked at")
    func zones() throws {
        let paris = try Self.paris()
        let table = PlaceBelongings(table: Self.table(paris))
        let here = ConfiguredLocation(name: "Paris", latitude: 48.8566, longitude: 2.3522)
        let other = try Self.site("Paris", 48.8566, 2.3522, "Europe/Moscow")
        #expect(PlaceMove(table, from: here, to: paris, today: Self.today).timetable == nil)
        #expect(
            PlaceMove(table, from: here, clockChanges: true, to: paris, today: Self.today).timetable == nil)
        #expect(
            PlaceMove(table, from: here, clockChanges: true, to: other, today: Self.today).timetable != nil)
    }

    @Test("The place for which it was imported is written into the table, and read again")
    func remembered() throws {
        let table = Self.table(try Self.paris())
        let read = try PublishedTimetable(csv: Array(table.csv().utf8), file: "t")
        #expect(read.sources.first?.place?.name == "Paris" && read == table)
    }

    @Test("A time set by hand that would be called long before dawn is reported with its day")
    func exceptions() throws {
        let byHand = DayExceptions([
            DayException(date: Self.today, prayer: .fajr, adhanMinutes: 290),
            DayException(date: Self.today.adding(days: -1), prayer: .fajr, adhanMinutes: 100),
        ])
        let kazan = try Self.kazan().applying(exceptions: byHand)
        let problems = kazan.exceptionProblems(from: Self.today)
        #expect(problems.count == 1)
        #expect(problems.first?.problem.sentence.contains("min before the day's fajr") == true, "\(problems)")
        let tripoli = try Self.site("Tripoli", 34.4367, 35.8497, "Asia/Beirut").applying(
            exceptions: DayExceptions([DayException(date: Self.today, prayer: .fajr, adhanMinutes: 285)]))
        #expect(tripoli.exceptionProblems(from: Self.today).isEmpty)
    }

    @Test(
        "A move needs a word for the timetable and for what was set by hand; who stays where they are needs none"
    )
    func refusal() throws {
        let (paris, kazan) = (try Self.paris(), try Self.kazan())
        let here = ConfiguredLocation(name: "Paris", latitude: 48.8566, longitude: 2.3522)
        let own = PlaceBelongings(
            table: Self.table(paris),
            exceptions: DayExceptions([DayException(date: Self.today, prayer: .fajr, adhanMinutes: 390)]))
        let move = PlaceMove(own, from: here, to: kazan, today: Self.today)
        let refusal = try #require(move.refusal(timetable: false, exceptions: false))
        #expect(refusal.contains("there is a timetable for Paris: give --timetable keep"), "\(refusal)")
        #expect(refusal.contains("--exceptions keep or --exceptions remove"), "\(refusal)")
        #expect(move.refusal(timetable: true, exceptions: false)?.contains("--timetable") == false)
        #expect(move.refusal(timetable: true, exceptions: true) == nil)
        let stay = PlaceMove(own, from: here, to: paris, today: Self.today)
        #expect(stay.refusal(timetable: false, exceptions: false) == nil)
        // No place was chosen before: a table that fits the first one raises no question.
        #expect(PlaceMove(own, from: nil, to: paris, today: Self.today).timetable == nil)
        #expect(PlaceMove(own, from: nil, to: kazan, today: Self.today).timetable != nil)
    }

    func conversation(_ town: String) throws -> (text: String, SetupConversation) {
        let text =
            "timezone = \"Europe/Paris\"\n[location]\nname = \"Paris\"\nlatitude = 48.8566\nlongitude = 2.3522\n"
        let inputs = try Machine.inputs(
            text, system: "Europe/Paris", timetables: true,
            belongings: PlaceBelongings(
                table: Self.table(try Self.paris(), later: 7),
                exceptions: DayExceptions([DayException(date: Self.today, prayer: .isha, adhanMinutes: 1180)])
            ))
        var conversation = SetupConversation(SetupDraft(inputs))
        // The place, its zone where it is another one, method, Asr, the device, volume, no recording.
        let answers = town.isEmpty ? ["", "", "", "y", "", ""] : [town, "y", "", "", "y", "", ""]
        let (transcript, _) = Machine.talk(&conversation, answers)
        return (transcript, conversation)
    }

    @Test(
        "Setup asks what becomes of them after a move, removes them upon Enter, and shows the times that are called"
    )
    func moved() throws {
        var (text, conversation) = try conversation("kazan")
        #expect(text.contains("There is a timetable for Paris (200 days"), "\(text)")
        #expect(text.contains("does not fit Kazan"), "\(text)")
        #expect(text.hasSuffix("keep it, remove it, or replace it by another file? [remove]: "), "\(text)")
        (text, _) = Machine.go(&conversation, ["maybe", ""])
        #expect(text.contains("Please answer keep, remove or replace."))
        #expect(text.contains("Times are set by hand (Isha on Friday 20 November 2026: 19:40)"), "\(text)")
        (text, _) = Machine.go(&conversation, [""])
        #expect(!text.contains("(published)") && !text.contains("(set by hand)"), "\(text)")
        #expect(
            conversation.draft.timetableKeeping == .remove && conversation.draft.exceptionsKeeping == .remove)
        let (end, _) = Machine.go(&conversation, ["", "n"])
        #expect(end.contains("the timetable that is there is removed"), "\(end)")
        #expect(end.contains("times set by hand are removed"), "\(end)")
        // Another place: another decision.
        (text, _) = Machine.go(&conversation, ["n", "place", "Paris, France", "", "", "y", "", ""])
        #expect(conversation.draft.timetableKeeping == nil, "\(text)")
    }

    @Test("Who stays keeps them upon Enter, sees them, and cannot correct what is published")
    func stayed() throws {
        var (text, conversation) = try conversation("")
        #expect(text.hasSuffix("keep it, remove it, or replace it by another file? [keep]: "), "\(text)")
        (text, _) = Machine.go(&conversation, [""])
        #expect(
            text.contains("Fajr 06:") && text.contains("(published)   Isha 19:40 (set by hand)")
                && text.contains("Isha 19:40 (set by hand)"), "\(text)")
        (text, _) = Machine.go(&conversation, ["fajr +2"])
        #expect(
            text.contains("Fajr is published by the timetable: a correction moves only what is computed."))
    }

    @Test("What is kept, replaced or removed is what will be called")
    func decided() throws {
        var (_, conversation) = try conversation("kazan")
        _ = Machine.go(&conversation, ["keep", "keep"])
        let today = Self.today
        #expect(conversation.draft.decidedSite?.times.day(today).origin(of: .maghrib) == .published)
        #expect(conversation.draft.decidedSite?.times.day(today).origin(of: .isha) == .exception)
        (_, conversation) = try self.conversation("kazan")
        // Its one row has a Fajr; nothing of the other table stays around it.
        _ = Machine.go(&conversation, ["replace", "2027.csv", "y", "remove"])
        let day = try #require(conversation.draft.decidedSite?.times.day(today))
        #expect(day.origin(of: .fajr) == .published && day.origin(of: .maghrib) == .computed)
    }
}
