import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Testing
import Texts
import Times

@Suite("Times, without a daemon")
struct TimesTests {
    static let pins: [(String, String)] = [
        ("queens-day", "times --date 2026-11-20"),
        ("queens-exact", "times --date 2026-11-20 --days 3 --rounding none"),
        ("queens-month", "times --month 2026-11"),
        ("queens-csv", "times --date 2026-11-20 --days 2 --format csv"),
        ("queens-json", "times --date 2026-11-20 --format json"),
        ("queens-ics", "times --date 2026-11-20 --format ics"),
        (
            "oslo-june",
            "times --date 2026-06-20 --days 3 --latitude 59.9139 --longitude 10.7522 --timezone Europe/Oslo"
        ),
        ("explain-isha", "explain isha --date 2026-11-20"),
        ("methods", "methods"),
        ("qibla", "qibla"),
        ("hijri", "hijri 2026-11-20"),
        ("hijri-json", "hijri 2026-11-20 --json"),
    ]

    @Test("What people and programs rely on is pinned", arguments: pins.indices)
    func pinned(index: Int) throws {
        let (name, line) = Self.pins[index]
        let outcome = try Adhanctl.inQueens().run(line)
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        let output = name.hasSuffix("ics") ? CalendarTests.timeless(outcome.output) : outcome.output
        try ExpectedText.expect(output, in: "text/\(name).txt", of: .module)
    }

