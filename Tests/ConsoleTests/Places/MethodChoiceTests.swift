import BoxSupport
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
        "The country's practice, with its Asr and its rule for short nights",
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
        "What is written wins over the place's, key by key, and a written method takes nothing of the place")
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
        "The calendar of the country, whoever chose the method",
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

    @Test("An adjustment, written or typed, goes on top of the place's calendar")
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

    @Test("A zone of an authority brings that country's calendar, wherever the configuration's place is")
    func calendarOfZone() throws {
        let chosen = try chosen(40.7282, -73.7949, "America/New_York") { $0.zone = "SWK05" }
        #expect(chosen.settings.method == "jakim" && chosen.settings.hijriRule == .mabims)
    }

    @Test("A zone of an authority names the authority; one that nobody has is refused")
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

    @Test("At a border the time zone tells the side, and the neighbour is named with its method")
    func border() throws {
        // Johor Bahru and Singapore's Woodlands are 3 km apart.
        let woodlands = try chosen(1.4500, 103.7800, "Asia/Singapore")
        #expect(woodlands.settings.method == "singapore")
        #expect(woodlands.choice.neighbour == .init(country: "Malaysia", method: "jakim"))
        let johor = try chosen(1.4500, 103.7800, "Asia/Kuala_Lumpur")
        #expect(johor.settings.method == "jakim")
        #expect(johor.choice.neighbour == .init(country: "Singapore", method: "singapore"))
    }

    @Test("At sea, and where nobody knows the place, it is the generic method, and said so")
    func sea() throws {
        let (settings, choice) = try chosen(-30, -25, "UTC")
        #expect(settings.method == "mwl" && choice == MethodChoice(.place, calendar: .place))
        // Fuvahmulah is 497 km from the nearest town that is known, and its clock is of the Maldives.
        #expect(try chosen(-0.2974, 73.4265, "Indian/Maldives").choice.place == "Male (Maldives)")
        #expect(try chosen(-0.2974, 73.4265, "UTC").choice.place == nil)
        let nowhere = CalculationSettings().practised(at: nil, zone: "UTC", try Embedded.gazetteer())
        #expect(nowhere.settings.method == "mwl" && nowhere.choice.place == nil)
        let how = CalculationBasics(
            method: "mwl", asr: "standard", highLatitude: "auto", methodChosenBy: .place)
        #expect(MethodText.line(how) == "mwl, the most widely used one; Asr standard, high latitude auto")
        #expect(MethodText.advice(how)?.hasPrefix("No town is near") == true)
    }

    @Test(
        "Another place on the command line has its own practice, and the calendar that people decided stays")
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
