import BoxSupport
import Places
import PrayerEngine
import Testing
import Texts

@testable import Console
@testable import Protocol
@testable import Settings
@testable import Times

@Suite("A method that another version chooses otherwise")
struct MethodNewsTests {
    private func site(_ method: String, by chooser: MethodChoice.Chooser = .place) throws -> Site {
        let named = try #require(Method.named(method))
        return Site(
            name: "Oslo", place: try Place(latitude: 59.9, longitude: 10.7), approximate: false, zone: .utc,
            calculation: Calculation(method: named), choice: MethodChoice(chooser))
    }

    private func kept(_ text: String = "[adhan]") -> KeptConfiguration {
        KeptConfiguration(
            "/a", [ConfigSource(file: "/a", text: Array(text.utf8))], at: Instant(unixSeconds: 0))
    }

    @Test("What an older version kept says isna; the news stays until somebody writes a method or moves")
    func upgrade() throws {
        let settings = CalculationSettings()
        let first = kept().practising(try site("mwl"), settings, since: kept())
        #expect(first.practisedBefore?.method == "isna" && first.practisedBefore?.asr == "hanafi")
        let again = kept().practising(
            try site("mwl"), settings, since: try .init(fileBytes: first.fileBytes()))
        #expect(again.practisedBefore == first.practisedBefore && again.isSame(as: first))
        let news = try #require(MethodNews(again.practisedBefore, try site("mwl")))
        #expect(news.message.contains("isna's (Asr hanafi, high latitude auto), and now they are mwl's"))
        #expect(news.message.contains("\"adhanctl method isna\" goes back"))
        // Another key, or a mistake that was mended since, confirms nothing; another place is another question.
        let louder = kept("[adhan]\nvolume = 60").practising(try site("mwl"), settings, since: again)
        #expect(louder.practisedBefore == first.practisedBefore)
        let later = kept("[calculation]\nhijri-adjustment = 1").practising(
            try site("mwl"), settings, since: again)
        #expect(later.practisedBefore == first.practisedBefore)
        let moved = kept("[location]\nlatitude = 1\nlongitude = 2").practising(
            try site("mwl"), settings, since: again)
        #expect(moved.practisedBefore == nil)
        let written = kept("[calculation]\nmethod = \"auto\"").practising(
            try site("mwl"), settings, since: again)
        #expect(written.practisedBefore == nil)
        let chosen = kept().practising(try site("isna", by: .configuration), settings, since: again)
        #expect(chosen.practisedBefore == nil && chosen.practised == nil)
    }

