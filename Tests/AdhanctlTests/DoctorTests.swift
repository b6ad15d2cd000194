import Console
import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Testing
import Texts

@Suite("Looking after it")
struct DoctorTests {
    private static func program(
        _ status: StatusDocument, diagnostics: String = "adhand\n  all about it\n"
    ) throws -> (Adhanctl, FakeService) {
        var program = try Adhanctl.inQueens("[audio]\ndevices = [\"null\"]")
        let log = try SampleDocuments.log()
        let history = try JSON.decode(
            HistoryDocument.self, from: try ExpectedText.read("history.json", in: .module).utf8)
        let service = FakeService(in: program.home) { request in
            switch request {
            case .getStatus: .reply(.document(StatusReply(status: status)))
            case .getLog: .reply(.document(LogReply(entries: log)))
            case .getHistory: .reply(.document(HistoryReply(history: history)))
            case .getDiagnostics: .reply(.document(DiagnosticsReply(text: diagnostics)))
            default: .reply(.refused(.nothingPlaying))
            }
        }
        program.socket = service.path
        return (program, service)
    }

    private static func checks(_ outcome: Adhanctl.Outcome) throws -> [DoctorCheck.Name: DoctorCheck] {
        let document = try JSON.decode(DoctorDocument.self, from: outcome.output.utf8)
        #expect(document.ok == (outcome.status == 0))
        #expect(document.ok == !document.checks.contains { $0.verdict == .problem })
        return Dictionary(uniqueKeysWithValues: document.checks.map { ($0.name, $0) })
    }

    @Test("doctor asks adhand, and checks what it says")
    func answers() throws {
        let (program, service) = try Self.program(try SampleDocuments.status())
        let outcome = try program.run("doctor --json")
        let checks = try Self.checks(outcome)
        #expect(service.requests.contains(.getStatus) && service.requests.contains(.getHistory(days: 7)))
        #expect(checks.count == DoctorCheck.Name.allCases.count - 1 && checks[.upgrades] == nil)
        #expect(checks[.service]?.message.hasPrefix("adhand 0.1.0 has been running since") == true)
        #expect(checks[.timezone]?.verdict == .ok)
        #expect(checks[.silence]?.fix == "adhanctl enable isha")
        #expect(checks[.version]?.verdict == .ok)
        #expect(checks[.permission]?.verdict == .ok)
        // Null where there is nothing to mend, as the other documents write it.
        #expect(outcome.output.contains("\"fix\":null"))
    }

    @Test("doctor without adhand still says what can be said, and fails")
    func alone() throws {
        let program = try Adhanctl.inQueens("[adhan]\nsound = \"madinah\"")
        let outcome = try program.run("--socket /nowhere/s doctor --json")
        #expect(outcome.status == 1 && outcome.error.isEmpty)
        let checks = try Self.checks(outcome)
        #expect(checks[.service]?.verdict == .problem)
        #expect(checks[.socket]?.message == "Cannot connect to \"/nowhere/s\": there is no socket.")
        #expect(checks[.configuration]?.message.hasPrefix(program.configurationFile) == true)
        #expect(checks[.location]?.message == "Queens, New York (40.7282, -73.7949).")
        #expect(checks[.timezone]?.verdict == .ok)
        #expect(checks[.sounds]?.fix == "adhanctl sound add FILE --name madinah")
    }

    @Test("doctor finds a mistake in the configuration, and names its place")
    func mistake() throws {
        let program = Adhanctl()
        try program.configure("[locaton]\nlatitude = 3\n")
        let checks = try Self.checks(try program.run("--socket /nowhere/s doctor --json"))
        #expect(checks[.configuration]?.verdict == .problem)
        #expect(checks[.configuration]?.message.contains("adhand.toml:1:") == true)
        #expect(checks[.configuration]?.message.contains("adhand does not start until it is fixed") == true)
    }

    @Test("doctor knows a box in New York that keeps UTC")
    func universal() throws {
        var program = Adhanctl()
        try program.configure("[location]\nlatitude = 40.7282\nlongitude = -73.7949\n")
        program.variables["TZ"] = "UTC"
        let checks = try Self.checks(try program.run("--socket /nowhere/s doctor --json"))
        #expect(checks[.timezone]?.verdict == .problem)
        #expect(checks[.timezone]?.fix == "sudo timedatectl set-timezone America/New_York")
    }

