import PrayerEngine
import Signature
import Testing

@testable import Envelope
@testable import Texts

@Suite("The record of a box about its envelopes")
struct FleetRecordTests {
    private let fleet = Fleet()
    private var keys: FleetKeys {
        FleetKeys(signing: fleet.membership.signing, recovery: fleet.membership.recovery)
    }

    private func read(_ record: FleetRecord) throws -> FleetRecord {
        try JSON.decode(FleetRecord.self, from: try JSON.encode(record))
    }

    @Test("It comes back from the disk as it was")
    func file() throws {
        var record = FleetRecord()
        #expect(record.isEmpty)
        let command = try fleet.check(fleet.sign(Fleet.payload()))
        record.accept(command, "text", keys, at: Fleet.now)
        #expect(try read(record) == record && record.waiting.map(\.envelope) == ["text"])
        #expect(record.applied.map(\.state) == [.scheduled])
        record.end(.confirmed, of: command, at: Fleet.now + 1)
        record.replace(
            keys, by: FleetKeys(signing: FleetKey(bytes: fleet.stranger.publicKey)!, recovery: nil))
        #expect(try read(record) == record && record.waiting.isEmpty)
        // An entry of a later version is left out, and the rest is kept.
        let text = String(decoding: try JSON.encode(record), as: UTF8.self)
        let later = text.replacing(#""kind":"command""#, with: #""kind":"dance""#)
        let left = try JSON.decode(FleetRecord.self, from: Array(later.utf8))
        #expect(left.applied.isEmpty && left.keys(over: keys) == record.keys(over: keys))
    }

    @Test("What is on trial comes back from the disk, too, and what was left stays refused")
    func trials() throws {
        var record = FleetRecord()
        func configuration(_ digest: String) -> FleetConfiguration {
            FleetConfiguration(fleet: "noor/1", digest: digest, toml: "[adhan]\n")
        }
        record.begin(configuration("a"), passedBefore: true, boot: "1", at: Fleet.now)
        record.begin(
            FleetTimetable(fleet: "noor/1", digest: "t", sha256: "0"), passedBefore: false, boot: nil,
            at: Fleet.now)
        #expect(try read(record) == record && record.trials.count == 2)
        // The preflight says something against the change that it fails only with.
        record.preflighted(false, "no device")
        #expect(record.trial(of: .configuration)?.leaving == "no device")
        #expect(record.trial(of: .timetable)?.leaving == nil && record.configurationInForce == nil)
        #expect(try read(record) == record && record.configuration != nil)
        _ = record.endTrial(.configuration, at: Fleet.now)
        #expect(try read(record) == record && record.configuration == nil)
        #expect(record.memory(of: "noor", keys).reverted == ["a"])
        // A fleet that the box has left takes its configuration with it.
        record.begin(configuration("b"), passedBefore: true, boot: "1", at: Fleet.now)
        let isLeft = [record.keep(only: "noor/1"), record.configuration == nil, record.keep(only: nil)]
        #expect(isLeft == [false, false, true] && record.configuration == nil && record.trials.isEmpty)
    }

    @Test("The second crash in a boot is one too many; a start after a stop and a loss of power are none")
    func crashes() throws {
        var record = FleetRecord()
        let isNews = record.beginRun(boot: "1")
        #expect(!isNews)
        record.begin(
            FleetConfiguration(fleet: "noor/1", digest: "a", toml: ""), passedBefore: true, boot: "1",
            at: Fleet.now)
        for boot in ["2", "3"] { _ = record.beginRun(boot: boot) }
        record.noteStop()
        _ = record.beginRun(boot: "3")
        _ = record.beginRun(boot: "3")
        record = try read(record)
        #expect(record.trials[0].crashes == 1 && record.configurationInForce?.digest == "a")
        _ = record.beginRun(boot: "3")
        #expect(record.trials[0].leaving != nil && record.configurationInForce == nil)
    }

    @Test("The highest number of a kind counts, until the box joins a fleet of other keys")
    func memory() throws {
        var record = FleetRecord()
        let command = try fleet.check(fleet.sign(Fleet.payload(seq: "42")))
        record.accept(command, "text", keys, at: Fleet.now)
        record.drop(command.digest)
        for known in [record, try read(record)] {
            let memory = known.memory(of: "noor", keys)
            #expect(try fleet.check(fleet.sign(Fleet.payload(seq: "42")), memory: memory).state == .already)
            #expect(fleet.reason(fleet.sign(Fleet.payload(seq: "41")), memory: memory) == .older)
            #expect(try fleet.check(fleet.sign(Fleet.payload(seq: "43")), memory: memory).state == .new)
            #expect(known.memory(of: "other", keys) == EnvelopeMemory())
            let others = FleetKeys(signing: FleetKey(bytes: fleet.stranger.publicKey)!, recovery: nil)
            #expect(known.memory(of: "noor", others) == EnvelopeMemory())
        }
    }

    @Test(
        "Of a change and the way back from it the one that was signed last counts, in whatever order they come"
    )
    func wayBack() throws {
        func signed(_ kind: String, _ seq: Int, _ minute: Int, _ body: String) -> [UInt8] {
            fleet.sign(
                Fleet.payload(kind: kind, seq: "\(seq)", notBefore: "2027-01-10T11:\(minute):00Z", body: body)
            )
        }
        let change = { signed("configuration", $0, $1, #"{"toml":"[adhan]\nvolume = 40\n"}"#) }
        let back = signed("revert", 1, 20, #"{"kind":"configuration"}"#)
        func record(_ envelopes: [UInt8]...) throws -> EnvelopeMemory {
            var record = FleetRecord()
            for text in envelopes {
                record.accept(
                    try fleet.check(text, memory: record.memory(of: "noor", keys)), "", keys, at: Fleet.now)
            }
            let memory = record.memory(of: "noor", keys)
            #expect(try read(record) == record && read(record).memory(of: "noor", keys) == memory)
            return memory
        }
        #expect(fleet.reason(back, memory: try record(change(51, 30))) == .older)
        #expect(try fleet.check(back, memory: record(change(50, 10))).state == .new)
        #expect(fleet.reason(change(50, 10), memory: try record(back)) == .older)
        #expect(try fleet.check(change(51, 30), memory: record(back)).state == .new)
        // A timetable is another kind.
        let table = signed("revert", 2, 15, #"{"kind":"timetable"}"#)
        #expect(try fleet.check(table, memory: record(change(51, 30))).state == .new)
    }

    @Test("Days and months that the fleet set come back from the disk with what they replaced")
    func overrides() throws {
        var record = FleetRecord()
        let month = FleetOverride.Subject.month(HijriMonth("1448-09")!)
        let day = FleetOverride.Subject.prayer(.isha, on: CivilDate("2027-02-08")!)
        let times = FleetOverride.Times(adhan: 1200, iqama: nil, reason: "a wedding")
        let pin = FleetOverride(
            fleet: "noor/1", subject: month, before: .firstDay(CivilDate("2027-02-08")!))
        record.override(pin, known: nil)
        record.override(FleetOverride(fleet: "noor/1", subject: day, before: .times(times)), known: nil)
        #expect(try read(record) == record && record.overrides.count == 2)
        // The second change of the same fleet finds the first, which is nothing of the household's.
        let second = FleetOverride(fleet: "noor/1", subject: month, before: .nothing)
        record.override(second, known: record.override(of: month))
        #expect(record.override(of: month) == pin)
        // For another fleet what the former one left is the household's.
        let another = FleetOverride(fleet: "amal/2", subject: month, before: .nothing)
        record.override(another, known: record.override(of: month))
        #expect(record.override(of: month)?.fleet == "amal/2")
        _ = record.keep(only: "amal/2")
        #expect(try read(record) == record && record.overrides.map(\.subject) == [month])
        record.household(decides: month)
        #expect(record.isEmpty)
        // An entry of a later version is left out, and the rest is kept.
        record.override(pin, known: nil)
        record.refuseAgain("a")
        let text = String(decoding: try JSON.encode(record), as: UTF8.self)
        let later = try JSON.decode(
            FleetRecord.self, from: Array(text.replacing("1448-09", with: "a month").utf8))
        #expect(later.overrides.isEmpty && later.reverted == ["a"])
    }

    @Test("A change that waits when its kind is reverted has no effect, unless it was signed later")
    func waitingReverted() throws {
        func signed(_ kind: String, _ minute: Int, _ body: String) throws -> CheckedEnvelope {
            try fleet.check(
                fleet.sign(
                    Fleet.payload(
                        kind: kind, seq: "1", notBefore: "2027-01-10T11:\(minute):00Z", body: body)))
        }
        let back = try signed("revert", 20, #"{"kind":"hijri"}"#)
        let name = FleetRecord.name("noor", keys)
        for (minute, stays) in [(10, false), (20, true), (30, true)] {
            var record = FleetRecord()
            let pins = try signed("hijri", minute, #"{"pins":{"1448-09":"2027-02-08"}}"#)
            record.accept(pins, "pins", keys, at: Fleet.now)
            record.accept(back, "back", keys, at: Fleet.now)
            record.revert(.hijri, of: name, because: "revert 1", at: Fleet.now)
            #expect(record.waiting.map(\.envelope) == (stays ? ["pins", "back"] : ["back"]))
            #expect(record.reverted == (stays ? [] : [pins.digest]))
            #expect(record.applied.first { $0.kind == .hijri }?.state == (stays ? .scheduled : .reverted))
        }
    }

    @Test("What became of an older envelope does not hide the newest of its kind")
    func order() throws {
        var record = FleetRecord()
        let (one, two) = (
            try fleet.check(fleet.sign(Fleet.payload(seq: "1"))),
            try fleet.check(fleet.sign(Fleet.payload(seq: "2")))
        )
        record.accept(one, "one", keys, at: Fleet.now)
        record.accept(two, "two", keys, at: Fleet.now)
        #expect(record.waiting.map(\.envelope) == ["one", "two"])
        record.end(.confirmed, of: one, at: Fleet.now)
        #expect(record.applied.map(\.seq) == [2] && record.applied[0].state == .scheduled)
        record.refuse(two.digest, reason: "expired", at: Fleet.now + 5)
        #expect(record.applied.map(\.state) == [.refused] && record.waiting.isEmpty)
    }

    @Test("Another fleet counts from one, and learns nothing of the former one")
    func anotherFleet() throws {
        var record = FleetRecord()
        record.accept(
            try fleet.check(fleet.sign(Fleet.payload(seq: "42"))), "former", keys, at: Fleet.now)
        let later = FleetKeys(signing: FleetKey(bytes: fleet.stranger.publicKey)!, recovery: nil)
        #expect(record.applied(of: "noor", keys).map(\.seq) == [42])
        #expect(record.applied(of: "noor", later).isEmpty && record.applied(of: "other", keys).isEmpty)
        let first = try fleet.check(fleet.sign(Fleet.payload(seq: "1")))
        record.accept(first, "first", later, at: Fleet.now)
        record.end(.confirmed, of: first, at: Fleet.now + 1)
        #expect(record.applied(of: "noor", later).map(\.seq) == [1] && record.applied.count == 1)
        #expect(record.applied(of: "noor", later).map(\.state) == [.confirmed])
    }

    @Test("An accepted envelope is looked at again: its key, its fleet and its time")
    func again() throws {
        var memory = EnvelopeMemory()
        let text = fleet.sign(Fleet.payload(seq: "42"))
        memory.accepted[.command] = AcceptedEnvelope(seq: 43, digest: "later")
        func check(at now: Instant?, by key: FleetKey? = nil) throws(EnvelopeRefusal) -> CheckedEnvelope {
            var membership = fleet.membership
            if let key { membership.signing = key }
            return try EnvelopeCheck(membership, memory: memory, now: now) {
                Ed25519.verify($0, of: $1, by: $2)
            }.check(text, isAccepted: true)
        }
        #expect(try check(at: Fleet.now).state == .new)
        for now in [Fleet.now + 86_400, nil] { #expect(throws: EnvelopeRefusal.self) { try check(at: now) } }
        let other = FleetKey(bytes: fleet.stranger.publicKey)!
        #expect(throws: EnvelopeRefusal.self) { try check(at: Fleet.now, by: other) }
    }
}
