import BoxSupport
import Foundation
import PrayerEngine
import ScreenPlan
import Testing
import Texts
import Times

@testable import Announcements
@testable import BoxCard
@testable import Console
@testable import Daemon
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
        func problems(_ sound: SoundFacts) -> [String] {
            CheckProblem.find(in: sound, sudo: true).map {
                "\($0.kind) \($0.severity) \($0.key ?? "") \($0.fix ?? "")"
            }
        }
        let sound = patient.facts.sound
        #expect(problems(sound) == problems(try Reworded.sound(sound)))
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

    @Test("What the screen makes of a status and a history", arguments: DoctorTests.cases)
    func screen(story: DoctorTests.Case) throws {
        var patient = try Patient()
        try story.spoil(&patient)
        let now = try #require(InstantText.parse(Patient.now))
        let today = try #require(CivilDate("2026-11-20"))
        func shown(_ status: StatusDocument?, _ history: [HistoryEntry]) -> (DisplayFacts, [Alert]) {
            let alerts = Alert.all(
                status: status, lostSince: nil, silentSince: now - 60, history: history, tableEnd: nil,
                brokenSlides: [], today: today, now: now)
            return (DisplayFacts(status: status, history: history, now: now), alerts)
        }
        let (facts, alerts) = shown(patient.facts.status, Self.entries)
        let (sameFacts, sameAlerts) = shown(
            try patient.facts.status.map(Reworded.document), try Self.entries.map(Reworded.document))
        #expect(facts == sameFacts)
        #expect(alerts.map(\.kind) == sameAlerts.map(\.kind) && alerts.map(\.at) == sameAlerts.map(\.at))
    }

    /// A day on which nearly everything fails, with `reason` for the reason of each; everything that the daemon did.
    private func failingDay(_ reason: String) throws -> (box: Box, done: String) {
        var box = try Box("2026-11-20T14:00:00-05:00")
        box.handle(.devicesTried(DeviceTrial(devices: ["default"], device: nil, problems: [reason])))
        box.handle(.saveFailed(reason: reason))
        box.handle(.saved)
        let failures: [JobEvent] = [
            .noDevice(reason: reason, next: "later"), .substituted(sound: "standard", reason: reason),
            .soundDamaged(reason: reason), .trouble(reason: reason),
            .deviceLost(device: "default", reason: reason),
        ]
        for prayer in ["asr", "maghrib", "isha"] {
            let at = try #require(box.timers.first { $0.name == "\(prayer)_20261120" }).at
            box.run(until: at)
            let token = try #require(box.effects.started.last)
            if prayer != "isha" { box.begin(token: token) }
            for failure in failures { box.handle(.playback(token: token, failure)) }
            box.end(token: token, prayer == "maghrib" ? .completed : .failed(reason: reason))
            box.run(for: 60)
        }
        box.ask(.stop)
        box.handle(.stopping)
        return (box, box.effects.map { "\($0)" }.joined(separator: "\n"))
    }

    @Test("A daemon's decisions, and those of its next start")
    func daemon() throws {
        let sentence = "The sound failed; Host is down: embedded default, the end of adhand"
        let (box, done) = try failingDay(sentence)
        #expect(done.contains(sentence))
        let other = try failingDay("X").box
        #expect(box.notices.map(\.kind) == other.notices.map(\.kind) && box.timers == other.timers)
        #expect(box.history.map(\.id) == other.history.map(\.id))
        #expect(box.history.map(\.outcome) == other.history.map(\.outcome))
        #expect(box.history.map(\.cause) == other.history.map(\.cause))
        #expect(box.effects.started == other.effects.started && box.effects.stopped == other.effects.stopped)

        let next = "2026-11-20T20:00:00-05:00"
        let again = try Box(next, disk: box.disk, recorded: box.history)
        let reworded = try Box(next, disk: box.disk, recorded: try box.history.map(Reworded.document))
        #expect(!box.history.isEmpty && again.timers == reworded.timers)
        #expect(again.history.map(\.id) == reworded.history.map(\.id))
        #expect(again.effects.count == reworded.effects.count)
    }

    @Test(
        "Which findings about a timetable get their days in front", arguments: TimetableFinding.Kind.allCases)
    func findings(kind: TimetableFinding.Kind) throws {
        let day = try #require(CivilDate("2026-11-20"))
        func shown(_ text: String) -> String {
            TimetableText.findings(
                [TimetableFinding(kind, from: day, until: day, text)], Style(colour: false))
        }
        #expect(shown("on 2026-11-20 x").replacing("on 2026-11-20 x", with: "x") == shown("x"))
    }

    @Test(
        "What the card's report lists, in which order, and which of it is a problem",
        arguments: DoctorTests.cases)
    func card(story: DoctorTests.Case) throws {
        var patient = try Patient()
        try story.spoil(&patient)
        let problems = CheckProblem.find(in: patient.facts.sound, sudo: true)
        let outcomes: [CardRecord.Outcome] = [
            .taken, .nothingYet, .emptied, .removed, .refused, .unreadable, .outranked,
        ]
        let names = ["adhand.toml", "wifi.txt"] + (0..<50).map { "sounds/\($0).mp3" }
        let records = outcomes.flatMap { outcome in
            names.map { CardRecord($0, outcome, ["NOT taken over: PROBLEM", "says nothing yet"]) }
        }
        func skeleton(
            _ status: StatusDocument?, _ records: [CardRecord], _ sentence: (String) -> String
        ) -> [String] {
            var report = CardReport()
            report.records = records
            report.strays = [("wifi.rtf", sentence("no text"))]
            report.standing =
                status.map {
                    .running(status: $0, problems: problems.map { sentence($0.message) }, times: nil)
                } ?? .silent
            return report.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                for start in ["PROBLEM:", "NOTE:", "    ", "wifi.rtf is not read"] where line.hasPrefix(start)
                {
                    return start
                }
                return String(line)
            }
        }
        let (status, other) = (patient.facts.status, try patient.facts.status.map(Reworded.document))
        let before = skeleton(status, records) { $0 }
        #expect(before == skeleton(other, try records.map(Reworded.document)) { _ in "x" })
        #expect(before.count { $0 == "    " } == 2 * (records.count - 10))
    }
}
