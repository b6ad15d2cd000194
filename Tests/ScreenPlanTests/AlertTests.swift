import Foundation
import Languages
import PrayerEngine
import Settings
import Testing
import Texts

@testable import Protocol
@testable import ScreenPlan

@Suite("What the display reports")
struct AlertTests {
    @Test("A published timetable that ends is found in an agenda that goes on")
    func tableEnd() {
        let town = Town.all[1]
        let date = day("2026-12-10").dayNumber
        let last = day("2026-12-31")
        let occasions = town.occasions(date...(date + 33)).map {
            Occasion(
                kind: $0.kind, prayer: $0.prayer, date: $0.date, at: $0.at, id: $0.id,
                isPublished: $0.date <= last)
        }
        #expect(Alert.tableEnd(occasions) == last)
        #expect(Alert.tableEnd(town.occasions(date...(date + 33))) == nil)
        #expect(Alert.tableEnd(occasions.filter { $0.date <= last }) == nil)
    }

    @Test("The screen's own mistake is reported to its keeper, not to the network")
    func mistake() {
        let alerts = Alert.all(
            status: nil, lostSince: nil, silentSince: nil, history: [], tableEnd: nil, brokenSlides: [],
            isScreenWrong: true, today: day("2026-12-10"), now: Instant(unixSeconds: 1_796_900_000))
        #expect(alerts == [Alert(.screen)] && alerts.compactMap(\.forVisitors).isEmpty)
    }

