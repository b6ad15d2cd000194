import Signature
import Testing

@testable import Envelope
@testable import Texts

@Suite("Signatures")
struct SignatureTests {
    private func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).map { at in
            UInt8(hex.dropFirst(at).prefix(2), radix: 16)!
        }
    }

    @Test("The second test of RFC 8032, section 7.1")
    func rfc8032() throws {
        let seed = bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
        let pair = try #require(Ed25519.KeyPair(seed: seed))
        #expect(pair.publicKey == bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"))
        let signature = bytes(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
        #expect(pair.sign([0x72]) == signature)
        #expect(Ed25519.verify(signature, of: [0x72], by: pair.publicKey))
        #expect(!Ed25519.verify(signature, of: [0x73], by: pair.publicKey))
        #expect(!Ed25519.verify(Array(signature.dropLast()), of: [0x72], by: pair.publicKey))
        #expect(!Ed25519.verify(signature, of: [0x72], by: []))
        // A key of no order lets one signature fit everything.
        #expect(
            !Ed25519.verify(
                [UInt8](repeating: 0, count: 64), of: [], by: [1] + [UInt8](repeating: 0, count: 31)))
    }

    @Test("A request that comes again has the same hash, and that of another password another salt")
    func repeatable() {
        let (one, other) = ([UInt8](0..<64), [UInt8](1..<65))
        let hash = PasswordHash.makeRepeatable(one)
        #expect(PasswordHash.isHash(hash) && PasswordHash.makeRepeatable(one) == hash)
        #expect(PasswordHash.make(one) != PasswordHash.make(one))
        func salt(_ hash: String) -> Substring { hash.split(separator: "$")[2] }
        #expect(salt(PasswordHash.makeRepeatable(other)) != salt(hash))
        #expect(salt(hash).utf8.count == 16)
    }

    @Test("Keys as text")
    func text() throws {
        let key = try #require(FleetKey(bytes: [UInt8](0..<32)))
        #expect(key.text == "ed25519:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
        #expect(FleetKey(key.text) == key)
        #expect(key.id == "630dcd2966c43366")
        for wrong in [
            "", "ed25519:", "ed25519:AAEC", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", key.text + " ",
        ] {
            #expect(FleetKey(wrong) == nil)
        }
    }

    @Test("Private keys are PKCS#8 in PEM: the example of RFC 8410, section 10.3")
    func pem() throws {
        let text = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
            -----END PRIVATE KEY-----

            """
        let seed = try KeyPEM.decode(Array(text.utf8))
        #expect(seed == bytes("d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842"))
        #expect(KeyPEM.encode(seed: seed) == text)
        let publicKey = "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1"
        #expect(Ed25519.KeyPair(seed: seed)?.publicKey == bytes(publicKey))
        #expect(try KeyPEM.decode(Array(text.replacing("\n", with: "\r\n").utf8)) == seed)
        for wrong in [
            "", "-----BEGIN PRIVATE KEY-----", text.replacing("MC4", with: "MC5"),
            text.replacing("BEGIN", with: "START"),
            text.replacing("VhC", with: ""), text + text, text.replacing("K2Vw", with: "K2Vu"),
        ] {
            #expect(throws: KeyPEM.FormatError.self, "\(wrong)") { try KeyPEM.decode(Array(wrong.utf8)) }
        }
    }

    @Test("Base64 has one form")
    func base64() {
        #expect(Base64.decode("AAE=") == [0, 1])
        for wrong in ["AAE", "AAF=", "AAE=\n", "AA-_", "A"] { #expect(Base64.decode(wrong) == nil) }
    }

    @Test("The bytes that are signed are those of DSSE's own example")
    func preAuthentication() {
        let signed = SignedEnvelope.signedBytes(
            type: "http://example.com/HelloWorld", payload: Array("hello world".utf8))
        #expect(signed == Array("DSSEv1 29 http://example.com/HelloWorld 11 hello world".utf8))
    }
}
