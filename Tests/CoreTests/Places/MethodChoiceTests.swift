import Places
import PrayerEngine
import Testing
import Texts

@testable import Console
@testable import Protocol
@testable import Settings
@testable import Times

@Suite("The method that a place chooses")
struct MethodChoiceTests {
    private func chosen(
        _ latitude: Double, _ longitude: Double, _ zone: String,
        _ edit: (inout CalculationSettings) -> Void = { _ in }
    ) throws -> (settings: CalculationSettings, choice: MethodChoice) {
        var settings = CalculationSettings()
        edit(&settings)
        return settings.practised(at: (latitude, longitude), zone: zone, try Embedded.gazetteer())
    }

    @Test(
        "the country's practice, with its Asr and its rule for short nights",
        arguments: [
            (
                40.7282, -73.7949, "America/New_York", "isna", "hanafi", "auto",
                "Queens, New York (United States)"
            ),
            (59.9127, 10.7461, "Europe/Oslo", "mwl", "standard", "one-seventh", "Oslo (Norway)"),
            (3.1412, 101.6865, "Asia/Kuala_Lumpur", "jakim", "standard", "auto", "Kuala Lumpur (Malaysia)"),
            (1.29, 103.85, "Asia/Singapore", "singapore", "standard", "auto", "Singapore"),
            (51.5074, -0.1278, "Europe/London", "london", "standard", "auto", "London (United Kingdom)"),
            (
                53.4808, -2.2426, "Europe/London", "moonsighting", "standard", "auto",
                "Manchester (United Kingdom)"
            ),
            (31.7690, 35.2163, "Asia/Jerusalem", "mwl", "standard", "auto", "Jerusalem"),
        ])
    func practice(
        latitude: Double, longitude: Double, zone: String, method: String, asr: String, rule: String,
        place: String
    ) throws {
        let (settings, choice) = try chosen(latitude, longitude, zone)
        #expect(settings.method == method || place == "Jerusalem")
        #expect(settings.asr?.rawValue == asr && settings.highLatitude?.rawValue == rule)
        #expect(choice.chooser == .place && choice.place == place)
        #expect(try settings.calculation().method.name == settings.method)
    }

    @Test(
        "what is written wins over the place's, key by key, and a written method takes nothing of the place")
    func written() throws {
        let asr = try chosen(59.9127, 10.7461, "Europe/Oslo") { $0.asr = .hanafi }
        #expect(asr.settings.method == "mwl" && asr.settings.asr == .hanafi)
        #expect(asr.settings.highLatitude == .oneSeventh)
        let rule = try chosen(59.9127, 10.7461, "Europe/Oslo") { $0.highLatitude = .auto }
        #expect(rule.settings.highLatitude == .auto)
        let method = try chosen(59.9127, 10.7461, "Europe/Oslo") { $0.method = "isna" }
        #expect(method.settings.asr == nil && method.settings.highLatitude == nil)
        #expect(method.choice == MethodChoice(.configuration, calendar: .place))
        let option = try chosen(59.9127, 10.7461, "Europe/Oslo") { ($0.method, $0.isOption) = ("isna", true) }
        #expect(option.choice.chooser == .option)
    }

    @Test(
        "the calendar of the country, whoever chose the method",
        arguments: [
            (21.4225, 39.8262, "Asia/Riyadh", HijriRule.ummAlQura),
            (41.0138, 28.9497, "Europe/Istanbul", .diyanet),
            (43.8486, 18.3564, "Europe/Sarajevo", .diyanet), (3.1412, 101.6865, "Asia/Kuala_Lumpur", .mabims),
            (1.29, 103.85, "Asia/Singapore", .mabims), (4.8903, 114.9401, "Asia/Brunei", .mabims),
            (-6.2146, 106.8451, "Asia/Jakarta", .kemenag), (51.5074, -0.1278, "Europe/London", .ummAlQura),
            (-40.0, -30.0, "Etc/UTC", .ummAlQura),
        ])
    func calendar(latitude: Double, longitude: Double, zone: String, rule: HijriRule) throws {
        let (settings, choice) = try chosen(latitude, longitude, zone)
        #expect(settings.hijriRule == rule && choice.calendar == .place)
        #expect(try settings.calculation().hijri.rule == rule)
        let written = try chosen(latitude, longitude, zone) { $0.method = "isna" }
        #expect(written.settings.hijriRule == rule && written.choice.calendar == .place)
        let own = try chosen(latitude, longitude, zone) { $0.hijriRule = .kemenag }
        #expect(own.settings.hijriRule == .kemenag && own.choice.calendar == .configuration)
        #expect(own.choice.chooser == .place)
        let shared = try chosen(latitude, longitude, zone) { $0.hijriRule = .mabims }
        #expect(shared.settings.hijriRule == (rule == .kemenag ? .kemenag : .mabims))
        #expect(shared.choice.calendar == .configuration && shared.settings.hijriRule?.name == "mabims")
    }

