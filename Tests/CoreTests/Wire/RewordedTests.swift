import PrayerEngine
import Testing
import Texts

@testable import Console
@testable import Protocol

/// Wording is free to change: with every sentence replaced, programs decide as before.
@Suite("No program depends on a sentence")
struct RewordedTests {
    @Test("A doctor's verdicts and remedies", arguments: DoctorTests.cases)
    func doctor(story: DoctorTests.Case) throws {
        var patient = try Patient()
        try story.spoil(&patient)
        let (before, after) = (
            Doctor.examine(patient.facts), Doctor.examine(try Reworded.facts(patient.facts))
        )
        #expect(before.ok == after.ok)
        for (before, after) in zip(before.checks, after.checks) {
            #expect(
                before.name == after.name && before.verdict == after.verdict && before.fix == after.fix,
                "\(before) became \(after)")
        }
    }

    @Test("What a sound check finds, and what a client makes of it", arguments: DoctorTests.cases)
    func check(story: DoctorTests.Case) throws {
        var patient = try Patient()
        try story.spoil(&patient)
        func judged(_ sound: SoundFacts) -> [String] {
            CheckProblem.find(in: sound, sudo: true).map {
                "\($0.kind) \($0.severity) \($0.key ?? "") \($0.fix ?? "")"
            }
        }
        let sound = patient.facts.sound
        #expect(judged(sound) == judged(Reworded.sound(sound)))
    }

    private static let entries: [HistoryEntry] = Outcome.allCases.flatMap { outcome in
        [nil, .some(EndCause.end)].flatMap { first in
            (first.map { _ in EndCause.allCases.map(Optional.some) } ?? [nil]).enumerated().flatMap {
                index, cause in
                [nil, "adhanctl stop (user 0)", "the end of adhand"].enumerated().map { number, who in
                    var entry = HistoryEntry(
                        id: "asr_\(CivilDate(dayNumber: 20_000 + 10 * index + number).compact)",
                        prayer: "asr",
                        scheduled: "2026-11-19T15:00:00.000-05:00", outcome: outcome, sound: ["standard"])
                    (entry.endedBy, entry.cause, entry.reason) = (who, cause, "the sound failed")
                    return entry
                }
            }
        }
    }

    @Test("Which adhans were due, and which were played")
    func history() throws {
        #expect(Self.entries.contains { $0.isDue } && Self.entries.contains { !$0.isDue })
        for entry in Self.entries {
            let reworded = try Reworded.document(entry)
            #expect(reworded.isDue == entry.isDue, "\(entry)")
            let now = try #require(InstantText.parse(Patient.now))
            let (before, after) = (
                HistoryDocument(days: 7, entries: [entry], now: now),
                HistoryDocument(days: 7, entries: [reworded], now: now)
            )
            #expect(before.due == after.due && before.played == after.played, "\(entry)")
        }
    }

    @Test("What a status is taken for")
    func status() throws {
        for story in DoctorTests.cases {
            var patient = try Patient()
            try story.spoil(&patient)
            guard let status = patient.facts.status else { continue }
            let reworded = try Reworded.document(status)
            #expect(reworded.audio.hasFailed == status.audio.hasFailed)
            #expect(reworded.configurationFile == status.configurationFile)
        }
    }
}
