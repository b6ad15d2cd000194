import LabSupport
import PrayerEngine
import Settings
import Testing
import Texts
import Times

@testable import Host

struct ZoneFilesTests {
    static let noon = Instant(unixSeconds: 1_790_000_000)  // 2026-09-21, in summer time

    @Test("A zone is read by its name")
    func named() throws {
        let (scratch, files) = try Self.system(localtime: nil)
        defer { scratch.remove() }
        let zone = try files.zone(named: "America/New_York")
        #expect(zone.name == "America/New_York" && zone.offset(at: Self.noon) == -14_400)
    }

    @Test(
        "A name that leads elsewhere, or to nothing, is refused with what is probably meant",
        arguments: [
            ("../secret", "\"../secret\" is not a time zone's name; names look like \"Europe/Berlin\""),
            ("/etc/passwd", "\"/etc/passwd\" is not a time zone's name; names look like \"Europe/Berlin\""),
            (
                "America/New_Yrok",
                "there is no time zone \"America/New_Yrok\"; did you mean \"America/New_York\"?"
            ),
            ("new_york", "there is no time zone \"new_york\"; did you mean \"America/New_York\"?"),
            ("America", "there is no time zone \"America\"; timedatectl list-timezones lists them"),
            ("Mars/Base", "there is no time zone \"Mars/Base\"; timedatectl list-timezones lists them"),
        ])
    func unknown(_ name: String, _ message: String) throws {
        let (scratch, files) = try Self.system(localtime: nil)
        defer { scratch.remove() }
        let error = #expect(throws: ZoneFileError.self) { try files.zone(named: name) }
        #expect(error?.message == message)
    }