    private func configured(
        _ text: String, _ options: CalculationOptions = CalculationOptions(),
        at point: (Double, Double) = (3.1412, 101.6865), _ zone: String = "Asia/Kuala_Lumpur"
    ) throws -> (rule: HijriRule?, days: Int, choice: MethodChoice) {
        let config = try options.apply(to: try ConfigLoader.load(text: text, file: "/a"))
        let (settings, choice) = config.calculation.practised(at: point, zone: zone, try Embedded.gazetteer())
        return (settings.hijriRule, settings.hijriAdjustment, choice)
    }

    @Test("an adjustment, written or typed, goes on top of the place's calendar")
    func adjustedCalendar() throws {
        for method in ["", "method = \"jakim\"\n"] {
            let adjusted = try configured("[calculation]\n\(method)hijri-adjustment = -1\n")
            #expect(adjusted.rule == .mabims && adjusted.days == -1 && adjusted.choice.calendar == .place)
        }
        var options = CalculationOptions()
        options.hijriAdjustment = "1"
        let typed = try configured("[adhan]", options)
        #expect(typed.rule == .mabims && typed.days == 1)
    }

    @Test("a zone of an authority brings that country's calendar, wherever the configuration's place is")
    func calendarOfZone() throws {
        let chosen = try chosen(40.7282, -73.7949, "America/New_York") { $0.zone = "SWK05" }
        #expect(chosen.settings.method == "jakim" && chosen.settings.hijriRule == .mabims)
    }

    @Test("a zone of an authority names the authority; one that nobody has is refused")
    func zone() throws {
        let sarawak = try chosen(40.7282, -73.7949, "America/New_York") { $0.zone = "swk05" }
        #expect(sarawak.settings.method == "jakim" && sarawak.choice.place == nil)
        #expect(try sarawak.settings.calculation().zone == "SWK05")
        let unknown = try chosen(3.1412, 101.6865, "Asia/Kuala_Lumpur") { $0.zone = "XYZ99" }
        #expect(throws: EngineError.self) { try unknown.settings.calculation() }
        var bare = CalculationSettings()
        bare.zone = "XYZ99"
        #expect(throws: EngineError.self) { try bare.calculation() }
    }

    @Test("at a border the time zone tells the side, and the neighbour is named with its method")
    func border() throws {
        // Johor Bahru and Singapore's Woodlands are 3 km apart.
        let woodlands = try chosen(1.4500, 103.7800, "Asia/Singapore")
        #expect(woodlands.settings.method == "singapore")
        #expect(woodlands.choice.neighbour == .init(country: "Malaysia", method: "jakim"))
        let johor = try chosen(1.4500, 103.7800, "Asia/Kuala_Lumpur")
        #expect(johor.settings.method == "jakim")
        #expect(johor.choice.neighbour == .init(country: "Singapore", method: "singapore"))
    }

    @Test("at sea, and where nobody knows the place, it is the generic method, and said so")
    func sea() throws {
        let (settings, choice) = try chosen(-30, -25, "UTC")
        #expect(settings.method == "mwl" && choice == MethodChoice(.place, calendar: .place))
        // Fuvahmulah is 497 km from the nearest town that is known, and its clock is of the Maldives.
        #expect(try chosen(-0.2974, 73.4265, "Indian/Maldives").choice.place == "Male (Maldives)")
        #expect(try chosen(-0.2974, 73.4265, "UTC").choice.place == nil)
        let nowhere = CalculationSettings().practised(at: nil, zone: "UTC", try Embedded.gazetteer())
        #expect(nowhere.settings.method == "mwl" && nowhere.choice.place == nil)
        let how = StatusDocument.Calculation(
            method: "mwl", asr: "standard", highLatitude: "auto", methodChosenBy: .place)
        #expect(MethodText.line(how) == "mwl, the most widely used one; Asr standard, high latitude auto")
        #expect(MethodText.advice(how)?.hasPrefix("No town is near") == true)
    }

    @Test(
        "another place on the command line has its own practice, and the calendar that people decided stays")
    func options() throws {
        var config = Config.default
        config.location = ConfiguredLocation(name: "Queens", latitude: 40.7282, longitude: -73.7949)
        config.calculation.method = "isna"
        config.calculation.asr = .hanafi
        config.calculation.adjustments = EventMinutes(fajr: 3)
        config.calculation.hijriAdjustment = -1
        var options = CalculationOptions()
        (options.latitude, options.longitude) = ("59.9", "10.7")
        let moved = try options.apply(to: config).calculation
        #expect(moved.method == "auto" && moved.asr == nil && moved.adjustments == EventMinutes())
        #expect(moved.hijriAdjustment == -1)
        options.method = "isna"
        #expect(try options.apply(to: config).calculation.method == "isna")
        #expect(try options.apply(to: config).calculation.isOption)
    }
}

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

    @Test("what an older version kept says isna; the news stays until somebody writes a method or moves")
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

    @Test("a box that had the same times hears nothing, and a first start neither")
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

    @Test("another calendar is news for itself, until somebody writes one or moves")
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
        "the news of another calendar names an adjustment that was made for the former, and what takes either away"
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

    @Test("the name of the place and its height confirm neither a method nor a calendar")
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
