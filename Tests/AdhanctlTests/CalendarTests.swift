import Foundation
import PrayerEngine
import Protocol
import Testing
import Texts

@Suite("The calendar file")
struct CalendarTests {
    private func calendar(_ arguments: String, name: String = "Queens, New York") throws -> (
        text: String, ICalendar
    ) {
        let program = Adhanctl()
        try program.configure(
            """
            timezone = "America/New_York"
            [location]
            name = "\(name)"
            latitude = 40.7282
            longitude = -73.7949
            """)
        let outcome = try program.run("times --format ics " + arguments)
        #expect(outcome.status == 0)
        return (outcome.output, try ICalendar(outcome.output))
    }

    @Test(
        "A year has five prayers a day, each with a name of its own, and is the same whenever it is exported")
    func year() throws {
        let (text, calendar) = try calendar("--year 2026")
        #expect(calendar.events.count == 365 * 5)
        #expect(Set(calendar.events.compactMap { $0["UID"] }).count == 365 * 5)
        #expect(calendar.events.count { $0["SUMMARY"] == "Jumu'ah" } == 52)
        #expect(calendar.events.count { $0["SUMMARY"] == "Dhuhr" } == 313)
        let again = try self.calendar("--year 2026").text
        #expect(Self.timeless(again) == Self.timeless(text))
    }

    /// Without the lines that say when it was made.
    static func timeless(_ text: String) -> String {
        text.components(separatedBy: "\r\n").filter { line in
            !["DTSTAMP:", "LAST-MODIFIED:", "SEQUENCE:"].contains { line.hasPrefix($0) }
        }.joined(separator: "\r\n")
    }

    @Test("--include and --alarm go with ics, and say what they know")
    func options() throws {
        let program = try Adhanctl.inQueens()
        let day = "times --date 2026-11-20 --format ics "
        let text = try program.run(day + "--include sunrise --include imsak --alarm 10m").output
        #expect(text.contains("SUMMARY:Sunrise\r\n") && text.contains("TRIGGER:-PT10M\r\n"))
        #expect(
            try program.run(day + "--include fajr").error.contains("--include knows imsak, sunrise, sunset"))
        #expect(
            try program.run(day + "--alarm soon").error.contains("--alarm must be a duration from 0s to 24h"))
        // Of a Friday, four prayers and Jumu'ah.
        let fewer = try program.run(day + "--exclude fajr --exclude Dhuhr --exclude iqama").output
        #expect(fewer.components(separatedBy: "BEGIN:VEVENT").count == 5 && !fewer.contains("SUMMARY:Fajr"))
        #expect(try program.run(day + "--exclude sunrise").error.contains("--exclude knows fajr, dhuhr"))
        let table = try program.run("times --date 2026-11-20 --alarm 10m")
        #expect(table.status != 0 && table.error.contains("--alarm goes with --format ics"))
    }

    @Test("Another method moves the events and keeps their names; another place has others")
    func names() throws {
        let day = "--date 2026-11-20"
        let isna = try calendar(day).1.events.map { $0["UID"] }
        let mwl = try calendar(day + " --method mwl").1
        #expect(mwl.events.map { $0["UID"] } == isna)
        #expect(mwl.events[0]["DTSTART"] != (try calendar(day).1.events[0]["DTSTART"]))
        #expect(Set(try calendar(day + " --latitude 41").1.events.map { $0["UID"] }).isDisjoint(with: isna))
        #expect(isna[0]?.hasPrefix("fajr_20261120_") == true)
        #expect(isna[0]?.hasSuffix("@adhand") == true)
    }

    @Test("Instants are those of the JSON document, in UTC")
    func instants() throws {
        let program = try Adhanctl.inQueens()
        let json = try program.run("times --date 2026-11-20 --json").output
        let day = try JSON.decode(TimesDocument.self, from: json.utf8).days[0]
        let formatter = ISO8601DateFormatter()
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.formatOptions = [.withYear, .withMonth, .withDay, .withTime, .withTimeZone]
        for event in try calendar("--date 2026-11-20").1.events {
            let prayer = Prayer.allCases.first { $0.title == event["SUMMARY"] }
            let instant = prayer.flatMap { day.events[$0.event.rawValue]?.wrappedValue }.flatMap(
                InstantText.parse)
            let date = try #require(instant.map { Date(timeIntervalSince1970: $0.unixSeconds) })
            #expect(event["DTSTART"] == formatter.string(from: date))
            #expect(event["DTSTAMP"] == event["LAST-MODIFIED"])
        }
    }

    @Test("Names of places survive, whatever they are made of")
    func escaping() throws {
        let name = "Masjid; \\\"Große Straße\\\", " + String(repeating: "مسجد ", count: 14)
        let (_, calendar) = try calendar("--date 2026-11-20", name: name)
        let plain = name.replacing("\\\"", with: "\"")
        #expect(calendar.events[0]["LOCATION"] == plain)
        #expect(calendar.properties["X-WR-CALNAME"] == "Prayer times, " + plain)
    }
}

