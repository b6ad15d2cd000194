import LabSupport
import PrayerEngine
import Settings
import Testing
import Times

@testable import Host

@Suite("The zone and the place by which a daemon goes on")
struct ResolvedSiteTests {
    private static let noon = Instant(unixSeconds: 1_790_000_000)

    /// Oslo and Stockholm, as far as a table of zones goes.
    private func system(localtime: String?) throws -> (Scratch, ZoneFiles) {
        let scratch = try Scratch()
        for name in ["Europe/Oslo", "Europe/Stockholm"] {
            try scratch.write("zoneinfo/\(name)", Self.tzif("CET-1"))
        }
        try scratch.write(
            "zoneinfo/zone.tab",
            Array("NO\t+5955+01045\tEurope/Oslo\nSE\t+5920+01803\tEurope/Stockholm\n".utf8))
        if let localtime { try scratch.link("localtime", to: localtime) }
        let environment = Environment(
            variables: ["TZDIR": scratch.file("zoneinfo")], userID: 0, exists: { _ in false })
        return (
            scratch,
            ZoneFiles(
                in: environment, localtime: scratch.file("localtime"),
                timezoneNote: scratch.file("timezone"))
        )
    }

    /// The smallest compiled zone that says `rule` (RFC 9636, section 3).
    private static func tzif(_ rule: String) -> [UInt8] {
        let name = Array(rule.utf8.prefix(3)) + [0]
        var block = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        for count in [0, 0, 0, 0, 1, UInt8(name.count)] as [UInt8] { block += [0, 0, 0, count] }
        block += [0, 0, 0, 0, 0, 0] + name
        return block + block + Array("\n\(rule)\n".utf8)
    }

    private var oslo: Config {
        var config = Config.default
        config.location = ConfiguredLocation(latitude: 59.91, longitude: 10.75)
        return config
    }

    enum Damage: CaseIterable {
        case emptied, cut, gone, dangling
    }

    private func damage(_ kind: Damage, _ scratch: Scratch) throws {
        let path = "zoneinfo/Europe/Oslo"
        switch kind {
        case .emptied: try scratch.write(path, [])
        case .cut: try scratch.write(path, Array(Self.tzif("CET-1").prefix(60)))
        case .gone: try scratch.removeFile(path)
        case .dangling:
            try scratch.removeFile(path)
            try scratch.link(path, to: "nowhere")
        }
    }

    @Test(
        "A zone file that was broken since gives way to its kept rules, and comes back by itself",
        arguments: Damage.allCases)
    func kept(_ kind: Damage) throws {
        for named in [nil, "Europe/Oslo"] {
            let (scratch, zones) = try system(localtime: "zoneinfo/Europe/Oslo")
            defer { scratch.remove() }
            var config = oslo
            config.timezone = named
            let good = try ResolvedSite(config, zones, kept: nil, isMeant: false)
            #expect(good.problem == nil && good.kept?.name == "Europe/Oslo")
            try damage(kind, scratch)
            for isMeant in [false, true] {
                let broken = try ResolvedSite(config, zones, kept: good.kept, isMeant: isMeant)
                #expect(broken.site.zone == good.site.zone && broken.kept == good.kept)
                #expect(broken.problem?.substitute == .kept(name: "Europe/Oslo"))
                #expect(broken.problem?.fix == "sudo apt-get install --reinstall tzdata")
            }
            // Rules that were kept for another zone are not taken.
            let other = KeptZone(
                configured: "Asia/Kolkata", name: "Asia/Kolkata", tzif: Self.tzif("IST-5:30"))
            let near = try ResolvedSite(config, zones, kept: other, isMeant: false)
            #expect(near.problem?.substitute == .nearby(name: "Europe/Stockholm"))
            #expect(near.site.zone.offset(at: Self.noon) == 3600 && near.site.approximate == false)
            if kind != .gone { try scratch.removeFile("zoneinfo/Europe/Oslo") }
            try scratch.write("zoneinfo/Europe/Oslo", Self.tzif("CET-1"))
            #expect(try ResolvedSite(config, zones, kept: good.kept, isMeant: false).problem == nil)
        }
    }

    @Test(
        "Without kept rules and without any zone the longitude's hour is used; without a place, nothing is called"
    )
    func longitude() throws {
        let (scratch, zones) = try system(localtime: nil)
        defer { scratch.remove() }
        try scratch.write("localtime", [])
        try scratch.removeFile("zoneinfo/Europe/Oslo")
        try scratch.removeFile("zoneinfo/Europe/Stockholm")
        let bare = try ResolvedSite(oslo, zones, kept: nil, isMeant: false)
        #expect(bare.problem?.substitute == .longitude(name: "UTC+1"))
        #expect(bare.site.zone.offset(at: Self.noon) == 3600)
        #expect(bare.problem?.fix.hasPrefix("sudo timedatectl set-timezone ") == true)
        let nowhere = try ResolvedSite(.default, zones, kept: nil, isMeant: false)
        #expect(nowhere.problem?.substitute == .universal && nowhere.site.isUnplaced)
    }

    @Test("A machine whose /etc/localtime has gone keeps its zone until somebody reloads")
    func lost() throws {
        let (scratch, zones) = try system(localtime: "zoneinfo/Europe/Oslo")
        defer { scratch.remove() }
        let good = try ResolvedSite(.default, zones, kept: nil, isMeant: false)
        #expect(good.site.approximate && !good.site.isUnplaced)
        try scratch.removeFile("localtime")
        let lost = try ResolvedSite(.default, zones, kept: good.kept, isMeant: false)
        #expect(lost.site.zone == good.site.zone && lost.problem?.reason.contains("is gone") == true)
        #expect(lost.site.name == "Oslo" && lost.problem?.fix == "sudo timedatectl set-timezone Europe/Oslo")
        let meant = try ResolvedSite(.default, zones, kept: good.kept, isMeant: true)
        #expect(meant.problem == nil && meant.site.isUnplaced && meant.site.zone == .utc)
        #expect(meant.lost == ZoneLoss(file: zones.localtime, zone: "Europe/Oslo"))
        #expect(lost.lost == nil && good.lost == nil && meant.kept == nil)
    }

    @Test("A zone that no machine has is the configuration's mistake, and a zone without a place is none")
    func mistakes() throws {
        let (scratch, zones) = try system(localtime: "zoneinfo/Etc/GMT+5")
        defer { scratch.remove() }
        try scratch.write("zoneinfo/Etc/GMT+5", Self.tzif("EST5"))
        var config = oslo
        config.timezone = "Europe/Olso"
        #expect(throws: SiteError.self) { try ResolvedSite(config, zones, kept: nil, isMeant: false) }
        let shifted = try ResolvedSite(.default, zones, kept: nil, isMeant: false)
        #expect(shifted.site.isUnplaced && shifted.site.zone.offset(at: Self.noon) == -18_000)
        #expect(shifted.problem == nil)
        #expect(try !ResolvedSite(oslo, zones, kept: nil, isMeant: false).site.isUnplaced)
    }

    @Test("A file or a dangling link in the place of the drop-ins' folder is no missing folder")
    func noFolder() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("a.toml", [])
        #expect(try ConfigFiles.read(scratch.file("a.toml")).sources.count == 1)
        try scratch.write("a.toml.d", [])
        let error = #expect(throws: FileError.self) { try ConfigFiles.read(scratch.file("a.toml")) }
        #expect(error?.reason == "it is not a folder")
        try scratch.removeFile("a.toml.d")
        try scratch.link("a.toml.d", to: "nowhere")
        #expect(throws: FileError.self) { try ConfigFiles.read(scratch.file("a.toml")) }
    }
}