    @Test("A method of one country's zones says so elsewhere, once and on standard error alone")
    func farFromZones() throws {
        let program = try Adhanctl.inQueens()
        for command in [
            "times --date 2026-11-20 --method jakim", "explain fajr --date 2026-11-20 --method singapore",
        ] {
            let outcome = try program.run(command)
            #expect(outcome.status == 0)
            #expect(outcome.error.contains(" alone and this place is near none of them"), "\(outcome.error)")
            #expect(!outcome.output.contains("near none of them"))
        }
        #expect(
            !(try program.run("times --date 2026-11-20 --method jakim --zone WLY01").error.contains(
                "near none")))
        #expect(try program.run("times --date 2026-11-20 --method kemenag").error.isEmpty)
        let homeless = try program.run("times --date 2026-11-20 --method isna --zone WLY01")
        #expect(
            homeless.error.contains(
                "adhanctl: the method isna has no zones; WLY01 is one of the method jakim\n"))
        let sarawak = try program.run("times --date 2026-11-20 --zone SWK05")
        #expect(sarawak.error.contains("Asia/Kuching") && sarawak.output.contains("(SWK05)"))
        #expect(sarawak.output.contains("jakim, chosen for Sarikei (Malaysia)"))
        let check = Adhanctl()
        try check.configure(
            "timezone = \"UTC\"\n[location]\nlatitude = 51.5\nlongitude = 0\n[calculation]\nmethod = \"jakim\"\n"
        )
        let text = try check.run("check").output.replacing("\n", with: " ")
        #expect(text.contains("jakim has zones of Malaysia alone"), "\(text)")
    }

    @Test(
        "The Hijri date of a town is that of its country's calendar, which stands beside it",
        arguments: [
            ("makkah", "1 Ramadan 1447 (Umm al-Qura)"), ("istanbul", "30 Sha'ban 1447 (Diyanet)"),
            ("singapore", "30 Sha'ban 1447 (MABIMS)"), ("jakarta", "30 Sha'ban 1447 (MABIMS)"),
        ])
    func calendar(town: String, date: String) throws {
        let program = try Adhanctl.inQueens()
        let hijri = try program.run("hijri 2026-02-18 --city \(town)")
        #expect(hijri.status == 0 && hijri.output.contains(date), "\(hijri)")
        let times = try program.run("times --date 2026-02-18 --city \(town)")
        #expect(times.output.contains(date), "\(times)")
        let own = Adhanctl()
        try own.configure("[hijri]\ncalendar = \"diyanet\"\n")
        #expect(
            try own.run("hijri 2026-02-18 --city \(town)").output.contains("30 Sha'ban 1447 (Diyanet)"))
    }

    @Test("--json, before or after, is --format json")
    func json() throws {
        let program = try Adhanctl.inQueens()
        let document = try program.run("times --date 2026-11-20 --format json").output
        #expect(try program.run("times --date 2026-11-20 --json").output == document)
        #expect(try program.run("--json times --date 2026-11-20").output == document)
        let times = try JSON.decode(TimesDocument.self, from: document.utf8)
        #expect(times.location.name == "Queens, New York")
        #expect(times.days.map(\.date) == ["2026-11-20"])
        #expect(times.days[0].events.count == 10)
        #expect(times.days[0].events["asr"]?.wrappedValue == "2026-11-20T14:53:00-05:00")
        let exact = try program.run("times --date 2026-11-20 --json --rounding none").output
        #expect(exact.contains(/"asr":"2026-11-20T14:52:3[0-9]\.[0-9]{3}-05:00"/))
    }

    /// An adhand in Mecca, which reads a file that adhanctl would not find by itself.
    func asked(_ line: String) throws -> (outcome: Adhanctl.Outcome, requests: [ControlRequest]) {
        var program = try Adhanctl.inQueens()
        let file = program.home.path + "/mecca.toml"
        try
            "timezone = \"Asia/Riyadh\"\n[location]\nname = \"Mecca\"\nlatitude = 21.4225\nlongitude = 39.8262\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        let text = try ExpectedText.read("status.json", in: .module).replacing(
            "/etc/adhand/adhand.toml", with: file
        )
        .replacing("2026-11-20T13:07:12.500-05:00", with: "2026-11-21T21:07:12.500+03:00")
        let status = try JSON.decode(StatusDocument.self, from: text.utf8)
        let place = try Place(latitude: 21.4225, longitude: 39.8262)
        var calculation = Calculation()
        calculation.asr = .standard
        let site = Site(
            name: "Mecca, as adhand has it", place: place, approximate: false,
            zone: try Zone(name: "Asia/Riyadh", posix: "<+03>-3"), calculation: calculation)
        let service = FakeService(in: program.home) { request in
            switch request {
            case .getStatus: return .reply(.document(StatusReply(status: status)))
            case .getTimes(let date, let days):
                guard let first = date.flatMap({ CivilDate($0) }), days <= 35 else {
                    return .reply(.refused(.invalidParameter(parameter: "days")))
                }
                let dates = (0..<days).map { first.adding(days: $0) }
                return .reply(.document(TimesReply(times: TimesDocument(site: site, dates: dates))))
            default: return .reply(.refused(.nothingPlaying))
            }
        }
        program.socket = service.path
        let outcome = try program.run(line)
        return (outcome, service.requests)
    }

    @Test("The adhand that answers is asked for its times, on its day, and in parts where they are many")
    func daemonTimes() throws {
        let (day, _) = try asked("times --json")
        let one = try JSON.decode(TimesDocument.self, from: day.output.utf8)
        #expect(one.location.name == "Mecca, as adhand has it" && one.days.map(\.date) == ["2026-11-21"])
        let (year, requests) = try asked("times --year 2027 --json")
        let all = try JSON.decode(TimesDocument.self, from: year.output.utf8)
        #expect(all.days.count == 365 && all.days.last?.date == "2027-12-31")
        #expect(requests.count { if case .getTimes = $0 { true } else { false } } == 11)
    }

    @Test(
        "What adhand does not say itself is computed from the file that it reads",
        arguments: [
            "times --date 2026-11-20 --method mwl", "explain asr --date 2026-11-20", "qibla", "hijri",
        ])
    func daemonsFile(line: String) throws {
        let (outcome, requests) = try asked(line + " --json")
        #expect(outcome.status == 0 && !requests.contains { if case .getTimes = $0 { true } else { false } })
        // Of Mecca, and not of the Queens that the usual file has: its zone, or hardly any way to the Ka'bah.
        let isThere = outcome.output.contains("+03:00") || outcome.output.contains("\"latitude\":21.4225")
        #expect(isThere || outcome.output.contains("21.42"), "\(outcome)")
    }

    @Test("A configuration that is named goes before the adhand that answers")
    func named() throws {
        var program = try Adhanctl.inQueens()
        let service = FakeService(in: program.home) { _ in .reply(.refused(.nothingPlaying)) }
        program.socket = service.path
        let outcome = try program.run("times --date 2026-11-20 --config \(program.configurationFile)")
        #expect(outcome.output.hasPrefix("Queens, New York"), "\(outcome)")
    }

    @Test("Without a location it is the zone's principal place, and says so")
    func approximate() throws {
        let program = Adhanctl()
        // A file of its own: this machine may have one for its adhand.
        try program.configure("")
        let outcome = try program.run("times --date 2026-11-20")
        #expect(
            outcome.output.hasPrefix(
                "New York (40.7142, -74.0064), America/New_York\nApproximate: no location is set"))
        let json = try program.run("times --date 2026-11-20 --json").output
        #expect(json.contains("\"approximate\":true"))
    }

    @Test("Another place is by its own clocks, a town has its name, and standard error says whose zone it is")
    func elsewhere() throws {
        let program = try Adhanctl.inQueens()
        let point = try program.run("times --date 2026-11-20 --json --latitude 21.42 --longitude 39.83")
        let there = try JSON.decode(TimesDocument.self, from: point.output.utf8)
        #expect(there.location.timezone == "Asia/Riyadh" && there.location.name != "Queens, New York")
        #expect(
            point.error.contains("adhanctl: by the time zone of the nearest town")
                && point.error.contains("Asia/Riyadh"))
        let town = try program.run(["--json", "times", "--date", "2026-11-20", "--city", "london ontario"])
        let london = try JSON.decode(TimesDocument.self, from: town.output.utf8)
        #expect(london.location.name == "London, Ontario" && london.location.timezone == "America/Toronto")
        #expect(town.error == "adhanctl: by the time zone of London, Ontario: America/Toronto\n")
        let given = try program.run([
            "times", "--date", "2026-11-20", "--city", "london uk", "--timezone", "Asia/Riyadh",
        ])
        #expect(given.error.isEmpty && given.output.contains("London, United Kingdom"), "\(given)")
        let kashgar = try program.run(["explain", "asr", "--date", "2026-11-20", "--city", "Kashgar"])
        #expect(kashgar.status == 0 && kashgar.error.contains("Asia/Urumqi"), "\(kashgar)")
    }

    @Test("Another place brings its town's height, which only a method that considers it hears of")
    func townHeight() throws {
        let program = try Adhanctl.inQueens()
        func maghrib(_ more: String) throws -> String {
            let outcome = try program.run("times --date 2026-09-28 --json \(more)")
            let day = try JSON.decode(TimesDocument.self, from: outcome.output.utf8).days[0]
            return "\(try #require(day.events["maghrib"]?.wrappedValue))"
        }
        let there = "--latitude 30.92 --longitude -6.91 --timezone UTC"
        #expect(try maghrib("\(there) --method morocco") > maghrib("\(there) --elevation 1 --method morocco"))
        #expect(try maghrib("\(there) --method mwl") == maghrib("\(there) --elevation 0 --method mwl"))
        let steps = try program.run("explain maghrib --date 2026-09-28 \(there) --method morocco").output
        #expect(steps.contains("dip of the horizon at 1"), "\(steps)")
    }

    @Test("A name that several towns have is refused with the choices")
    func ambiguous() throws {
        let outcome = try Adhanctl.inQueens().run(["times", "--city", "Springfield"])
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.error.contains("Springfield, Illinois, United States; "), "\(outcome.error)")
        #expect(try Adhanctl.inQueens().run("times --city Queens --latitude 1 --longitude 1").status == 64)
    }
}
