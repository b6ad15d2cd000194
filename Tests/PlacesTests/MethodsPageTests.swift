import BoxSupport
import Foundation
import LabSupport
import PrayerEngine
import Testing

@testable import Places

/// docs/METHODS.md's tables are made from the code: `UPDATE=1 make unit` writes them.
@Suite("docs/METHODS.md")
struct MethodsPageTests {
    static let file = URL(fileURLWithPath: #filePath).appending(path: "../../../docs/METHODS.md")
        .standardized

    @Test("Its tables are those of the code")
    func current() throws {
        let gazetteer = try Embedded.gazetteer()
        var text = try String(contentsOf: Self.file, encoding: .utf8)
        let was = text
        for (name, table) in [("methods", Self.methods), ("countries", Self.countries(gazetteer))] {
            let start = try #require(text.range(of: "<!-- \(name) -->\n"))
            let end = try #require(text.range(of: "<!-- end of \(name) -->"))
            text.replaceSubrange(start.upperBound..<end.lowerBound, with: table)
        }
        if UpdatedFixtures.isWanted {
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
        } else {
            #expect(text == was, "write it again with UPDATE=1")
        }
    }

    private static var methods: String {
        var lines = [
            "| name | no. | Fajr | Isha | Maghrib | Asr | minutes | rounding and more | source |",
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        for method in Method.all {
            let names = ([method.name] + method.aliases).map { "`\($0)`" }
            let cells: [String] = [
                names.joined(separator: ", "), method.number.map(String.init) ?? "",
                number(method.fajrAngle), isha(method),
                method.maghribAngle > 0 ? number(method.maghribAngle) : "sunset", method.asr.rawValue,
                minutes(method), more(method).joined(separator: "; "), method.source,
            ]
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func isha(_ method: Method) -> String {
        switch method.isha {
        case .angle(let angle): number(angle)
        case .minutes(let usual, let ramadan):
            "\(number(usual)) min" + (usual == ramadan ? "" : ", in Ramadan \(number(ramadan))")
        }
    }

    private static func minutes(_ method: Method) -> String {
        var parts = DayEvent.allCases.filter { method.offsets[$0] != 0 }.map {
            "\($0.rawValue) \(signed(method.offsets[$0]))"
        }
        parts += DayEvent.allCases.filter { method.ramadanOffsets[$0] != 0 }.map {
            "\($0.rawValue) in Ramadan \(signed(method.ramadanOffsets[$0])) more"
        }
        if method.hasSeasonalOffsets { parts.append("by the date") }
        return parts.joined(separator: ", ")
    }

    private static func more(_ method: Method) -> [String] {
        var parts: [String] = []
        switch method.rounding {
        case .nearest: break
        case .up: parts.append(method.roundingByEvent.sunrise == .up ? "up" : "up, sunrise down")
        case .safe, .none: parts.append(method.rounding.rawValue)
        }
        switch method.ephemeris {
        case .exact: break
        case .fixed(let hour): parts.append("the Sun of \(number(hour)) h UT")
        case .perpetual(let year): parts.append("perpetual, of \(year)")
        case .perpetualExact(let year): parts.append("perpetual, of \(year) with a Sun that moves")
        }
        if case .fixed(let hour) = method.daylightEphemeris {
            parts.append("noon and Asr by the Sun of \(number(hour)) h UT")
        }
        if case .fixed(let hour) = method.dawnEphemeris {
            parts.append("Fajr by the Sun of \(number(hour)) h UT")
        }
        if let hour = method.noonShadowHour { parts.append("Asr's noon shadow of \(number(hour)) h UT") }
        if method.sunsetDepressionDegrees >= 1 {
            parts.append("sunrise and sunset at \(number(method.sunsetDepressionDegrees))°")
        }
        if method.elevation.dipMinutes != 1.76 {
            parts.append("dip \(number(method.elevation.dipMinutes))′·√h")
        }
        if method.elevation.lowersTwilight { parts.append("the dip lowers dawn and nightfall, too") }
        if method.elevation.isTown { parts.append("the town's height") }
        if case .angle(let angle) = method.ishaAbroad { parts.append("Isha \(number(angle)) abroad") }
        if method.knowsShortNights { parts.append("short nights, see below") }
        if !method.centreNames.isEmpty {
            parts.append("tables of \(method.centreNames.joined(separator: ", ")), see below")
        }
        if let earlier = method.earlierFajr {
            parts.append("Fajr \(number(earlier.angle)) before \(earlier.until)")
        }
        if let since = method.offsetsSince { parts.append("other minutes before \(since)") }
        if method.imsakMinutes == 0 { parts.append("imsak is Fajr") }
        if method.isSeasonal { parts.append("seasonal, see below") }
        if method.midnight == .jafari { parts.append("midnight `jafari`") }
        let places = method.places.all.count
        if places > 0 { parts.append(places == 1 ? "one place for all" : "\(places) reference places") }
        return parts
    }

    private static func countries(_ gazetteer: Gazetteer) -> String {
        var groups: [String: [String]] = [:]
        for code in Set(CountryPractice.methods.keys).union(CountryPractice.schools.keys)
            .union(CountryPractice.highLatitudes.keys)
        {
            let name = code == "TR" ? "Türkiye" : gazetteer.country(code) ?? code
            let practice = CountryPractice(code: code, country: name)
            let rule = practice.highLatitude == .auto ? "" : "`\(practice.highLatitude.rawValue)`"
            groups["`\(practice.method)` | \(practice.asr.rawValue) | \(rule)", default: []].append(name)
        }
        // These proposals are by the place, not by the country.
        for local in CountryPractice.local {
            let name = gazetteer.country(local.code) ?? local.code
            let practice = CountryPractice(code: local.code, country: name, near: local.example)
            let key = "`\(practice.method)` | \(practice.asr.rawValue) | "
            if groups[key] == nil { groups[key] = ["\(name): \(local.region)"] }
        }
        let rows = groups.map { "| \($0.value.sorted().joined(separator: ", ")) | \($0.key) |" }.sorted()
        return
            (["| country | method | Asr | high latitudes |", "| --- | --- | --- | --- |"] + rows + [
                "| the rest of Europe | `mwl` | standard | |",
                "| everywhere else | `mwl`, as the most widely used; setup says that no method of the country is known "
                    + "| standard | |",
            ]).joined(separator: "\n") + "\n"
    }

    private static func signed(_ value: Double) -> String {
        value < 0 ? "−\(number(-value))" : "+\(number(value))"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : "\(value)"
    }
}