    @Test(
        "A zone that the tables know and whose file has gone is no mistake in its name",
        arguments: ["Asia/Kolkata", "US/Eastern"], [nil, "TZ"])
    func gone(_ name: String, _ variable: String?) throws {
        let (scratch, files) = try Self.system(localtime: nil, variable.map { [$0: name] } ?? [:])
        defer { scratch.remove() }
        try scratch.removeFile("zoneinfo/" + name)
        let error = #expect(throws: ZoneFileError.self) {
            try variable == nil ? files.zone(named: name) : files.systemZone()
        }
        let path = scratch.file("zoneinfo/" + name)
        #expect(error == .unreadable(FileError("read", path, reason: "the file is gone")))
    }

    @Test("A broken zone file and a system without zones say what to do")
    func broken() throws {
        let (scratch, files) = try Self.system(localtime: nil)
        defer { scratch.remove() }
        try scratch.write("zoneinfo/Broken", Array("no zone".utf8))
        let broken = #expect(throws: ZoneFileError.self) { try files.zone(named: "Broken") }
        #expect(broken?.message.contains("not a compiled time zone") == true)
        let none = ZoneFiles(in: Self.environment(["TZDIR": scratch.file("none")]))
        let error = #expect(throws: ZoneFileError.self) { try none.zone(named: "UTC") }
        #expect(
            error?.message
                == "there are no time zones in \"\(scratch.file("none"))\"; install the package tzdata")
    }

    @Test(
        "The system's zone is what /etc/localtime links to",
        arguments: [
            "zoneinfo/America/New_York", "/usr/share/zoneinfo/posix/America/New_York",
            "../x/zoneinfo/America/New_York",
        ])
    func linked(_ target: String) throws {
        let (scratch, files) = try Self.system(localtime: target)
        defer { scratch.remove() }
        #expect(try files.systemZone().name == "America/New_York")
    }

    @Test("A copy in place of the link is recognised, by the note of its name or by its content")
    func copied() throws {
        let (scratch, files) = try Self.system(localtime: nil)
        defer { scratch.remove() }
        try scratch.write("localtime", Self.eastern)
        #expect(try files.systemZone().name == "America/New_York")
        try scratch.write("timezone", Array("US/Eastern\n".utf8))
        #expect(try files.systemZone().name == "US/Eastern")
        try scratch.write("timezone", Array("Asia/Kolkata\n".utf8))
        #expect(try files.systemZone().name == "America/New_York")
        try scratch.write("localtime", Self.tzif("<+09>-9", "+09"))
        let zone = try files.systemZone()
        #expect(zone.name == ZoneFiles.unnamed && zone.offset(at: Self.noon) == 32_400)
    }

    @Test("Without /etc/localtime it is UTC")
    func missing() throws {
        let (scratch, files) = try Self.system(localtime: nil)
        defer { scratch.remove() }
        #expect(try files.systemZone() == .utc)
    }

    @Test(
        "TZ goes before /etc/localtime",
        arguments: [
            ("Asia/Kolkata", "Asia/Kolkata", 19_800), (":Asia/Kolkata", "Asia/Kolkata", 19_800),
            ("/usr/share/zoneinfo/Asia/Kolkata", "Asia/Kolkata", 19_800), ("", "UTC", 0),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3", 7200),
        ])
    func variable(_ text: String, _ name: String, _ offset: Int) throws {
        let (scratch, files) = try Self.system(localtime: "zoneinfo/America/New_York", ["TZ": text])
        defer { scratch.remove() }
        let zone = try files.systemZone()
        #expect(zone.name == name && zone.offset(at: Self.noon) == offset)
    }

    @Test(
        "A zone has its place under its present and its old name, UTC has Greenwich, other bare offsets none")
    func places() throws {
        let (scratch, files) = try Self.system(localtime: nil)
        defer { scratch.remove() }
        for name in ["America/New_York", "US/Eastern"] {
            #expect(try files.place(of: files.zone(named: name)).name == "New York")
        }
        #expect(try files.place(of: .utc).longitude == 0)
        let bare = try Zone(name: "Etc/GMT+5", posix: "<-05>5")
        let error = #expect(throws: ZoneFileError.self) { try files.place(of: bare) }
        #expect(
            error?.message
                == "the time zone \"Etc/GMT+5\" belongs to no place, so the location is not known; "
                + "set latitude and longitude in [location]")
    }

    @Test(
        "Every zone of this machine that has a place is read",
        .enabled(if: Directories.isDirectory("/usr/share/zoneinfo"), "tzdata is not installed"))
    func thisMachine() throws {
        let files = ZoneFiles(in: Self.environment([:]))
        let zones = files.places().zones
        #expect(zones.count > 300)
        for (index, name) in zones.enumerated() {
            let zone = try files.zone(named: name)
            // The tables are read again for every place.
            if index % 40 == 0 { #expect(try files.place(of: zone).zone == name) }
            #expect(abs(zone.offset(at: Self.noon)) <= 14 * 3600)
        }
        // Debian 13 has old names in a package of their own.
        for (old, place) in [("US/Pacific", "Los Angeles"), ("Asia/Calcutta", "Kolkata")]
        where FileAccess.of("/usr/share/zoneinfo/\(old)") != .missing {
            #expect(try files.place(of: files.zone(named: old)).name == place)
        }
        #expect(try files.place(of: files.zone(named: "Europe/Oslo")).country == "NO")
    }

    @Test("The release is what tzdata.zi says first, else +VERSION, and a site is resolved with it")
    func release() throws {
        let (scratch, files) = try Self.system(localtime: "zoneinfo/America/New_York")
        #expect(files.release() == nil)
        try scratch.write("zoneinfo/+VERSION", Array("2024b\n".utf8))
        #expect(files.release()?.name == "2024b")
        try scratch.write(
            "zoneinfo/tzdata.zi", Array("# version 2025b\nL America/New_York US/Eastern\n".utf8))
        #expect(files.release()?.name == "2025b")
        let resolved = try ResolvedSite(.default, files, kept: nil, isMeant: true)
        #expect(resolved.release?.name == "2025b")
    }

    @Test("Files from before a change are distinguished from those that have it")
    func change() throws {
        let (scratch, files) = try Self.system(localtime: nil)
        try scratch.write("zoneinfo/Africa/Casablanca", Self.tzif("<+01>-1", "+01"))
        let old = try files.zone(named: "Africa/Casablanca")
        #expect(ZoneFilesWarning(old, files.release(), now: nil)?.code == .outdated)
        try scratch.write("zoneinfo/Africa/Casablanca", Self.tzif("<+00>0", "+00"))
        #expect(ZoneFilesWarning(try files.zone(named: "Africa/Casablanca"), nil, now: nil) == nil)
    }

    // MARK: a system of two zones

    private static let eastern = tzif("EST5EDT,M3.2.0,M11.1.0", "EST")

    private static func system(
        localtime: String?, _ variables: [String: String] = [:]
    ) throws -> (Scratch, ZoneFiles) {
        let scratch = try Scratch()
        try scratch.write("zoneinfo/America/New_York", eastern)
        try scratch.write("zoneinfo/Asia/Kolkata", tzif("IST-5:30", "IST"))
        try scratch.write("zoneinfo/US/Eastern", eastern)
        try scratch.write(
            "zoneinfo/zone.tab",
            Array("# c\nUS\t+404251-0740023\tAmerica/New_York\tEastern\nIN\t+2232+08822\tAsia/Kolkata\n".utf8)
        )
        try scratch.write("zoneinfo/tzdata.zi", Array("# version x\nL America/New_York US/Eastern\n".utf8))
        try scratch.write("secret", eastern)
        if let localtime { try scratch.link("localtime", to: localtime) }
        var variables = variables
        variables["TZDIR"] = scratch.file("zoneinfo")
        return (
            scratch,
            ZoneFiles(
                in: environment(variables), localtime: scratch.file("localtime"),
                timezoneNote: scratch.file("timezone"))
        )
    }

    private static func environment(_ variables: [String: String]) -> Environment {
        Environment(variables: variables, userID: 0, exists: { _ in false })
    }

    /// The smallest compiled zone that says `rule` (RFC 9636, section 3): no transitions, one kind of time.
    private static func tzif(_ rule: String, _ abbreviation: String) -> [UInt8] {
        let counts: [UInt8] = [0, 0, 0, 0, 1, UInt8(abbreviation.utf8.count + 1)]
        var block = Array("TZif2".utf8)
        block.append(contentsOf: repeatElement(0, count: 15))
        for count in counts { block.append(contentsOf: [0, 0, 0, count]) }
        block.append(contentsOf: [0, 0, 0, 0, 0, 0])
        block.append(contentsOf: abbreviation.utf8)
        block.append(0)
        return block + block + Array("\n\(rule)\n".utf8)
    }
}