    @Test("A box that had the same times hears nothing, and a first start neither")
    func nothing() throws {
        var hanafi = Calculation(method: try #require(Method.named("isna")))
        hanafi.asr = .hanafi
        let same = Site(
            name: "Queens", place: try Place(latitude: 40.7, longitude: -73.8), approximate: false,
            zone: .utc,
            calculation: hanafi, choice: MethodChoice(.place))
        #expect(kept().practising(same, CalculationSettings(), since: kept()).practisedBefore == nil)
        #expect(kept().practising(try site("mwl"), CalculationSettings(), since: nil).practisedBefore == nil)
    }

    private func site(months rule: HijriRule, by chooser: MethodChoice.Chooser = .place) throws -> Site {
        var calculation = Calculation(method: try #require(Method.named("diyanet")))
        calculation.hijri.rule = rule
        return Site(
            name: "Istanbul", place: try Place(latitude: 41, longitude: 29), approximate: false, zone: .utc,
            calculation: calculation, choice: MethodChoice(.configuration, calendar: chooser))
    }

    @Test("Another calendar is news for itself, until somebody writes one or moves")
    func calendar() throws {
        let settings = CalculationSettings()
        let turkish = try site(months: .diyanet)
        let first = kept().practising(turkish, settings, since: kept())
        #expect(first.calendar == "diyanet" && first.calendarBefore == "umm-al-qura")
        #expect(first.practisedBefore == nil)
        let again = kept("[adhan]\nvolume = 60").practising(
            turkish, settings, since: try .init(fileBytes: first.fileBytes()))
        #expect(again.calendarBefore == "umm-al-qura")
        let news = try #require(CalendarNews(again.calendarBefore, turkish))
        #expect(news.message.contains("were Umm al-Qura's, and now they are Diyanet's"))
        #expect(news.message.contains("\"adhanctl set hijri.calendar umm-al-qura\" goes back"))
        let confirmed = kept("[hijri]\ncalendar = \"auto\"").practising(turkish, settings, since: again)
        #expect(confirmed.calendarBefore == nil && confirmed.calendar == "diyanet")
        let moved = kept("[location]\nlatitude = 1\nlongitude = 2").practising(
            turkish, settings, since: again)
        #expect(moved.calendarBefore == nil)
        let written = try site(months: .ummAlQura, by: .configuration)
        #expect(kept().practising(written, settings, since: again).calendar == nil)
        let same = kept().practising(try site(months: .ummAlQura), settings, since: kept())
        #expect(same.calendarBefore == nil)
    }
    @Test(
        "The news of another calendar names an adjustment that was made for the former, and what takes either away"
    )
    func adjusted() throws {
        var site = try self.site(months: .mabims)
        let without = try #require(CalendarNews("umm-al-qura", site))
        #expect(without.message.contains("months that somebody decided stay"))
        #expect(!without.message.contains("hijri-adjustment"))
        var calculation = site.calculation
        calculation.hijri.adjustment = -1
        site = Site(
            name: site.name, place: site.place, approximate: false, zone: site.zone, calculation: calculation,
            choice: site.choice)
        let message = try #require(CalendarNews("umm-al-qura", site)?.message)
        #expect(message.contains("hijri-adjustment = -1, which goes on top, was made for Umm al-Qura"))
        #expect(message.contains("\"adhanctl set calculation.hijri-adjustment 0\" takes it away"))
        var patient = try Patient()
        var status = try #require(patient.facts.status)
        status.calculation = StatusDocument.Calculation(site, calendarBefore: .ummAlQura)
        patient.facts.daemon = .answers(status)
        patient.facts.locationFacts = try Patient.locationFacts(40.7282, -73.7949, "America/New_York")
        let check = try patient.check(.location)
        #expect(check.verdict == .warning && check.message.contains("was made for Umm al-Qura"))
        #expect(check.fix?.hasSuffix("adhanctl set hijri.calendar umm-al-qura") == true)
    }

    @Test("The name of the place and its height confirm neither a method nor a calendar")
    func nameOfPlace() throws {
        let place = "[location]\nlatitude = 41\nlongitude = 29\n"
        let site = try site("mwl", months: .diyanet)
        let first = kept(place).practising(site, CalculationSettings(), since: kept(place))
        #expect(first.practisedBefore?.method == "isna" && first.calendarBefore == "umm-al-qura")
        for key in ["name = \"Home\"", "elevation = 40", "town-elevation = 40"] {
            let later = kept(place + key).practising(site, CalculationSettings(), since: first)
            #expect(later.practisedBefore == first.practisedBefore, Comment(rawValue: key))
            #expect(later.calendarBefore == first.calendarBefore, Comment(rawValue: key))
        }
        let moved = kept("[location]\nlatitude = 41\nlongitude = 28").practising(
            site, CalculationSettings(), since: first)
        #expect(moved.practisedBefore == nil && moved.calendarBefore == nil)
    }

    private func site(_ method: String, months rule: HijriRule) throws -> Site {
        var calculation = Calculation(method: try #require(Method.named(method)))
        calculation.hijri.rule = rule
        return Site(
            name: "Istanbul", place: try Place(latitude: 41, longitude: 29), approximate: false, zone: .utc,
            calculation: calculation, choice: MethodChoice(.place, calendar: .place))
    }
}
