import Foundation
import PrayerEngine
import Protocol
import SeededRandom
import Testing
import Texts

@testable import ScreenPlan

@Suite("The schedule of scenes")
struct ScreenScheduleTests {
    private static let houses: [(String, Town.House)] = [
        ("a mosque", Town.House()),
        ("a home", Town.House(iqama: [:])),
        (
            "iqama at the adhan",
            Town.House(iqama: [.fajr: 0, .dhuhr: 0, .asr: 60, .maghrib: 0, .isha: -300, .jumua: 0])
        ),
        ("an hour to the iqama", Town.House(iqama: [.fajr: 3600, .dhuhr: 5400, .asr: 3600, .maghrib: 2400])),
        ("one Friday prayer", Town.House(khutbas: [4800])),
        (
            "three Friday prayers, one without a call",
            Town.House(khutbas: [2700, 6300, 9900], jumuaAdhan: false)
        ),
        ("two that overlap", Town.House(khutbas: [3600, 4200])),
        ("Ramadan", Town.House(ramadan: true)),
    ]

    @Test("With the style board nothing is hidden while people pray, and all else comes when it would")
    func board() throws {
        let town = Town.all[1]
        let eids: Set = [day("2026-11-20")]
        let schedule = town.schedule(around: day("2026-11-20"), Town.House(eids: eids))
        let midnight = town.zone.startOfDay(day("2026-11-20"))
        var settings = DisplaySettings()
        let usual = ScreenSchedule(schedule, settings, DisplayFacts(), now: midnight).scenes
        settings.scenes.prayerStyle = .board
        let board = ScreenSchedule(schedule, settings, DisplayFacts(), now: midnight).scenes
        #expect(
            usual.contains { $0.kind == .prayer && $0.isEid }
                && usual.contains { $0.kind == .prayer && !$0.isEid })
        #expect(!board.contains { $0.kind == .prayer })
        for kind in Scene.Kind.allCases where kind != .prayer && kind != .home {
            #expect(
                board.filter { $0.kind == kind }.map(\.from) == usual.filter { $0.kind == kind }.map(\.from))
        }
    }

    /// Every scene of a year, one second before, at, and one second after each edge, from a schedule made at midnight; and
    /// the same from a screen that is switched on at that very second.
    @Test("A year at every edge", arguments: Town.all)
    func year(_ town: Town) throws {
        var checked = 0
        for (index, (name, house)) in Self.houses.enumerated() {
            // Each house gets every sixteenth day of the year, and those around both changes of the clock.
            for number in stride(
                from: day("2026-11-20").dayNumber + index * 2, to: day("2027-11-20").dayNumber, by: 16)
            {
                let date = CivilDate(dayNumber: number)
                checked += try check(town, house, date, name)
            }
        }
        var change = town.zone.startOfDay(day("2026-11-20"))
        for _ in 0..<2 {
            guard let next = town.zone.nextTransition(after: change) else { break }
            change = next
            for (name, house) in Self.houses {
                checked += try check(town, house, town.zone.civilDate(of: change), name)
            }
        }
        #expect(checked > 5000)
    }

    private func check(_ town: Town, _ house: Town.House, _ date: CivilDate, _ name: String) throws -> Int {
        let schedule = town.schedule(around: date, house)
        let midnight = town.zone.startOfDay(date)
        let screens = ScreenSchedule(schedule, DisplaySettings(), DisplayFacts(), now: midnight)
        let checker = ScheduleChecker(schedule.occasions)
        var checked = 0
        for edge in checker.edges
        where edge > midnight.unixSeconds + 1 && edge < midnight.unixSeconds + 86_400 {
            for second in [edge - 1, edge, edge + 1] {
                let instant = Instant(unixSeconds: second)
                let scene = try #require(screens.scene(at: instant))
                let verdict = checker.verdict(at: instant)
                let context: Comment =
                    "\(town.name), \(name), \(InstantText.rfc3339(instant, in: town.zone)): \(scene.reason)"
                #expect(
                    scene.kind.rawValue == verdict.scene && verdict.prayers.contains(scene.prayer), context)
                checked += 1
            }
        }
        for edge in checker.edges.filter({ midnight.unixSeconds < $0 && $0 < midnight.unixSeconds + 86_400 })
            .prefix(6)
        {
            let instant = Instant(unixSeconds: edge)
            let again = ScreenSchedule(schedule, DisplaySettings(), DisplayFacts(), now: instant, hours: 1)
            let first = try #require(again.scenes.first)
            #expect(first.from <= instant, "\(town.name) \(name): a screen switched on shows nothing")
            let shown = screens.scene(at: instant)
            #expect(
                first.kind == shown?.kind && first.prayer == shown?.prayer && first.target == shown?.target)
        }
        return checked
    }

    @Test("Scenes follow one another without a gap, none twice in a row")
    func order() {
        for town in Town.all {
            for (_, house) in Self.houses {
                let date = day("2027-06-18")
                let now = town.zone.startOfDay(date) + 43_000
                let scenes = ScreenSchedule(
                    town.schedule(around: date, house), DisplaySettings(), DisplayFacts(), now: now
                ).scenes
                #expect(scenes.count > 8 && scenes[0].from <= now)
                for (a, b) in zip(scenes, scenes.dropFirst()) { #expect(a.from < b.from && !a.isSame(as: b)) }
            }
        }
    }

    @Test("The page about the display publishes the order in which scenes win")
    func publishedOrder() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/DISPLAY.md"), encoding: .utf8)
        let rows = page.matches(of: /\n\| \d+ \| `([a-z-]+)` \|/).map { String($0.1) }
        #expect(rows == Scene.Kind.allCases.map(\.rawValue))
        // Of each two scenes that are due at once, the one that stands higher in the table is shown.
        let now = Instant(unixSeconds: 1_800_000_000)
        for (rank, first) in rows.dropLast().enumerated() {
            for second in rows.dropLast()[(rank + 1)...] {
                let spans = try [second, first].map { name in
                    Span(
                        from: now - 60, until: now + 60, kind: try #require(Scene.Kind(rawValue: name)),
                        reason: "a test")
                }
                let shown = Timeline.scenes(spans, from: now, until: now + 3600, idle: "")
                #expect(shown.map(\.kind.rawValue) == [first, "home"], "\(first) against \(second)")
            }
        }
    }

    @Test("The adhan's scene ends with its sound, and tells when there was none")
    func facts() throws {
        let town = Town.all[0]
        let date = day("2026-11-21")
        let schedule = town.schedule(around: date)
        let asr = try #require(schedule.occasions.first { $0.id == "asr_20261121" })
        func scene(_ facts: DisplayFacts, after seconds: Double) -> Scene? {
            ScreenSchedule(schedule, DisplaySettings(), facts, now: asr.at - 60).scene(at: asr.at + seconds)
        }
        let long = DisplayFacts(calls: [asr.id: .init(end: asr.at + 250, outcome: .playing)])
        #expect(scene(long, after: 249)?.kind == .adhan && scene(long, after: 250)?.kind == .dua)
        let stopped = DisplayFacts(calls: [asr.id: .init(end: asr.at + 12, outcome: .interrupted)])
        #expect(scene(stopped, after: 13)?.kind == .dua)
        let failed = DisplayFacts(calls: [asr.id: .init(end: nil, outcome: .failed)])
        #expect(scene(failed, after: 100)?.isUnheard == true && scene(long, after: 100)?.isUnheard == false)
        let muted = DisplayFacts(calls: [asr.id: .init(end: nil, outcome: .muted)])
        #expect(scene(muted, after: 179)?.kind == .adhan)
        #expect(scene(muted, after: 179)?.reason.hasPrefix("without sound") == true)
        let usual = DisplayFacts(usualLengthSeconds: [.asr: 95])
        #expect(scene(usual, after: 94)?.kind == .adhan && scene(usual, after: 95)?.kind == .dua)
    }

    @Test("An Eid prayer has its own scenes")
    func eid() {
        let town = Town.all[1]
        let date = day("2027-03-10")
        let schedule = town.schedule(around: date, Town.House(eids: [date]))
        let at = town.zone.instant(of: date, secondOfDay: 7.5 * 3600)
        let screens = ScreenSchedule(schedule, DisplaySettings(), DisplayFacts(), now: at - 3600)
        func kind(_ seconds: Double) -> Scene.Kind? { screens.scene(at: at + seconds)?.kind }
        #expect(kind(-301) == .home && kind(-300) == .approaching && kind(-1) == .approaching)
        #expect(kind(0) == .prayer && kind(899) == .prayer && kind(900) == .khutba && kind(2700) == .home)
        #expect(screens.scene(at: at)?.isEid == true)
        #expect(screens.banners.contains { $0.kind == .eid && $0.at == at })
    }

    @Test("Without an iqama the board stays during a prayer, unless a style says otherwise")
    func home() throws {
        let town = Town.all[2]
        let date = day("2026-11-27")
        let schedule = town.schedule(around: date, Town.House(iqama: [.asr: 900], khutbas: [4800]))
        let midnight = town.zone.startOfDay(date)
        var settings = DisplaySettings()
        func prayed() -> Set<Prayer?> {
            let scenes = ScreenSchedule(schedule, settings, DisplayFacts(), now: midnight, hours: 24).scenes
            return Set(scenes.filter { $0.kind == .prayer && !$0.keepsBoard }.map(\.prayer))
        }
        #expect(prayed() == [.asr, .jumua])
        // Where the board stays, nothing counts since an iqama that there was not.
        let scenes = ScreenSchedule(schedule, settings, DisplayFacts(), now: midnight, hours: 24).scenes
        let kept = scenes.filter(\.keepsBoard)
        #expect(Set(kept.map(\.prayer)) == [.fajr, .maghrib, .isha] && kept.allSatisfy { $0.target == nil })
        settings.scenes.prayerStyle = .board
        #expect(prayed().isEmpty)
        for style in [DisplaySettings.PrayerStyle.black, .clock, .times] {
            settings.scenes.prayerStyle = style
            #expect(prayed() == [.fajr, .jumua, .asr, .maghrib, .isha])
        }
        // A khutba is for people who came together, with an iqama of its own or without one.
        let khutba = Occasion(kind: .khutba, prayer: .jumua, date: date, at: midnight + 46_800)
        let alone = Schedule(zone: town.zone, occasions: [khutba])
        let gathered = ScreenSchedule(alone, DisplaySettings(), DisplayFacts(), now: midnight).scenes
        #expect(gathered.contains { $0.kind == .prayer && $0.prayer == .jumua && !$0.keepsBoard })
    }

    @Test("What is set to nothing is left out")
    func lengths() throws {
        let town = Town.all[2]
        let date = day("2026-11-24")
        let schedule = town.schedule(around: date, Town.House(iqama: [:]))
        let asr = try #require(schedule.occasions.first { $0.id == "asr_20261124" }).at
        var settings = DisplaySettings()
        settings.scenes.prayerStyle = .clock
        let usual = ScreenSchedule(schedule, settings, DisplayFacts(), now: asr - 10)
        #expect(usual.scene(at: asr + 270)?.kind == .prayer && usual.scene(at: asr + 870)?.kind == .adhkar)
        settings.scenes.prayerSeconds[.asr] = 0
        settings.scenes.duaSeconds = 0
        let none = ScreenSchedule(schedule, settings, DisplayFacts(), now: asr - 10)
        #expect(none.scene(at: asr + 180)?.kind == .home)
        settings.scenes.approachingSeconds = 0
        settings.scenes.night = false
        let quiet = ScreenSchedule(schedule, settings, DisplayFacts(), now: asr - 10).scenes.map(\.kind)
        #expect(!quiet.contains(.approaching) && !quiet.contains(.night))
    }
}
