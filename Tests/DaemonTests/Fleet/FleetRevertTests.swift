import BoxSupport
import PrayerEngine
import StateFile
import Testing
import Texts
import Times

@testable import Announcements
@testable import Daemon
@testable import Envelope
@testable import Protocol
@testable import Settings

@Suite("A revert brings back what the box had before the fleet changed that kind")
struct FleetRevertTests {
    private let noor = Noor()
    private let month = HijriMonth("1448-07")!
    private let tomorrow = CivilDate("2026-11-21")!

    private func pins(_ day: CivilDate, seq: Int, at hour: Int = 17) -> String {
        sign(#"{"pins":{"1448-07":"\#(day)"}}"#, "hijri", seq, hour)
    }

    private func exception(_ time: String, seq: Int, at hour: Int = 17) -> String {
        sign(
            #"{"exceptions":[{"date":"2026-11-21","prayer":"asr","adhan":"\#(time)"}]}"#, "exception", seq,
            hour)
    }

    private func revert(_ kind: String, seq: Int = 1, at hour: Int = 17) -> String {
        sign(#"{"kind":"\#(kind)"}"#, "revert", seq, hour)
    }

    private func sign(_ body: String, _ kind: String, _ seq: Int, _ hour: Int) -> String {
        noor.sign(
            body, kind: kind, seq: seq, from: "2026-11-20T\(hour):00:00Z", until: "2026-11-21T17:00:00Z")
    }

    private func time(_ box: Box) -> Int? { box.state.saved.exceptions[tomorrow][.asr]?.adhanMinutes }

    /// As after a loss of power.
    private func restart(_ box: Box) throws -> Box {
        let disk = try SavedState(fileBytes: try #require(box.disk).fileBytes())
        #expect(disk.fleet == box.state.saved.fleet)
        let clock = InstantText.rfc3339(box.now + 60, in: .utc, milliseconds: true)
        return try noor.box(clock, disk: disk, boot: "another boot")
    }

    private func set(_ time: String, _ box: inout Box) {
        _ = box.ask(
            .setException(
                ExceptionParameters(date: "2026-11-21", prayer: "asr", adhan: time, reason: "a wedding")))
    }

    @Test("After two changes of a month, each with a restart, the calendar is as before both")
    func calendar() throws {
        var box = try noor.box()
        let computed = box.state.inputs.site.calculation.hijri.firstDay(of: month)
        #expect(box.apply(pins(computed.adding(days: 1), seq: 1))?.envelope?.state == "confirmed")
        box = try restart(box)
        #expect(box.apply(pins(computed, seq: 2))?.envelope?.state == "confirmed")
        #expect(box.state.saved.pins == [month: computed])
        box = try restart(box)
        #expect(box.apply(revert("hijri"))?.envelope?.state == "confirmed")
        #expect(box.state.saved.pins.isEmpty && box.disk?.pins == [:])
        #expect(box.state.inputs.site.calculation.hijri.firstDay(of: month) == computed)
        #expect(box.applied.map(\.state) == ["reverted", "confirmed"])
        box = try restart(box)
        #expect(box.reason(pins(computed, seq: 2)) == "reverted-before")
        #expect(box.apply(pins(computed.adding(days: 1), seq: 3))?.envelope?.state == "confirmed")
        #expect(box.state.saved.pins == [month: computed.adding(days: 1)])
    }

    @Test("Months of one change move together, be it to earlier or to later days, and go back together")
    func together() throws {
        var box = try noor.box()
        let next = HijriMonth("1448-08")!
        let first = box.state.inputs.site.calculation.hijri.firstDay(of: month)
        for (seq, (start, length)) in [(0, 30), (-1, 30), (1, 29)].enumerated() {
            let pins = [month: first.adding(days: start), next: first.adding(days: start + length)]
            let body = pins.map { #""\#($0)":"\#($1)""# }.sorted().joined(separator: ",")
            let text = sign("{\"pins\":{\(body)}}", "hijri", seq + 1, 17)
            #expect(box.apply(text)?.envelope?.state == "confirmed")
            #expect(box.state.saved.pins == pins)
        }
        #expect(box.apply(revert("hijri"))?.envelope?.state == "confirmed")
        #expect(box.state.saved.pins.isEmpty && box.state.saved.fleet.overrides.isEmpty)
    }

    @Test("The household's own month and day come back, with the reason that it gave")
    func household() throws {
        var box = try noor.box()
        let computed = box.state.inputs.site.calculation.hijri.firstDay(of: month)
        let own = HijriCalendar.Pin(month: month, date: computed.adding(days: 1))
        var batch = EffectBatch(now: box.now)
        _ = try box.state.set(own, &batch)
        set("14:40", &box)
        let decided = (box.state.saved.pins, box.state.saved.exceptions)
        #expect(decided.0 == [month: own.date] && time(box) == 880)
        #expect(box.apply(pins(computed, seq: 1))?.envelope?.state == "confirmed")
        for (seq, text) in ["14:45", "14:50"].enumerated() {
            #expect(box.apply(exception(text, seq: seq + 1))?.envelope?.state == "confirmed")
            box = try restart(box)
        }
        #expect(time(box) == 890 && box.state.saved.pins == [month: computed])
        #expect(box.apply(revert("exception"))?.envelope?.state == "confirmed")
        // A month is another kind.
        #expect(box.state.saved.exceptions == decided.1 && box.state.saved.pins == [month: computed])
        box = try restart(box)
        #expect(box.state.inputs.site.times.day(tomorrow)[.asr] == InstantText.parse("2026-11-21T19:40:00Z"))
        #expect(box.apply(revert("hijri", seq: 2))?.envelope?.state == "confirmed")
        #expect(box.state.saved.pins == decided.0)
        // The same again finds nothing left to go back from.
        #expect(box.apply(revert("hijri", seq: 3))?.envelope?.state == "confirmed")
        #expect(box.state.saved.pins == decided.0 && box.state.saved.fleet.overrides.isEmpty)
    }

    @Test("A household's decision after the fleet's stays, also where it is the same one")
    func undone() throws {
        for (own, expected) in [("14:45", 885), ("15:00", 900), (nil, nil)] as [(String?, Int?)] {
            var box = try noor.box()
            set("14:40", &box)
            #expect(box.apply(exception("14:45", seq: 1))?.envelope?.state == "confirmed")
            if let own {
                set(own, &box)
            } else {
                _ = box.ask(.removeException(ExceptionNameParameters(date: "2026-11-21", prayer: "asr")))
            }
            box = try restart(box)
            #expect(box.apply(revert("exception"))?.envelope?.state == "confirmed")
            #expect(time(box) == expected)
            // The next one of the fleet goes back to the household's.
            #expect(box.apply(exception("14:50", seq: 2))?.envelope?.state == "confirmed")
            #expect(box.apply(revert("exception", seq: 2))?.envelope?.state == "confirmed")
            #expect(time(box) == expected)
        }
        var box = try noor.box()
        let day = box.state.inputs.site.calculation.hijri.firstDay(of: month).adding(days: 1)
        #expect(box.apply(pins(day, seq: 1))?.envelope?.state == "confirmed")
        _ = box.ask(.removeHijriPin(month: "1448-07"))
        #expect(box.state.saved.pins.isEmpty && box.state.saved.fleet.overrides.isEmpty)
    }

    @Test("What another fleet set stays as a household's own does")
    func left() throws {
        var box = try noor.box()
        #expect(box.apply(exception("14:45", seq: 1))?.envelope?.state == "confirmed")
        #expect(box.state.saved.fleet.overrides.count == 1)
        box.handle(.inputsLoaded(try Box.inputs(.default), .reload(nil)))
        #expect(time(box) == 885 && box.state.saved.fleet.overrides.isEmpty)
        box.handle(.inputsLoaded(try Box.inputs(noor.config), .reload(nil)))
        #expect(box.apply(revert("exception"))?.envelope?.state == "confirmed")
        #expect(time(box) == 885)
    }

    @Test("A change and its revert that both wait for an adhan to be over leave nothing behind")
    func waiting() throws {
        var box = try noor.box()
        let asr = try noor.asr(box)
        box.run(until: asr - 300)
        #expect(box.apply(exception("14:45", seq: 1, at: 18))?.envelope?.state == "scheduled")
        #expect(box.apply(revert("exception", at: 19))?.envelope?.state == "scheduled")
        box = try restart(box)
        box.endSounds(after: asr)
        box.run(until: asr + 700)
        #expect(box.state.saved.fleet.waiting.isEmpty && time(box) == nil)
        #expect(box.applied.map(\.state) == ["reverted", "confirmed"])
    }

    @Test("While a timetable that failed is being left no other change touches the file")
    func leaving() throws {
        var box = try noor.box()
        let fleet = try #require(box.state.fleetName)
        box.state.saved.fleet.begin(
            FleetTimetable(fleet: fleet, digest: "t", sha256: "hash"), passedBefore: true, boot: "a boot",
            at: box.now)
        box.state.envelopes.isGoingBackToFile = true
        #expect(box.apply(revert("timetable"))?.envelope?.state == "scheduled")
        #expect(box.fileChanges.isEmpty)
        box.state.envelopes.isGoingBackToFile = false
        box.run(for: 90)
        #expect(box.fileChanges == [.restoreOwn(known: "hash")])
        #expect(box.state.saved.fleet.timetable == nil && box.applied.map(\.state) == ["confirmed"])
    }
}