    @Test("An iqama before its adhan is reported until that adhan, and no other")
    func earlyIqama() throws {
        let zone = Town.all[1].zone
        let date = day("2027-03-28")
        func at(_ second: Double) -> Instant { zone.instant(of: date, secondOfDay: second) }
        let schedule = Schedule(
            zone: zone,
            occasions: [
                Occasion(kind: .adhan, prayer: .dhuhr, date: date, at: at(47_100)),
                Occasion(kind: .iqama, prayer: .dhuhr, date: date, at: at(45_900)),
                Occasion(kind: .adhan, prayer: .asr, date: date, at: at(59_000)),
                Occasion(kind: .iqama, prayer: .asr, date: date, at: at(60_000)),
            ])
        let early = Congregation.earlyIqama(in: schedule, after: at(40_000))
        #expect(early?.prayer == .dhuhr && Congregation.earlyIqama(in: schedule, after: at(47_100)) == nil)
        #expect(Congregation.earlyIqama(in: schedule, after: at(40_000) - 86_400) == nil)
        let text = NoticeText(.english, in: zone, now: at(40_000))
        #expect(
            text.sentence(Alert(.earlyIqama, prayer: .dhuhr, at: early?.iqama?.at))
                == "Dhuhr: the iqama (12:45) is before the adhan")
    }

    private func entry(_ at: String, _ outcome: Outcome) -> HistoryEntry {
        var entry = HistoryEntry(
            id: "fajr_20261210", prayer: "fajr", scheduled: at, outcome: outcome, sound: ["standard"])
        (entry.started, entry.rate, entry.framesPlayed) = (at, 44_100, 441_000)
        return entry
    }

    /// A daemon that has nothing to complain of.
    private func status(outputs: [OutputState] = []) throws -> StatusDocument {
        let list = String(decoding: try JSON.encode(outputs), as: UTF8.self)
        let outputsField = outputs.isEmpty ? "" : ", \"outputs\": \(list)"
        let text = """
            {"version": "0.1.0", "now": "2026-12-10T13:53:20.000+00:00", "startedAt": "2026-12-01T00:00:00.000+00:00",
             "configuration": "none", "location": {"name": "London", "latitude": 51.5, "longitude": -0.1,
             "timezone": "Europe/London", "approximate": false},
             "calculation": {"method": "mwl", "asr": "standard", "highLatitude": "auto"},
             "clock": {"synchronized": true, "trusted": true},
             "mute": {"active": false, "until": null, "scope": null}, "next": null, "timers": [], "prayers": [],
             "playback": {"state": "idle"},
             "audio": {"devices": ["default"], "healthy": true, "lastError": null, "checkedAt": null\(outputsField)}}
            """
        return try JSON.decode(StatusDocument.self, from: Array(text.utf8))
    }

    @Test("A clock that was months ahead leaves no call that was not heard, and none that was")
    func setBack() throws {
        let zone = Town.all[1].zone
        let now = zone.instant(of: day("2026-12-10"), secondOfDay: 50_000)
        let status = try status()
        func kinds(_ history: [HistoryEntry]) -> [Alert.Kind] {
            Alert.all(
                status: status, lostSince: nil, silentSince: nil, history: history, tableEnd: nil,
                brokenSlides: [], today: day("2026-12-10"), now: now
            ).map(\.kind)
        }
        let ahead = entry("2027-03-09T05:28:00.000+00:00", .missed)
        let heard = entry("2026-12-10T06:10:00.000+00:00", .played)
        #expect(kinds([heard, ahead]) == [])
        #expect(kinds([entry("2026-12-10T06:10:00.000+00:00", .missed), ahead]) == [.notHeard])
        let later = entry("2027-03-09T05:28:00.000+00:00", .played)
        let text = { InstantText.rfc3339($0, in: zone, milliseconds: true) }
        let proof = StateDocument.LastPlayed([heard, later], now: now, text: text)
        #expect(proof?.at == "2026-12-10T06:10:00.000+00:00" && proof?.seconds == 10 && proof?.outputs == nil)
        #expect(StateDocument.LastPlayed([later], now: now, text: text) == nil)
    }

    @Test("A reader of an earlier version goes on where a state has kinds that it does not know")
    func unknownKinds() throws {
        func read<Entry: Decodable>(_ text: String) throws -> Entry {
            try JSON.decode(Entry.self, from: Array(text.utf8))
        }
        let alert: StateDocument.AlertEntry = try read(#"{"kind": "later", "new": 1}"#)
        let banner: StateDocument.BannerEntry = try read(
            #"{"kind": "later", "from": "", "until": "", "date": "", "at": "", "later": [], "new": 1}"#)
        let scene: StateDocument.SceneEntry = try read(
            #"{"from": "", "scene": "later", "reason": "", "slot": 1, "eid": false, "new": 1}"#)
        #expect([alert.kind, banner.kind, scene.scene] == ["later", "later", "later"])
    }

    @Test("A fault that adhand finds in itself is reported to its keeper, in every language")
    func internalProblem() throws {
        let now = Instant(unixSeconds: 1_796_900_000)
        var status = try status()
        func reported() -> [Alert] {
            Alert.all(
                status: status, lostSince: nil, silentSince: nil, history: [], tableEnd: nil,
                brokenSlides: [], today: day("2026-12-10"), now: now)
        }
        #expect(reported().isEmpty)
        status.internalProblem = .init(
            code: InvariantCode.sharedToken.rawValue, message: "two announcements play as one",
            fix: InvariantCode.fix)
        #expect(reported() == [Alert(.internalProblem)])
        #expect(reported().compactMap(\.forVisitors).isEmpty)
        for language in LanguageTests.tables {
            let text = NoticeText(language, in: Town.all[1].zone, now: now)
            let sentence = text.sentence(Alert(.internalProblem))
            #expect(sentence.count > 10 && !sentence.contains("alert-"), "\(language.code): \(sentence)")
            let sentences = Set(Alert.Kind.allCases.map { text.sentence(Alert($0)) })
            #expect(sentences.count == Alert.Kind.allCases.count, "\(language.code)")
        }
    }

    @Test("An output without sound is named with the prayer since which it has none")
    func silentOutput() throws {
        let now = Instant(unixSeconds: 1_796_900_000)
        var horn = OutputState(
            name: "horn", devices: ["hw:2"], healthy: false, required: true, state: .idle)
        horn.lastError = "no such device"
        let hall = OutputState(
            name: "hall", devices: ["hw:1"], healthy: true, required: true, state: .idle)
        let status = try status(outputs: [hall, horn])
        func heard(_ prayer: String, _ clock: String, _ ending: OutputProof.Ending) -> HistoryEntry {
            var entry = HistoryEntry(
                id: "\(prayer)_20261210", prayer: prayer, scheduled: "2026-12-10T\(clock):00.000+00:00",
                outcome: .played, sound: ["standard"])
            entry.outputs = [
                OutputProof(name: "hall", outcome: .played, volume: 80),
                OutputProof(name: "horn", outcome: ending, volume: 80),
            ]
            return entry
        }
        func alerts(_ history: [HistoryEntry]) -> [Alert] {
            Alert.all(
                status: status, lostSince: nil, silentSince: nil, history: history, tableEnd: nil,
                brokenSlides: [], today: day("2026-12-10"), now: now)
        }
        let text = NoticeText(.english, in: Town.all[1].zone, now: now)
        // A window is no failure, and does not end a row of them.
        let since = alerts([
            heard("fajr", "06:10", .played), heard("dhuhr", "11:55", .failed),
            heard("asr", "13:40", .quiet), heard("asr", "13:41", .failed),
        ])
        #expect(since.map(\.kind) == [.noSoundIn] && since.first?.prayer == .dhuhr)
        #expect(since.map(text.sentence) == ["No sound in \"horn\" since Dhuhr"])
        #expect(alerts([]).map(text.sentence) == ["No sound in \"horn\""])
        #expect(
            alerts([heard("dhuhr", "11:55", .failed), heard("asr", "13:40", .played)]).map(text.sentence)
                == ["No sound in \"horn\""])
        for language in LanguageTests.tables {
            let sentence = NoticeText(language, in: Town.all[1].zone, now: now).sentence(since[0])
            #expect(
                sentence.contains("horn") && sentence.contains(language.prayers["dhuhr"] ?? "Dhuhr")
                    && !sentence.contains("{"), "\(language.code): \(sentence)")
        }
    }

    @Test("What began on another day is reported with its day of the week, and after a week with its date")
    func since() {
        let zone = Town.all[1].zone
        let now = zone.instant(of: day("2026-12-10"), secondOfDay: 50_000)
        let text = NoticeText(.english, in: zone, now: now)
        func sentence(_ at: Instant) -> String { text.sentence(Alert(.noSound, at: at)) }
        #expect(sentence(now - 3600) == "No sound since 12:53")
        #expect(sentence(now - 86_400) == "No sound since Wednesday 13:53")
        #expect(sentence(now - 6 * 86_400) == "No sound since Friday 13:53")
        #expect(sentence(now - 7 * 86_400) == "No sound since Thursday 3 December 2026, 13:53")
        #expect(text.sentence(Alert(.mute, at: now + 86_400)).contains("until Friday 13:53"))
    }

    @Test("An identity tells its day, also of what comes after midnight")
    func dates() throws {
        let zone = Town.all[1].zone
        let document = OccasionDocument(
            id: "isha_20260620", kind: .adhan, prayer: "isha", slot: 1, at: "2026-06-21T00:18:00.000+01:00",
            source: .computed, sounds: [], enabled: true, state: "upcoming")
        let occasion = try #require(Occasion(document, in: zone))
        #expect(occasion.date == day("2026-06-20") && occasion.prayer == .isha)
        let broken = OccasionDocument(
            id: "x", kind: .adhan, prayer: "isha", slot: 1, at: "soon", source: .computed, sounds: [],
            enabled: true, state: "upcoming")
        #expect(Occasion(broken, in: zone) == nil)
    }

    @Test(
        "English has the month first where countries write so, and the day first elsewhere",
        arguments: [
            ("America/New_York", true), ("America/Indiana/Knox", true), ("America/Toronto", true),
            ("Pacific/Honolulu", true), ("US/Eastern", true), ("Asia/Manila", true), ("Europe/London", false),
            ("Africa/Johannesburg", false), ("Australia/Sydney", false), ("America/Jamaica", false),
            ("Etc/UTC", false),
        ])
    func order(_ name: String, isMonthFirst: Bool) throws {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)")))
        let zone = try Zone(name: name, tzif: bytes)
        let now = zone.instant(of: day("2026-11-28"), secondOfDay: 50_000)
        let text = NoticeText(.english, in: zone, now: now).sentence(Alert(.noSound, at: now - 8 * 86_400))
        #expect(
            text.contains(isMonthFirst ? "Friday, November 20, 2026" : "Friday 20 November 2026"), "\(text)")
        #expect(zone.monthStandsFirst == isMonthFirst)
    }
}
