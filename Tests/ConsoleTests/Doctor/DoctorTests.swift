import BoxSupport
import PrayerEngine
import Protocol
import Testing
import Texts

@testable import Console

@Suite("adhanctl doctor")
struct DoctorTests {
    typealias Spoiling = @Sendable (inout Patient) throws -> Void

    struct Case: CustomTestStringConvertible, Sendable {
        let story: String
        let name: DoctorCheck.Name
        let verdict: DoctorCheck.Verdict
        let fix: String?
        let says: String
        let spoil: Spoiling
        var testDescription: String { story }

        init(
            _ story: String, _ name: DoctorCheck.Name, _ verdict: DoctorCheck.Verdict, fix: String?,
            says: String, _ spoil: @escaping Spoiling
        ) {
            (self.story, self.name, self.verdict, self.fix) = (story, name, verdict, fix)
            (self.says, self.spoil) = (says, spoil)
        }
    }

    @Test("On a box on which all is well every check is ok and has nothing to mend")
    func well() throws {
        let document = Doctor.examine(try Patient().facts)
        for check in document.checks { #expect(check.verdict == .ok && check.fix == nil, "\(check)") }
        #expect(document.ok)
        #expect(document.checks.map(\.name) == DoctorCheck.Name.allCases.filter { $0 != .upgrades })
    }

    @Test("Health says what doctor says, of what the daemon itself knows")
    func health() throws {
        let facts = try Patient().facts
        let all = Doctor.examine(facts).checks
        let health = Doctor.health(facts)
        let left = Set(all.map(\.name.rawValue)).subtracting(health.map(\.name))
        #expect(left == ["socket", "time-wait", "version", "permission"])
        for check in health where check.name != "service" {
            let same = try #require(all.first { $0.name.rawValue == check.name })
            #expect(check.message == same.message && check.verdict == same.verdict && check.fix == same.fix)
        }
        // Whether systemd starts it again is not for it to say.
        #expect(health.first?.name == "service" && health.first?.message.contains("machine") == false)
    }

    static let cases =
        serviceCases + configurationCases + clockCases + silenceCases + deviceCases + soundCases + recordCases
        + personCases

    @Test("A trouble is found, explained and comes with what mends it", arguments: cases)
    func trouble(story: Case) throws {
        var patient = try Patient()
        try story.spoil(&patient)
        let check = try patient.check(story.name)
        #expect(check.verdict == story.verdict, "\(check)")
        #expect(check.fix == story.fix, "\(check)")
        #expect(check.message.contains(story.says), "\(check)")
        #expect(check.message.last.map { ".:?".contains($0) } == true)
        #expect(Doctor.examine(patient.facts).ok == (story.verdict != .problem))
    }

    @Test("What systemctl shows is read, whatever else it says")
    func shown() {
        let text = """
            Id=adhand.service
            LoadState=loaded
            ActiveState=failed
            Result=exit-code
            UnitFileState=enabled
            NRestarts=4
            ExecMainStatus=65
            StateChangeTimestamp=@1763700000
            Unknown=a=b

            Id=chrony-wait.service
            LoadState=not-found
            StateChangeTimestamp=

            """
        let facts = SystemdFacts(shown: text)
        var unit = SystemdFacts.Unit()
        (unit.load, unit.active, unit.result, unit.file) = ("loaded", "failed", "exit-code", "enabled")
        (unit.restarts, unit.exitStatus, unit.since) = (4, 65, Instant(unixSeconds: 1_763_700_000))
        #expect(facts[SystemdFacts.service] == unit)
        #expect(facts["chrony-wait.service"]?.isThere == false)
        #expect(facts["chrony-wait.service"]?.since == nil)
        #expect(SystemdFacts(shown: "nonsense")[SystemdFacts.service] == nil)
    }

    @Test("For people it is a word, a name, sentences, and what to type on a line of its own")
    func text() throws {
        var patient = try Patient()
        patient.facts.locationFacts = try Patient.locationFacts(40.7282, -73.7949, "Etc/UTC")
        let text = DoctorText.render(Doctor.examine(patient.facts), .plain)
        #expect(
            text.hasPrefix(
                "ok       Service         adhand 0.1.0 has been running since 09:00 on\n"))
        #expect(
            text.contains("\n                         Try: sudo timedatectl set-timezone America/New_York\n"))
        #expect(text.hasSuffix("\n\n1 problem.\n"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count < 80 })
        #expect(
            DoctorText.render(Doctor.examine(try Patient().facts), .plain).hasSuffix("\n\nAll is well.\n"))
    }
}
