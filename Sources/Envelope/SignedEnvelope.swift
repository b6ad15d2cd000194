internal import Texts

/// A DSSE envelope in its outer form: bytes and signatures. The meaning of the bytes is unknown here.
package struct SignedEnvelope: Sendable, Equatable {
    package struct Signature: Sendable, Equatable {
        package let keyID: String
        package let bytes: [UInt8]

        package init(keyID: String, bytes: [UInt8]) {
            self.keyID = keyID
            self.bytes = bytes
        }
    }

    /// The most bytes of the whole text: the control socket accepts 64 KiB, and the envelope is a text inside a request.
    package static let largestBytes = 48 * 1024
    package static let payloadType = "application/vnd.adhand.fleet+json"
    /// The most signatures: a new recovery key needs two.
    package static let mostSignatures = 2

    package let type: String
    package let payload: [UInt8]
    package let signatures: [Signature]

    package init(type: String = payloadType, payload: [UInt8], signatures: [Signature]) {
        self.type = type
        self.payload = payload
        self.signatures = signatures
    }

    package init(_ text: [UInt8]) throws(EnvelopeRefusal) {
        guard text.count <= Self.largestBytes else {
            throw EnvelopeRefusal(
                .malformed,
                "the envelope has \(text.count) bytes, and at most \(Self.largestBytes) are allowed")
        }
        let json: StrictJSON
        do throws(StrictJSONError) { json = try StrictJSON(text) } catch {
            throw EnvelopeRefusal(.malformed, "the envelope is not valid JSON: \(error.sentence)")
        }
        guard case .object(let members) = json,
            members.keys.sorted() == ["payload", "payloadType", "signatures"],
            case .text(let type) = members["payloadType"], case .text(let encoded) = members["payload"],
            case .list(let list) = members["signatures"]
        else {
            throw EnvelopeRefusal(
                .malformed, "an envelope has exactly the keys \"payloadType\", \"payload\" and \"signatures\""
            )
        }
        guard let payload = Base64.decode(encoded) else {
            throw EnvelopeRefusal(.malformed, "the payload is not Base64")
        }
        guard (1...Self.mostSignatures).contains(list.count) else {
            throw EnvelopeRefusal(
                .malformed, "an envelope has one signature, or two, and this one has \(list.count)")
        }
        var signatures: [Signature] = []
        for element in list { signatures.append(try Self.signature(element)) }
        guard Set(signatures.map(\.keyID)).count == signatures.count else {
            throw EnvelopeRefusal(.malformed, "both signatures are of one key")
        }
        self.init(type: type, payload: payload, signatures: signatures)
    }

    private static func signature(_ json: StrictJSON) throws(EnvelopeRefusal) -> Signature {
        guard case .object(let members) = json, members.keys.sorted() == ["keyid", "sig"],
            case .text(let keyID) = members["keyid"], case .text(let encoded) = members["sig"],
            let bytes = Base64.decode(encoded), bytes.count == 64
        else {
            throw EnvelopeRefusal(
                .malformed, "a signature has exactly the keys \"keyid\" and \"sig\", 64 bytes in Base64")
        }
        return Signature(keyID: keyID, bytes: bytes)
    }

    /// The bytes that are signed: DSSE's pre-authentication encoding.
    package var signedBytes: [UInt8] { Self.signedBytes(type: type, payload: payload) }

    package static func signedBytes(type: String = payloadType, payload: [UInt8]) -> [UInt8] {
        Array("DSSEv1 \(type.utf8.count) \(type) \(payload.count) ".utf8) + payload
    }

    /// The 64 hexadecimal digits that identify the decoded payload.
    package var digest: String { SHA256.hex(payload) }

    private struct Document: Encodable {
        struct Signature: Encodable {
            let keyid, sig: String
        }
        let payloadType, payload: String
        let signatures: [Signature]
    }

    /// The text that ``init(_:)`` reads.
    package func encoded() throws -> [UInt8] {
        try JSON.encode(
            Document(
                payloadType: type, payload: Base64.encode(payload),
                signatures: signatures.map { .init(keyid: $0.keyID, sig: Base64.encode($0.bytes)) }))
    }
}
