import LabSupport
import PrayerEngine
import SeededRandom
import Signature
import Testing

@testable import Envelope
@testable import Texts

@Suite("Envelopes")
struct EnvelopeCheckTests {
    private let fleet = Fleet()

    private func keysBody(recovery: [UInt8]) -> String {
        let signing = FleetKey(bytes: fleet.stranger.publicKey)!.text
        return #"{"signing":"\#(signing)","recovery":"\#(FleetKey(bytes: recovery)!.text)"}"#
    }

    private func keys(recovery: [UInt8]) -> String {
        Fleet.payload(kind: "keys", body: keysBody(recovery: recovery))
    }

    @Test("An envelope of the fleet is taken, with its body")
    func accepted() throws {
        let checked = try fleet.check(fleet.sign(Fleet.payload()))
        #expect(checked.state == .new)
        #expect(checked.payload.seq == 42)
        #expect(checked.body == .command(.mute(seconds: 7200)))
        #expect(checked.digest == SHA256.hex(Array(Fleet.payload().utf8)))
    }

    @Test("A box without a fleet refuses all")
    func noFleet() {
        let check = EnvelopeCheck(nil, memory: EnvelopeMemory(), now: Fleet.now) { _, _, _ in true }
        #expect(
            throws: EnvelopeRefusal(
                .foreign, "this box belongs to no fleet: its configuration has no [fleet]")
        ) {
            try check.check(fleet.sign(Fleet.payload()))
        }
    }

    @Test("Each refusal has its word")
    func words() {
        let expected: [(EnvelopeRefusal.Reason?, [UInt8])] = [
            (nil, fleet.sign(Fleet.payload())),
            (.type, fleet.sign(Fleet.payload(), type: "application/json")),
            (.unknownKey, fleet.sign(Fleet.payload(), by: [fleet.stranger])),
            (.unknownKey, fleet.sign(Fleet.payload(), by: [fleet.recovery])),
            (.malformed, fleet.sign(Fleet.payload(), by: [fleet.signing, fleet.recovery])),
            (.malformed, fleet.sign(Fleet.payload(), by: [fleet.signing, fleet.signing])),
            (.malformed, fleet.sign(Fleet.payload(), by: [])),
            (.foreign, fleet.sign(Fleet.payload(org: "other"))),
            (.tooEarly, fleet.sign(Fleet.payload(notBefore: "2027-01-10T12:00:01Z"))),
            (.expired, fleet.sign(Fleet.payload(expires: "2027-01-10T12:00:00Z"))),
            (.invalid, fleet.sign(Fleet.payload(body: #"{"verb":"reboot"}"#))),
            (.invalid, fleet.sign(Fleet.payload(body: #"{"verb":"mute"}"#))),
            (.invalid, fleet.sign(Fleet.payload(body: #"{"verb":"stop","duration":"2h"}"#))),
            // The kind, its number, its receivers, its dates.
            (.malformed, fleet.sign(Fleet.payload(kind: "shell"))),
            (.malformed, fleet.sign(Fleet.payload(seq: "0"))),
            (.malformed, fleet.sign(Fleet.payload(seq: "-1"))),
            (.malformed, fleet.sign(Fleet.payload(seq: "1.0"))),
            (.malformed, fleet.sign(Fleet.payload(seq: "1e3"))),
            (.malformed, fleet.sign(Fleet.payload(seq: "01"))),
            (.malformed, fleet.sign(Fleet.payload(seq: "9007199254740992"))),
            (.malformed, fleet.sign(Fleet.payload(seq: "99999999999999999999999999"))),
            (nil, fleet.sign(Fleet.payload(seq: "9007199254740991"))),
            (.malformed, fleet.sign(Fleet.payload(to: #"{"all":false}"#))),
            (.malformed, fleet.sign(Fleet.payload(to: #"{"all":true,"boxes":["9f2c"]}"#))),
            (.malformed, fleet.sign(Fleet.payload(to: #"{"boxes":[]}"#))),
            (.malformed, fleet.sign(Fleet.payload(to: #"{"boxes":["A"]}"#))),
            (.malformed, fleet.sign(Fleet.payload(to: #"{"groups":["uk//london"]}"#))),
            (nil, fleet.sign(Fleet.payload(to: #"{"boxes":["0000","9f2c"]}"#))),
            (nil, fleet.sign(Fleet.payload(to: #"{"groups":["uk/london"]}"#))),
            (.malformed, fleet.sign(Fleet.payload(notBefore: "yesterday"))),
            (.malformed, fleet.sign(Fleet.payload(notBefore: "2027-02-30T00:00:00Z"))),
            (.malformed, fleet.sign(Fleet.payload(notBefore: "2027-01-10T12:30:00Z"))),
            (.malformed, fleet.sign(Fleet.payload(notBefore: "2027-01-10T11:29:59Z"))),
            (.malformed, fleet.sign(Fleet.payload(org: "N"))),
            (.malformed, fleet.sign(Fleet.payload(body: "[]"))),
            (.malformed, fleet.sign(#"{"v":1}"#)),
            (.malformed, fleet.sign(Fleet.payload() + " {}")),
            (.malformed, fleet.sign(Fleet.payload().replacing(#""v":1"#, with: #""v":2"#))),
            (.malformed, fleet.sign(Fleet.payload().replacing(#""v":1"#, with: #""v":1,"seq":41"#))),
            (.malformed, fleet.sign(Fleet.payload().replacing(#""v":1"#, with: #""v":1,"more":1"#))),
            (.malformed, Array("".utf8)), (.malformed, Array("{}".utf8)), (.malformed, Array("null".utf8)),
            (
                .malformed,
                Array(#"{"payload":"e30=","payload":"e30=","payloadType":"","signatures":[]}"#.utf8)
            ),
        ]
        for (index, (reason, text)) in expected.enumerated() {
            #expect(fleet.reason(text) == reason, "number \(index)")
        }
    }

    @Test("An envelope for others is no error, whatever its time")
    func others() throws {
        for to in [#"{"boxes":["0000"]}"#, #"{"groups":["uk","uk/leeds"]}"#] {
            let checked = try fleet.check(fleet.sign(Fleet.payload(to: to)), now: nil)
            #expect(checked.state == .notForMe)
            #expect(checked.body == nil)
        }
    }

    @Test("A clock that is not trusted applies nothing")
    func clock() {
        #expect(fleet.reason(fleet.sign(Fleet.payload()), now: nil) == .clock)
        // The fleet is asked about before the time.
        #expect(fleet.reason(fleet.sign(Fleet.payload(org: "other")), now: nil) == .foreign)
    }

    @Test("What is older is refused, the same again has no effect, each kind counts for itself")
    func rollback() throws {
        let text = fleet.sign(Fleet.payload())
        let first = try fleet.check(text)
        var memory = EnvelopeMemory()
        memory.accepted[.command] = AcceptedEnvelope(seq: 42, digest: first.digest)
        #expect(try fleet.check(text, memory: memory).state == .already)
        #expect(fleet.reason(fleet.sign(Fleet.payload(seq: "41")), memory: memory) == .older)
        // The same number with other contents is another envelope.
        #expect(fleet.reason(fleet.sign(Fleet.payload(body: #"{"verb":"stop"}"#)), memory: memory) == .older)
        #expect(fleet.reason(fleet.sign(Fleet.payload(seq: "43")), memory: memory) == nil)
        let revert = Fleet.payload(kind: "revert", seq: "1", body: #"{"kind":"configuration"}"#)
        #expect(fleet.reason(fleet.sign(revert), memory: memory) == nil)
        memory.reverted = [SHA256.hex(Array(Fleet.payload(seq: "43").utf8))]
        #expect(fleet.reason(fleet.sign(Fleet.payload(seq: "43")), memory: memory) == .revertedBefore)
        // Also where it is the newest that was accepted.
        memory.accepted[.command] = AcceptedEnvelope(
            seq: 43, digest: SHA256.hex(Array(Fleet.payload(seq: "43").utf8)))
        #expect(fleet.reason(fleet.sign(Fleet.payload(seq: "43")), memory: memory) == .revertedBefore)
        // Time comes before the number.
        #expect(fleet.reason(text, memory: memory, now: Fleet.now + 3600) == .expired)
    }

    @Test("New keys need the recovery key; a new recovery key needs both")
    func newKeys() {
        let same = keys(recovery: fleet.recovery.publicKey)
        let new = keys(recovery: [UInt8](repeating: 7, count: 32))
        #expect(fleet.reason(fleet.sign(same, by: [fleet.recovery])) == nil)
        #expect(fleet.reason(fleet.sign(same, by: [fleet.signing])) == .unknownKey)
        #expect(fleet.reason(fleet.sign(new, by: [fleet.recovery])) == .unknownKey)
        #expect(fleet.reason(fleet.sign(new, by: [fleet.recovery, fleet.signing])) == nil)
        #expect(fleet.reason(fleet.sign(new, by: [fleet.signing, fleet.recovery])) == nil)
        #expect(
            fleet.reason(fleet.sign(keys(recovery: fleet.stranger.publicKey), by: [fleet.recovery]))
                == .invalid)
    }

    @Test("A box without a recovery key takes no new keys")
    func noRecoveryKey() {
        var membership = fleet.membership
        membership.recovery = nil
        let check = EnvelopeCheck(membership, memory: EnvelopeMemory(), now: Fleet.now) {
            Ed25519.verify($0, of: $1, by: $2)
        }
        for keys in [[fleet.signing], [fleet.recovery]] {
            let text = fleet.sign(self.keys(recovery: fleet.recovery.publicKey), by: keys)
            let refusal = #expect(throws: EnvelopeRefusal.self) { try check.check(text) }
            #expect(refusal?.reason == .unknownKey)
        }
    }

    @Test("A configuration may not touch what binds everybody, nor name files of the box")
    func reserved() {
        func reason(_ toml: String) -> EnvelopeRefusal.Reason? {
            let body = String(decoding: try! JSON.encode(["toml": toml]), as: UTF8.self)
            return fleet.reason(fleet.sign(Fleet.payload(kind: "configuration", body: body)))
        }
        #expect(reason("[adhan]\nvolume = 50\n") == nil)
        for table in ["control", "debug", "fleet"] {
            #expect(reason("[\(table)]\nx = 1\n") == .invalid)
            #expect(reason("\(table).x = 1\n") == .invalid)
            #expect(reason("\"\(table)\" = { x = 1 }\n") == .invalid)
            #expect(reason("[\(table).inner]\nx = 1\n") == .invalid)
        }
        #expect(reason("[adhan]\nsound = \"/etc/shadow\"\n") == .invalid)
        #expect(reason("[adhan]\nsounds = [\"a\", \"/etc/shadow\"]\n") == .invalid)
        #expect(reason("[adhan\n") == .invalid)
    }

    @Test("The bodies of the other kinds")
    func bodies() {
        func reason(_ kind: String, _ body: String) -> EnvelopeRefusal.Reason? {
            fleet.reason(fleet.sign(Fleet.payload(kind: kind, body: body)))
        }
        let hash = SHA256.hex(Array("a".utf8))
        #expect(reason("timetable", #"{"csv":"a","sha256":"\#(hash)"}"#) == nil)
        #expect(reason("timetable", #"{"csv":"b","sha256":"\#(hash)"}"#) == .invalid)
        #expect(reason("hijri", #"{"pins":{"1448-09":"2027-02-08"}}"#) == nil)
        #expect(reason("hijri", #"{"pins":{"1448-13":"2027-02-08"}}"#) == .invalid)
        #expect(reason("hijri", #"{"pins":{"1448-09":"2027-02-30"}}"#) == .invalid)
        #expect(reason("hijri", #"{"pins":{}}"#) == .invalid)
        #expect(
            reason(
                "exception",
                #"{"exceptions":[{"date":"2027-02-08","prayer":"isha","adhan":"20:00","iqama":null}]}"#)
                == nil)
        #expect(reason("exception", #"{"exceptions":[{"date":"2027-02-08","prayer":"isha"}]}"#) == .invalid)
        let isha = #"{"date":"2027-02-08","prayer":"isha","adhan":"20:00"}"#
        #expect(reason("exception", #"{"exceptions":[\#(isha),\#(isha)]}"#) == .invalid)
        let other = isha.replacing("-08", with: "-09")
        #expect(reason("exception", #"{"exceptions":[\#(isha),\#(other)]}"#) == nil)
        #expect(
            reason("exception", #"{"exceptions":[{"date":"2027-02-08","prayer":"tea","adhan":"1"}]}"#)
                == .invalid)
        for kind in ["configuration", "timetable", "hijri", "exception"] {
            #expect(reason("revert", #"{"kind":"\#(kind)"}"#) == nil)
        }
        for kind in ["keys", "command", "revert"] {
            #expect(reason("revert", #"{"kind":"\#(kind)"}"#) == .invalid)
        }
    }

    @Test("An envelope of 48 KiB is read, a larger one is not")
    func size() {
        let room = SignedEnvelope.largestBytes
        let envelope = fleet.sign(Fleet.payload())
        #expect(fleet.reason(envelope + [UInt8](repeating: 0x20, count: room - envelope.count)) == nil)
        #expect(
            fleet.reason(envelope + [UInt8](repeating: 0x20, count: room - envelope.count + 1)) == .malformed)
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: room)
        #expect(fleet.reason(deep) == .malformed)
        #expect(
            fleet.reason(fleet.sign(Fleet.payload(body: String(repeating: "[", count: 20_000)))) == .malformed
        )
    }

    /// Anything that is signed is at least looked at; what is not, is bytes.
    @Test("The payload is not parsed before its signature holds")
    func order() {
        let rubbish = fleet.sign("this is no JSON")
        #expect(fleet.reason(rubbish) == .malformed)
        // The same rubbish with a signature of other bytes: its contents are not looked at.
        let other = try! SignedEnvelope(fleet.sign("something else"))
        let mixed = SignedEnvelope(payload: Array("this is no JSON".utf8), signatures: other.signatures)
        #expect(fleet.reason(try! mixed.encoded()) == .signature)
        let stranger = fleet.sign("this is no JSON", by: [fleet.stranger])
        #expect(fleet.reason(stranger) == .unknownKey)
    }

    @Test("A signature holds whatever time, number, receivers and body are, and for this fleet alone")
    func signed() throws {
        let check = EnvelopeCheck(fleet.membership, memory: EnvelopeMemory(), now: nil) {
            Ed25519.verify($0, of: $1, by: $2)
        }
        for payload in [
            Fleet.payload(expires: "2027-01-10T11:30:01Z"), Fleet.payload(to: #"{"boxes":["other"]}"#),
            Fleet.payload(body: #"{"verb":"reboot"}"#),
        ] {
            let (envelope, read) = try check.signed(fleet.sign(payload))
            #expect(envelope.digest == SHA256.hex(Array(payload.utf8)) && read.seq == 42)
        }
        let refused: [(EnvelopeRefusal.Reason, [UInt8])] = [
            (.foreign, fleet.sign(Fleet.payload(org: "other"))),
            (.unknownKey, fleet.sign(Fleet.payload(), by: [fleet.stranger])),
            (.unknownKey, fleet.sign(Fleet.payload(), by: [fleet.recovery])),
            (.malformed, Array("{}".utf8)),
        ]
        for (reason, text) in refused {
            do throws(EnvelopeRefusal) {
                _ = try check.signed(text)
                Issue.record("taken, in place of \(reason)")
            } catch {
                #expect(error.reason == reason)
            }
        }
    }

    @Test("Each flipped byte is a refusal")
    func flipped() {
        let good = fleet.sign(Fleet.payload())
        #expect(fleet.reason(good) == nil)
        var random = SplitMix64(seed: 7)
        var reasons: [EnvelopeRefusal.Reason: Int] = [:]
        let clock = ContinuousClock()
        let began = clock.now
        let count = RandomCases.count(100_000)
        for turn in 0..<count {
            var text = good
            // Every byte of it, again and again, each time in another way.
            text[turn % good.count] ^= UInt8.random(in: 1...255, using: &random)
            guard let reason = fleet.reason(text) else {
                Issue.record("taken with byte \(turn % good.count) flipped")
                return
            }
            reasons[reason, default: 0] += 1
        }
        #expect(reasons.values.reduce(0, +) == count)
        #expect(Set(reasons.keys) == [.malformed, .type, .unknownKey, .signature])
        #expect(clock.now - began < .seconds(300))
    }
}
