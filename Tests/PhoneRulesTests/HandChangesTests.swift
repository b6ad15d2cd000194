import PhoneRules
import PrayerEngine
import Protocol
import Testing
import Texts

@Suite("Changes that adhand keeps no list of")
struct HandChangesTests {
    private static let day = CivilDate(year: 2026, month: 11, day: 27)!
    private static let isha = HandChanges.Subject.exception(day, .isha)
    private static let month = HandChanges.Subject.month("1448-09")

    private static func at(_ iqama: Int, adhan: Int? = nil) -> HandChanges.Value {
        .times(adhan: adhan, iqama: iqama, reason: "Visitors")
    }

    private static func refusal(_ changes: HandChanges, _ number: Int, _ now: HandChanges.Value?)
        -> HandChanges.UndoRefusal?
    {
        do throws(HandChanges.UndoRefusal) {
            _ = try changes.undoing(number, now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test("The second exception of a day and prayer is undone to the first, and that one to none")
    func twoExceptions() throws {
        var changes = HandChanges()
        let madeFirst = changes.note(Self.isha, from: nil, to: Self.at(1215), by: "Office")
        let first = try #require(madeFirst)
        let madeSecond = changes.note(
            Self.isha, from: Self.at(1215), to: Self.at(1230, adhan: 1200), by: "Hall")
        let second = try #require(madeSecond)
        // The first cannot go while the second holds, and the refusal says whose that is.
        #expect(Self.refusal(changes, first, Self.at(1230, adhan: 1200)) == .changed(by: "Hall"))
        #expect(
            try changes.undoing(second, now: Self.at(1230, adhan: 1200))
                == .exception(Self.day, .isha, adhan: nil, iqama: 1215, reason: "Visitors"))
        changes.forget(second)
        let madeRedo = changes.note(
            Self.isha, from: Self.at(1230, adhan: 1200), to: Self.at(1215), by: "Hall")
        let redo = try #require(madeRedo)
        #expect(Self.refusal(changes, second, Self.at(1215)) == .nothing)
        #expect(try changes.undoing(first, now: Self.at(1215)) == .removeException(Self.day, .isha))
        // To undo is a change, too.
        #expect(
            try changes.undoing(redo, now: Self.at(1215))
                == .exception(Self.day, .isha, adhan: 1200, iqama: 1230, reason: "Visitors"))
    }

    @Test("A removal is undone to what was removed, unless somebody has set another one")
    func removal() throws {
        var changes = HandChanges()
        let madeRemoved = changes.note(Self.isha, from: Self.at(1215), to: nil, by: "Office")
        let removed = try #require(madeRemoved)
        #expect(
            try changes.undoing(removed, now: nil)
                == .exception(Self.day, .isha, adhan: nil, iqama: 1215, reason: "Visitors"))
        #expect(Self.refusal(changes, removed, Self.at(1220)) == .changed(by: nil))
        let same = changes.note(Self.isha, from: Self.at(1215), to: Self.at(1215), by: "Office")
        #expect(same == nil)
    }

    @Test("The beginning of a month is undone to the one before, or to the calendar's")
    func months() throws {
        var changes = HandChanges()
        let first = HandChanges.Value.begins(CivilDate(year: 2027, month: 2, day: 9)!)
        let second = HandChanges.Value.begins(CivilDate(year: 2027, month: 2, day: 8)!)
        let madeOne = changes.note(Self.month, from: nil, to: first, by: "Office")
        let one = try #require(madeOne)
        let madeTwo = changes.note(Self.month, from: first, to: second, by: "Office")
        let two = try #require(madeTwo)
        #expect(
            try changes.undoing(two, now: second)
                == .hijri(.sighted, CivilDate(year: 2027, month: 2, day: 8)!))
        #expect(try changes.undoing(one, now: first) == .removeMonth("1448-09"))
        #expect(changes.changes.allSatisfy { $0.isOfMonth })
    }

    @Test("As many are kept as a page shows, each under a number of its own")
    func bounds() throws {
        var changes = HandChanges()
        for minute in 0..<(HandChanges.most + 3) {
            _ = changes.note(Self.isha, from: Self.at(minute), to: Self.at(minute + 1), by: "Office")
        }
        #expect(changes.changes.count == HandChanges.most)
        #expect(Self.refusal(changes, 1, Self.at(2)) == .nothing)
        #expect(Set(changes.changes.map(\.number)).count == HandChanges.most)
    }

    @Test(
        "What is kept in a file is the same afterwards, also the numbers, and what no program wrote is refused"
    )
    func file() throws {
        var changes = HandChanges()
        _ = changes.note(Self.isha, from: nil, to: Self.at(1215, adhan: 1200), by: "Office \"1\"")
        let first = HandChanges.Value.begins(CivilDate(year: 2027, month: 2, day: 9)!)
        let madeMonth = changes.note(Self.month, from: nil, to: first, by: "Hall")
        let month = try #require(madeMonth)
        let madeLast = changes.note(Self.isha, from: Self.at(1215, adhan: 1200), to: nil, by: "Hall")
        let last = try #require(madeLast)
        changes.forget(last)
        var read = try HandChanges(json: changes.json)
        #expect(read.changes == changes.changes)
        #expect(Self.refusal(read, month, nil) == .changed(by: nil))
        #expect(try read.undoing(month, now: first) == .removeMonth("1448-09"))
        // A page from before the restart asks for a number that means nothing else.
        let next = read.note(Self.isha, from: nil, to: Self.at(1), by: "Hall")
        #expect(next == last + 1)
        let empty = try HandChanges(json: HandChanges().json)
        #expect(empty.changes.isEmpty)
        for (old, new) in [
            (#""last" : 3"#, #""last" : 1"#), (#""version" : 1"#, #""version" : 2"#), ("20:15", "25:15"),
            ("2026-11-27", "2026-02-30"), (#""isha""#, #""tea""#), (#""number" : 1"#, #""number" : 2"#),
            (#""number" : 1"#, #""number" : -1"#), ("{", "["),
        ] {
            let text = String(decoding: try changes.json, as: UTF8.self)
            #expect(text.contains(old), "\(old) in \(text)")
            #expect(throws: (any Error).self, "\(new)") {
                try HandChanges(json: Array(text.replacing(old, with: new).utf8))
            }
        }
    }

    @Test("What was set by hand is compared between two moments")
    func values() throws {
        func values(_ text: String) throws -> HandValues {
            HandValues(try JSON.decode(ExceptionsReply.self, from: Array(text.utf8)))
        }
        let before = try values(
            #"{"exceptions": [{"date": "2026-11-27", "prayer": "isha", "adhan": null, "iqama": "20:15", "reason": "Visitors"}]}"#
        )
        #expect(before[Self.isha] == Self.at(1215))
        #expect(try values(#"{"exceptions": []}"#).changed(since: before) == [Self.isha])
        #expect(before.changed(since: before).isEmpty)
    }
}
