import PrayerEngine
import Signature
import Testing

@testable import Envelope
@testable import Texts

/// A fleet with its keys, and one of its boxes.
struct Fleet {
    static let now = InstantText.parse("2027-01-10T12:00:00Z")!
    let signing = Ed25519.KeyPair(seed: [UInt8](repeating: 1, count: 32))!
    let recovery = Ed25519.KeyPair(seed: [UInt8](repeating: 2, count: 32))!
    let stranger = Ed25519.KeyPair(seed: [UInt8](repeating: 3, count: 32))!

    var membership: FleetMembership {
        FleetMembership(
            org: "noor", signing: FleetKey(bytes: signing.publicKey)!,
            recovery: FleetKey(bytes: recovery.publicKey)!,
            groups: ["uk/london"], box: "9f2c")
    }

    static func payload(
        org: String = "noor", kind: String = "command", seq: String = "42", to: String = #"{"all":true}"#,
        notBefore: String = "2027-01-10T11:30:00Z", expires: String = "2027-01-10T12:30:00Z",
        body: String = #"{"verb":"mute","duration":"2h"}"#
    ) -> String {
        #"{"v":1,"org":"\#(org)","kind":"\#(kind)","seq":\#(seq),"for":\#(to),"notBefore":"\#(notBefore)","#
            + #""expires":"\#(expires)","body":\#(body)}"#
    }

    func sign(
        _ payload: String, by keys: [Ed25519.KeyPair]? = nil, type: String = SignedEnvelope.payloadType
    ) -> [UInt8] {
        let payload = Array(payload.utf8)
        let signatures = (keys ?? [signing]).map { key in
            SignedEnvelope.Signature(
                keyID: FleetKey(bytes: key.publicKey)!.id,
                bytes: key.sign(SignedEnvelope.signedBytes(type: type, payload: payload)))
        }
        return try! SignedEnvelope(type: type, payload: payload, signatures: signatures).encoded()
    }

    func check(
        _ text: [UInt8], memory: EnvelopeMemory = EnvelopeMemory(), now: Instant? = Fleet.now
    ) throws(EnvelopeRefusal) -> CheckedEnvelope {
        try EnvelopeCheck(membership, memory: memory, now: now) { Ed25519.verify($0, of: $1, by: $2) }.check(
            text)
    }

    func reason(
        _ text: [UInt8], memory: EnvelopeMemory = EnvelopeMemory(), now: Instant? = Fleet.now
    ) -> EnvelopeRefusal.Reason? {
        do throws(EnvelopeRefusal) {
            _ = try check(text, memory: memory, now: now)
            return nil
        } catch {
            return error.reason
        }
    }
}