    @Test("doctor sees that the file was changed after adhand read it")
    func changed() throws {
        let program = try Adhanctl.inQueens()
        let text = try ExpectedText.read("status.json", in: .module).replacing(
            "/etc/adhand/adhand.toml", with: program.configurationFile)
        let (asking, service) = try Self.program(try JSON.decode(StatusDocument.self, from: text.utf8))
        let start = try #require(
            InstantText.parse(try JSON.decode(StatusDocument.self, from: text.utf8).startedAt))
        for (shift, verdict) in [(-3600.0, DoctorCheck.Verdict.ok), (3600, .warning)] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: start.unixSeconds + shift)],
                ofItemAtPath: program.configurationFile)
            let checks = try Self.checks(try asking.run("doctor --json"))
            #expect(checks[.configuration]?.verdict == verdict)
        }
        withExtendedLifetime(service) {}
    }

    @Test("A daemon that hangs does not hang doctor", .timeLimit(.minutes(1)))
    func hangs() throws {
        var program = try Adhanctl.inQueens("[audio]\ndevices = [\"null\"]")
        let service = FakeService(in: program.home) { _ in .silence }
        program.socket = service.path
        let start = ContinuousClock.now
        let checks = try Self.checks(try program.run("doctor --json"))
        #expect(checks[.service]?.message == "adhand runs but says nothing: it did not answer within 4 s.")
        #expect((ContinuousClock.now - start) / .seconds(1) < 30)
    }

    // MARK: Diagnostics

    @Test(
        "diagnostics says what it runs on, what doctor finds and what adhand says; its file is nobody else's")
    func diagnostics() throws {
        let (program, service) = try Self.program(try SampleDocuments.status())
        let text = try program.run("diagnostics").output
        #expect(service.requests.contains(.getDiagnostics(exact: false)))
        for part in [
            "adhanctl 0.1.0\n", "alsa-lib 1.", "libmpg123.so.", "\ndoctor\n", "\nadhand\n  all about it\n",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        let file = program.home.path + "/report.txt"
        // A file that is there already, for everybody to read, is no excuse.
        try "old".write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let outcome = try program.run("diagnostics --output \(file)")
        withExtendedLifetime(service) {}
        #expect(outcome == .init(status: 0, output: "", error: "wrote \"\(file)\"\n"))
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("all about it"))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("diagnostics names neither the machine nor anybody on it, nor the very place")
    func nobody() throws {
        let host = ProcessInfo.processInfo.hostName
        let planted = """
            adhand
              started on \(host) by zaynab, configuration: /home/zaynab/.config/adhand/adhand.toml
              cannot read "/home/umm-yusuf/Music/adhan.mp3" from 192.168.7.31 or fe80::2 for 40.7282, -73.7949

            """
        var (program, service) = try Self.program(try SampleDocuments.status(), diagnostics: planted)
        (program.variables["USER"], program.variables["HOME"]) = ("zaynab", "/home/zaynab")
        let text = try program.run("diagnostics").output
        for secret in ["zaynab", "umm-yusuf", "192.168", "fe80", "40.7282", "73.7949"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        if host.count > 1, host != "localhost" { #expect(!text.contains(" \(host) ")) }
        #expect(text.contains("~/.config/adhand/adhand.toml") && text.contains("40.7, -73.8"))
        #expect(text.contains("Queens, New York"))
        let exact = try program.run("diagnostics --exact-location").output
        #expect(service.requests.contains(.getDiagnostics(exact: true)))
        #expect(exact.contains("40.7282, -73.7949") && !exact.contains("zaynab"))
    }

    @Test("diagnostics without adhand has the configuration instead, rounded")
    func diagnosticsAlone() throws {
        let program = try Adhanctl.inQueens()
        let outcome = try program.run("diagnostics --socket /nowhere/s")
        #expect(outcome.status == 69)
        for part in [
            "cannot reach adhand", "latitude = 40.7 ", "Queens, New York", "\njournal\n", "problem  Service",
        ] {
            #expect(outcome.output.contains(part), "\(part)")
        }
        #expect(!outcome.output.contains("40.7282"))
    }
}
