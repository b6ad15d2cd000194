import Console
import Protocol
import Testing
import Texts

/// Phones and addresses as "adhanctl remote" shows them.
@Suite("Paired phones as text") struct PhonesTextTests {
    private func phone(
        _ id: String, _ name: String, role: String = "household", paired: String = "2026-11-24"
    )
        -> PhonesReply.Phone
    {
        .init(id: id, name: name, role: role, paired: paired, seen: "")
    }

    @Test("A table of phones, and what to type where there is none")
    func list() {
        let two = PhonesReply(phones: [phone("3f2a", "Kitchen"), phone("77b1", "\u{1B}[2J", role: "keeper")])
        #expect(
            PhonesText.list(two, .plain) == """
                ID    NAME       ROLE       PAIRED      LAST USED
                3f2a  Kitchen    household  2026-11-24  -
                77b1  \\u{1b}[2J  keeper     2026-11-24  -

                """)
        #expect(PhonesText.list(PhonesReply(phones: []), .plain).contains("adhanctl remote pair"))
    }

    @Test("A phone is named by its ID, or by a name that one phone alone has")
    func named() {
        let phones = [phone("3f2a", "Kitchen"), phone("77b1", "Office"), phone("90cc", "Kitchen")]
        #expect(PhonesText.named("90cc", in: phones)?.id == "90cc")
        #expect(PhonesText.named("Office", in: phones)?.id == "77b1")
        #expect(PhonesText.named("Kitchen", in: phones) == nil)
        #expect(PhonesText.named("", in: phones) == nil)
    }

    @Test("A new phone has arrived, and one of before with another role or name; nothing else has")
    func arrived() {
        let before = [phone("3f2a", "Kitchen")]
        #expect(PhonesText.arrived(since: before, in: before) == nil)
        #expect(PhonesText.arrived(since: before, in: before + [phone("77b1", "Office")])?.id == "77b1")
        #expect(
            PhonesText.arrived(since: before, in: [phone("3f2a", "Kitchen", role: "keeper")])?.id == "3f2a")
        #expect(PhonesText.arrived(since: before, in: []) == nil)
    }

    @Test("Numbers go before a name that ends in .local, and only before such a one")
    func addresses() {
        let named = PairingAddress("http://masjid.local:8790/r/pair", numbers: ["192.168.1.20", "10.0.0.2"])
        #expect(
            named.urls == [
                "http://192.168.1.20:8790/r/pair", "http://10.0.0.2:8790/r/pair",
                "http://masjid.local:8790/r/pair",
            ])
        #expect(named.pairing("00ff") == "http://192.168.1.20:8790/r/pair#00ff")
        for url in [
            "https://box.example.org/r/pair", "http://127.0.0.1:8790/r/pair", "http://[::1]:8790/r/pair",
            "nonsense",
        ] {
            #expect(PairingAddress(url, numbers: ["192.168.1.20"]).urls == [url])
        }
        #expect(PairingAddress("http://a.local:1/r/", numbers: []).urls == ["http://a.local:1/r/"])
    }

    @Test("In the box's own network the code leads to the door that takes the name of another network")
    func hotspot() {
        let address = PairingAddress(
            "http://adhan-1a2b3c.local:8790/r/pair", numbers: ["10.77.77.1"], isInHotspot: true)
        #expect(address.urls == ["http://10.77.77.1/r/pair"])
        #expect(address.pairing("00ff") == "http://10.77.77.1/r/pair#00ff")
    }
}
