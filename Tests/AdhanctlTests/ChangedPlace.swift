import Daemon
import Foundation
import PrayerEngine
import Protocol
import Settings
import StateFile
import Synchronization
import Testing
import Texts
import Times

/// An adhand in Queens that reads the program's configuration, with a timetable and a time set by hand.
final class ChangedPlace: Sendable {
    let program: Adhanctl
    let service: FakeService
    let state: String
    /// Whether the daemon refuses to forget what was set by hand.
    let refusal = Switch()
    var file: String { program.configurationFile }

    static let boston = "set location.latitude=42.36 location.longitude=-71.06 location.name=Boston"

    final class Switch: Sendable {
        private let state = Mutex(false)
        var isOn: Bool { state.withLock { $0 } }
        func turnOn() { state.withLock { $0 = true } }
    }

    init(
        zone: String = "America/New_York", hasLocation: Bool = true, problem: String = "null"
    ) throws {
        var program = try Adhanctl.inQueens()
        let location =
            "[location]\nname = \"Queens, New York\"\nlatitude = 40.7282\nlongitude = -73.7949\n"
        try program.configure(
            "timezone = \"\(zone)\"\n" + (hasLocation ? location : "") + "[adhan]\nvolume = 80\n")
        state = program.home.path + "/state"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: state + "/adhand.lock"))
        var saved = SavedState(since: Instant(unixSeconds: 0))
        saved.exceptions = DayExceptions([
            DayException(
                date: try #require(CivilDate("2099-03-20")), prayer: .maghrib, adhanMinutes: 1111,
                iqamaMinutes: 1120,
                reason: "Ali's wedding")
        ])
        try Data(try saved.fileBytes()).write(to: URL(filePath: state + "/state.json"))
        try Data(try Self.table().csv().utf8).write(to: URL(filePath: state + "/timetable.csv"))
        let status = try SampleDocuments.status(replacing: [
            "\"configuration\": \"/etc/adhand/adhand.toml\"":
                "\"configuration\": \"\(program.configurationFile)\", \"stateDirectory\": \"\(state)\", "
                + "\"configurationProblem\": \(problem)"
        ])
        let refusal = refusal
        service = FakeService(in: program.home) { request in
            if request == .getStatus { return .reply(.document(StatusReply(status: status))) }
            if case .removeException = request, refusal.isOn {
                return .reply(.refused(.notPermitted(needed: "root")))
            }
            return .reply(.document(ChangeReply("so be it")))
        }
        program.socket = service.path
        self.program = program
    }

    /// The times that Queens prints, from today on.
    private static func table() throws -> PublishedTimetable {
        let site = Site(
            name: "Queens", place: try Place(latitude: 40.7282, longitude: -73.7949),
            approximate: false, zone: try Zone(name: "America/New_York", posix: "EST5EDT,M3.2.0,M11.1.0"),
            calculation: Calculation(method: try #require(Method.named("isna"))))
        var table = PublishedTimetable()
        let today = CivilDate(dayNumber: Int(Date().timeIntervalSince1970 / 86_400) - 5)
        for day in site.computedTimes.days(from: today, count: 60) {
            var cells: [TimetableColumn: Int] = [:]
            for event in [DayEvent.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha] {
                guard let at = day[event] else { continue }
                let clock = at.unixSeconds + Double(site.zone.offset(at: at))
                cells[.begins(event)] = Int(clock / 60) % 1440
            }
            table.dated[day.date] = .init(cellMinutes: cells, sources: [])
        }
        table.label(
            .init(
                id: 1, name: "main", file: "queens.csv", sha256: "", imported: "2026-11-01", format: "csv",
                clock: "local", place: .init(site)))
        return table
    }

    func run(_ line: String) throws -> Adhanctl.Outcome {
        try program.run(line.split(separator: " ").map(String.init) + ["--config", file])
    }

    func text(_ name: String) -> String? { try? String(contentsOfFile: name, encoding: .utf8) }
    var configuration: String? { text(file) }
    func stateFile(_ name: String) -> String? { text(state + "/" + name) }
}
