import Foundation
package import PrayerEngine
import Testing

@testable package import Console
@testable package import Protocol
@testable import Settings
@testable import Texts

/// Facts about a mosque's box in Queens on which all is well, for a test to spoil.
package struct Patient {
    package var status = SampleStatus()
    package var facts: DoctorFacts

    package static let now = "2026-11-20T13:07:12.500-05:00"

    package init() throws {
        facts = DoctorFacts(
            now: try #require(InstantText.parse(Self.now)), daemon: .answers(try SampleStatus().document),
            socketPath: "/run/adhand/control.sock", systemd: Self.units(),
            configuration: .init(file: "/etc/adhand/adhand.toml", state: .valid),
            disk: .init(path: "/var/lib/adhand"))
        facts.config = .default
        facts.person.isMaster = true
        facts.clock.services = ["systemd-timesyncd"]
        facts.disk.freeBytes = 900 << 20
        facts.disk.freeFiles = 100_000
        facts.history = try Self.history(played: 35, failed: [])
        facts.sound.devices = [.init(name: "default", outcome: .opens)]
        facts.sound.files = [
            SoundFacts.File(
                name: "standard", prayers: Prayer.allCases, path: "/usr/share/adhand/audio/standard/fajr.mp3",
                isShipped: true, outcome: .decodes(seconds: 8))
        ]
        facts.mosqueProblems = []
        facts.locationFacts = try Self.locationFacts(40.7282, -73.7949, "America/New_York")
        facts.zone = try Self.zone("America/New_York")
    }

    package static func units(_ edit: (inout SystemdFacts.Unit) -> Void = { _ in }) -> SystemdFacts {
        var unit = SystemdFacts.Unit()
        (unit.load, unit.active, unit.file) = ("loaded", "active", "enabled")
        unit.since = InstantText.parse("2026-11-17T09:00:00-05:00")
        var service = unit
        edit(&service)
        return .units([SystemdFacts.service: service, SystemdFacts.socket: unit])
    }

    /// A place whose zone and surroundings are those of the machine's own tables.
    package static func locationFacts(
        _ latitude: Double, _ longitude: Double, _ zone: String
    ) throws -> DoctorFacts.LocationFacts {
        let place = try Place(latitude: latitude, longitude: longitude)
        var here = DoctorFacts.LocationFacts(
            name: "Somewhere", place: place, isApproximate: false, zone: try Self.zone(zone))
        here.nearby = try nearby(place)
        here.nearbyAcross = try nearby(Place(latitude: latitude, longitude: -longitude))
        return here
    }

    private static func nearby(_ place: Place) throws -> [NearbyZone] {
        try NearbyZone.candidates(near: place, among: places.all)
            .map { NearbyZone(place: $0.name, zone: try zone($0.zone)) }
    }

    private static let zoneinfo = "/usr/share/zoneinfo/"
    private static let places = ZonePlaces(
        zoneTab: bytes("zone.tab"), zone1970Tab: bytes("zone1970.tab"), rules: bytes("tzdata.zi"))

    private static func bytes(_ name: String) -> [UInt8] {
        (FileManager.default.contents(atPath: zoneinfo + name)).map { [UInt8]($0) } ?? []
    }

    package static func zone(_ name: String) throws -> Zone {
        try Zone(name: name, tzif: bytes(name))
    }

    /// `played` adhans a few hours apart up to this morning, and others after them.
    package static func history(played: Int, failed: [(id: String, outcome: String, reason: String)]) throws
        -> HistoryDocument
    {
        func line(_ id: String, _ day: Int, _ outcome: String, _ reason: String) throws -> HistoryEntry {
            try JSON.decode(
                HistoryEntry.self,
                from: """
                    {"id": "\(id)", "prayer": "\(id.split(separator: "_")[0])", "outcome": "\(outcome)",
                     "scheduled": "2026-11-\(day)T05:21:00.000-05:00", "reason": \(reason), "sound": ["standard"],
                     "framesDecoded": 1, "framesPlayed": 1, "dropouts": 0}
                    """.utf8)
        }
        var entries = try (0..<played).map {
            try line("asr_\(CivilDate(dayNumber: 20_000 + $0).compact)", 18, "played", "null")
        }
        entries += try failed.map { try line($0.id, 19, $0.outcome, "\"\($0.reason)\"") }
        let now = try #require(InstantText.parse(now))
        return HistoryDocument(days: 7, entries: entries, now: now)
    }

    package mutating func editStatus(_ edit: (inout SampleStatus) -> Void) throws {
        edit(&status)
        facts.daemon = .answers(try status.document)
    }

    package func check(_ name: DoctorCheck.Name) throws -> DoctorCheck {
        try #require(Doctor.examine(facts).checks.first { $0.name == name })
    }
}
