import BoxCard
import Console
import Testing
import Texts

@Suite("pair.txt and box.txt")
struct CardPairingTests {
    @Test("A word of 8 characters or more, on one line; an empty file has none")
    func words() throws {
        #expect(try CardPairing(Array("# ours\n\n  Open Sesame \n".utf8)).word == PairingWord("open sesame"))
        for text in ["", "\n", "# only a remark\n"] { #expect(try CardPairing(Array(text.utf8)).word == nil) }
        for text in ["sesame\n", "open sesame\nopen sesame\n", String(repeating: "x", count: 61)] {
            #expect(throws: CardRefusal.self) { try CardPairing(Array(text.utf8)) }
        }
        #expect(throws: CardRefusal.self) {
            try CardPairing([0xFF, 0xFE, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41])
        }
    }

    @Test("The hand-over names the start; neither notes nor refusals repeat the word")
    func handOver() throws {
        let pairing = try CardPairing(Array("open sesame\n".utf8))
        #expect(pairing.handedOver(start: "s") == Array("s\nopen sesame\n".utf8))
        #expect(!pairing.notes.joined().contains("sesame"))
        let refusal = #expect(throws: CardRefusal.self) { try CardPairing(Array("secret\n".utf8)) }
        #expect(refusal?.lines.joined().contains("secret") == false)
    }

    @Test("box.txt: each key once, and its own values")
    func settings() throws {
        func read(_ text: String) throws(CardRefusal) -> CardSettings { try CardSettings(Array(text.utf8)) }
        let usual = try read("")
        #expect(usual.upgradesAdhand == .on && usual.hotspot == .auto && usual.phone == nil)
        let set = try read("HOTSPOT = off # quiet\nphone=off\n\nadhand-upgrades = off\n")
        #expect(set.upgradesAdhand == .off && set.hotspot == .off && set.phone == .off)
        let json = String(decoding: try JSON.encode(usual), as: UTF8.self)
        #expect(json == #"{"adhand-upgrades":"on","hotspot":"auto","phone":null}"#)
        for text in ["hotspot = on", "phone = auto", "phone", "wifi = on", "phone = on\nphone = on"] {
            #expect(throws: CardRefusal.self) { try read(text) }
        }
    }
}