/// A strict reader of what RFC 5545 allows and adhanctl writes: lines end in CRLF and have at most 75 octets, components
/// nest, every event has what it must have.
struct ICalendar {
    struct Broken: Error {
        let why: String
    }

    var properties: [String: String] = [:]
    var events: [[String: String]] = []

    init(_ text: String) throws {
        let physical = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
        guard physical.last == "" else { throw Broken(why: "the last line has no end") }
        var lines: [String] = []
        for line in physical.dropLast() {
            guard line.unicodeScalars.last == "\r" else { throw Broken(why: "no CRLF: \(line)") }
            let content = String(line.unicodeScalars.dropLast())
            guard content.utf8.count <= 75 else {
                throw Broken(why: "\(content.utf8.count) octets: \(content)")
            }
            guard !content.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
                throw Broken(why: "control: \(content)")
            }
            if content.hasPrefix(" ") {
                guard let last = lines.popLast() else { throw Broken(why: "nothing is continued") }
                lines.append(last + content.dropFirst())
            } else {
                lines.append(content)
            }
        }
        try read(lines)
    }

    private mutating func read(_ lines: [String]) throws {
        guard lines.first == "BEGIN:VCALENDAR", lines.last == "END:VCALENDAR" else {
            throw Broken(why: "no calendar")
        }
        var event: [String: String]?
        for line in lines.dropFirst().dropLast() {
            guard let colon = line.firstIndex(of: ":") else { throw Broken(why: "no property: \(line)") }
            let name = String(line[..<colon])
            let value = try Self.unescaped(line[line.index(after: colon)...], isText: name != "GEO")
            switch (name, value, event) {
            case ("BEGIN", "VEVENT", nil): event = [:]
            case ("END", "VEVENT", let done?):
                for needed in ["UID", "DTSTAMP", "DTSTART", "SUMMARY"] where done[needed] == nil {
                    throw Broken(why: "an event without \(needed)")
                }
                events.append(done)
                event = nil
            case (_, _, .some):
                guard event?.updateValue(value, forKey: name) == nil else {
                    throw Broken(why: "\(name) twice")
                }
            default: properties[name] = value
            }
        }
        guard event == nil, properties["VERSION"] == "2.0", properties["PRODID"] != nil else {
            throw Broken(why: "no whole calendar")
        }
    }

    private static func unescaped(_ text: Substring, isText: Bool) throws -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "\\" {
                switch rest.popFirst() {
                case "n", "N": result += "\n"
                case "\\": result += "\\"
                case ";": result += ";"
                case ",": result += ","
                default: throw Broken(why: "escape: \(text)")
                }
            } else {
                if isText, character == ";" || character == "," { throw Broken(why: "unescaped: \(text)") }
                result.append(character)
            }
        }
        return result
    }
}
