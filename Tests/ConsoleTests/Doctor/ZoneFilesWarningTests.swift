import BoxSupport
import LabSupport
import PrayerEngine
import Protocol
import Settings
import Testing
import Texts

@testable import Announcements
@testable import Console
@testable import Daemon
@testable import Times

@Suite("Zone files that are too old")
struct ZoneFilesWarningTests {
    private func release(_ text: String) throws -> ZoneRelease { try #require(ZoneRelease(name: text)) }

    private func instant(_ text: String) throws -> Instant {
        Instant(unixSeconds: Double(try #require(CivilDate(text)).dayNumber) * 86_400)
    }

    @Test("The release stands in the first line of tzdata.zi, or in +VERSION")
    func reading() {
        func name(_ rules: String, _ version: String = "") -> String? {
            ZoneRelease(rules: Array(rules.utf8), version: Array(version.utf8))?.name
        }
        #expect(name("# version 2025b\n# This zic input file is in the public domain.\n") == "2025b")
        #expect(name("# version 2026a-12-gabcdef-dirty\n") == "2026a")
        #expect(name("", "2024b\n") == "2024b")
        #expect(name("# version unknown\n", "2024b\n") == "2024b")
        #expect(name("R A 1916 o - Jun 14 23s 1 S\n") == nil)
        #expect(name("", "") == nil && name("# version") == nil && name("# version 2025") == nil)
    }

    @Test(
        "A year after their release they are old; where the day of that is not known, after the year's end",
        arguments: [
            ("2025b", "2026-03-22", false), ("2025b", "2026-03-24", true), ("2026c", "2026-11-23", false),
            ("2027b", "2028-12-31", false), ("2027b", "2029-01-03", true), ("2021e", "2026-01-01", true),
        ])
    func age(name: String, today: String, isOld: Bool) throws {
        #expect(try release(name).isOld(at: try instant(today)) == isOld)
        let warning = ZoneFilesWarning(.utc, try release(name), now: try instant(today))
        #expect(warning?.code == (isOld ? .old : nil))
    }

    @Test("Without a clock that is trusted only what was over when this version was made is old")
    func untrustedClock() throws {
        #expect(ZoneFilesWarning(.utc, try release("2025b"), now: nil) == nil)
        #expect(ZoneFilesWarning(.utc, try release("2023c"), now: nil)?.code == .old)
        #expect(ZoneFilesWarning(.utc, nil, now: try instant("2040-01-01")) == nil)
    }

    @Test("A change that is known here and that the files do not have is reported, whatever the clock says")
    func change() throws {
        let before = try Zone(name: "Africa/Casablanca", posix: "<+01>-1")
        let after = try Zone(name: "Africa/Casablanca", posix: "<+00>0")
        let warning = try #require(ZoneFilesWarning(before, try release("2026b"), now: nil))
        #expect(warning.code == .outdated)
        #expect(warning.message.contains("Morocco") && warning.message.contains("(2026b)"))
        #expect(ZoneFilesWarning(after, try release("2026c"), now: nil) == nil)
        // Another zone with the same rules is not Morocco's.
        let lagos = try Zone(name: "Africa/Lagos", posix: "WAT-1")
        #expect(ZoneFilesWarning(lagos, try release("2026b"), now: nil) == nil)
    }

    @Test("Every change is reported once of each zone, and lies before the version that knows it")
    func table() throws {
        let zones = ZoneChange.all.flatMap(\.zones)
        #expect(Set(zones).count == zones.count && zones.count > 25)
        for change in ZoneChange.all {
            #expect(change.instant < (try instant("2026-11-23")))
            #expect(abs(change.offsetSeconds) <= 14 * 3600 && change.offsetSeconds % 900 == 0)
        }
    }

    // MARK: Where it is reported

    private func box(_ zone: Zone, _ name: String?) throws -> Box {
        let plain = try Box.inputs(.default)
        let site = Site(
            name: "Rabat", place: try Place(latitude: 34.02, longitude: -6.84), approximate: false,
            zone: zone,
            calculation: plain.site.calculation)
        var inputs = DaemonInputs(
            config: .default, configuration: "a test", site: site, user: 900, controlGroup: 901)
        inputs.zoneRelease = name.flatMap { ZoneRelease(name: $0) }
        return try Box(inputs: inputs)
    }

    @Test("status and the journal tell of a missing change, and what to type")
    func daemon() throws {
        let box = try box(try Zone(name: "Africa/Casablanca", posix: "<+01>-1"), "2026b")
        let status = box.state.status(at: box.now)
        #expect(status.zoneWarning?.code == "outdated" && status.zoneWarning?.fix == ZoneFilesWarning.fix)
        #expect(
            StatusText.render(status, .plain).replacing("\n", with: " ").replacing("          ", with: "")
                .contains("Morocco"))
        #expect(
            box.notices.contains {
                $0.kind == .zoneChanged && $0.level == .warning && $0.message.contains("apt upgrade")
            })
        let well = try self.box(try Zone(name: "Africa/Casablanca", posix: "<+00>0"), nil)
        #expect(well.state.status(at: well.now).zoneWarning == nil)
        #expect(!well.notices.contains { $0.kind == .zoneChanged })
    }

    @Test("times, next and explain tell of a missing change beside the clock times that it makes wrong")
    func beside() throws {
        let box = try box(try Zone(name: "Africa/Casablanca", posix: "<+01>-1"), nil)
        let (site, status) = (box.state.inputs.site, box.state.status(at: box.now))
        let day = site.zone.civilDate(of: box.now)
        let times = TimesDocument(site: site, dates: [day])
        #expect(times.zoneWarning?.code == "outdated" && times.zoneWarning?.fix == ZoneFilesWarning.fix)
        #expect(TimesDocument([times, times])?.zoneWarning == times.zoneWarning)
        let explained = ExplainDocument(.asr, named: "asr", on: day, site: site)
        #expect(explained.zoneWarning == times.zoneWarning)
        for text in [
            TimesTable.render(times, .plain), ExplainText.render(explained, site: site, .plain),
            NextText.render(status, .plain),
        ] {
            let line = text.replacing("\n", with: " ")
            #expect(line.contains("Morocco has kept UTC") && line.contains(ZoneFilesWarning.fix))
        }
        let well = try self.box(try Zone(name: "Africa/Casablanca", posix: "<+00>0"), nil).state.inputs.site
        #expect(TimesDocument(site: well, dates: [day]).zoneWarning == nil)
        #expect(ExplainDocument(.asr, named: "asr", on: day, site: well).zoneWarning == nil)
    }

    @Test("A clock that runs far ahead and that nothing keeps right calls no files old")
    func clockAhead() throws {
        var state = try box(.utc, "2026c").state
        let ahead = try instant("2099-01-01")
        state.clock = ClockHealth(synchronized: false)
        #expect(state.zoneWarning(at: ahead) == nil)
        state.clock = ClockHealth(synchronized: true)
        #expect(state.zoneWarning(at: ahead)?.code == .old)
    }

    @Test("doctor calls a missing change a problem and old files a warning, where the zone is well otherwise")
    func doctor() throws {
        var patient = try Patient()
        patient.facts.locationFacts = try Patient.locationFacts(40.7282, -73.7949, "America/New_York")
        var status = try #require(patient.facts.status)
        status.zoneWarning = .init(code: "old", message: "old files", fix: ZoneFilesWarning.fix)
        patient.facts.daemon = .answers(status)
        #expect(try patient.check(.timezone).verdict == .warning)
        status.zoneWarning = .init(
            code: "outdated", message: "a change is missing", fix: ZoneFilesWarning.fix)
        patient.facts.daemon = .answers(status)
        let check = try patient.check(.timezone)
        #expect(check.verdict == .problem && check.fix == ZoneFilesWarning.fix)
        #expect(check.message == "A change is missing.")
    }
}
