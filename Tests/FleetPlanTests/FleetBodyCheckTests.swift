import PrayerEngine
import Testing

@testable import Envelope
@testable import FleetPlan
@testable import Texts

/// Bodies of the right form that every box refuses: they are not signed.
struct FleetBodyCheckTests {
    /// A Sunday.
    private static let now = InstantText.parse("2027-01-10T12:00:00Z")!

    /// The sentence of the refusal; `nil` where a box might take it.
    private func refusal(
        _ kind: FleetKind, _ body: String, from: Instant = FleetBodyCheckTests.now
    ) throws -> String? {
        let json = try StrictJSON(Array(body.utf8))
        do throws(EnvelopeRefusal) {
            try FleetBody(kind, json).check(from: from)
            return nil
        } catch {
            #expect(error.reason == .invalid)
            return error.detail
        }
    }

    private func timetable(_ csv: String) throws -> String? {
        let body = try JSON.encode(["csv": csv, "sha256": SHA256.hex(Array(csv.utf8))])
        return try refusal(.timetable, String(decoding: body, as: UTF8.self))
    }

    private func exception(_ date: String, _ prayer: String, _ times: String) throws -> String? {
        try refusal(
            .exception, #"{"exceptions":[{"date":"\#(date)","prayer":"\#(prayer)",\#(times)}]}"#)
    }

    private func configuration(_ toml: String) throws -> String? {
        try refusal(.configuration, String(decoding: try JSON.encode(["toml": toml]), as: UTF8.self))
    }

    @Test
    func `A timetable is read as a box reads it`() throws {
        #expect(try timetable("date,dhuhr\n2027-01-11,12:45\n") == nil)
        #expect(try timetable("date,dhuhr\n2027-01-11,25:10\n")?.contains("line 2, \"25:10\"") == true)
        #expect(try timetable("date,duhr\n2027-01-11,12:45\n")?.contains("did you mean dhuhr?") == true)
        #expect(try timetable("date,dhuhr\n")?.contains("has no day") == true)
        let source =
            #"# source {"id":1,"name":"main","file":"f","sha256":"","imported":"2027-01-01","format":"csv","clock":"local","rows":3}"#
        #expect(
            try timetable("\(source)\ndate,dhuhr,source\n2027-01-11,12:45,1\n")?.contains("fewer days")
                == true)
    }

    @Test
    func `An exception has times of day, a day to come, and its prayer on that day`() throws {
        #expect(try exception("2027-01-11", "isha", #""adhan":"20:00","iqama":"20:15""#) == nil)
        #expect(try exception("2027-01-11", "isha", #""adhan":"20.00""#)?.contains("\"20.00\"") == true)
        #expect(try exception("2027-01-11", "isha", #""iqama":"24:00""#)?.contains("time of day") == true)
        #expect(try exception("2027-01-15", "jumua", #""adhan":"13:00""#) == nil)
        #expect(try exception("2027-01-16", "jumua", #""adhan":"13:00""#)?.contains("Fridays") == true)
    }

    /// Last night's Isha belongs to yesterday, and the day ends last in the zone that is twelve hours behind UTC.
    @Test
    func `A day is past when it is past in every zone`() throws {
        #expect(try exception("2027-01-09", "isha", #""adhan":"20:00""#) == nil)
        #expect(try exception("2027-01-08", "isha", #""adhan":"20:00""#)?.contains("past") == true)
        let earlier = Self.now - 1
        let body = #"{"exceptions":[{"date":"2027-01-08","prayer":"isha","adhan":"20:00"}]}"#
        #expect(try refusal(.exception, body, from: earlier) == nil)
    }

    @Test
    func `A box keeps 400 exceptions`() throws {
        func list(_ days: Int) throws -> String? {
            let first = try #require(CivilDate("2027-01-11"))
            let all = (0..<days).map {
                #"{"date":"\#(first.adding(days: $0))","prayer":"fajr","iqama":"06:00"}"#
            }
            return try refusal(.exception, #"{"exceptions":[\#(all.joined(separator: ","))]}"#)
        }
        #expect(try list(400) == nil)
        #expect(try list(401)?.contains("401") == true)
    }

    @Test
    func `A month begins near its day, and has 29 or 30`() throws {
        func pins(_ text: String) throws -> String? { try refusal(.hijri, #"{"pins":{\#(text)}}"#) }
        #expect(try pins(#""1448-09":"2027-02-08""#) == nil)
        #expect(try pins(#""1448-09":"2027-03-08""#)?.contains("Umm al-Qura") == true)
        #expect(try pins(#""1448-09":"2027-02-06","1448-10":"2027-03-10""#)?.contains("29 or 30") == true)
        #expect(try pins(#""9999-09":"2027-02-08""#) != nil)
    }

    @Test
    func `A configuration has the keys and values of adhand, and may lean on the files of a box`() throws {
        #expect(try configuration("[adhan]\nvolume = 40\n") == nil)
        #expect(try configuration("[adhan]\nvolum = 40\n")?.contains("did you mean") == true)
        #expect(try configuration("[adhan]\nvolume = 400\n")?.hasPrefix("configuration:2:") == true)
        // The longitude may stand in the box's own file, and only the box has its sounds and devices.
        #expect(try configuration("[location]\nlatitude = 51.5\n") == nil)
        #expect(try configuration("[adhan]\nsound = \"bells\"\n[audio]\ndevices = [\"hw:9\"]\n") == nil)
    }

    @Test(arguments: [
        (FleetKind.command, #"{"verb":"mute","duration":"2h"}"#), (.revert, #"{"kind":"timetable"}"#),
    ])
    func `The other kinds have nothing more to be looked at`(_ kind: FleetKind, _ body: String) throws {
        #expect(try refusal(kind, body) == nil)
    }
}
