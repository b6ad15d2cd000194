import BoxCard
import Console
import Protocol
import Testing

@Suite("A network that the box tries to join")
struct JoinVerdictTests {
    private func verdict(_ log: String, hasAddress: Bool = false) -> NetworkDocument.Failure? {
        JoinVerdict.failure(log.split(separator: "\n"), hasAddress: hasAddress)
    }

    private let wrong =
        "wlan0: CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid=\"x\" auth_failures=1 duration=10 reason=WRONG_KEY\n"

    @Test("What wpa_supplicant said last counts; a name with such words in it says nothing")
    func reasons() {
        #expect(verdict("") == .notFound && verdict("wlan0: CTRL-EVENT-NETWORK-NOT-FOUND\n") == .notFound)
        #expect(verdict("CTRL-EVENT-SCAN-RESULTS\n" + wrong) == .wrongPassword)
        #expect(verdict("wlan0: CTRL-EVENT-ASSOC-REJECT bssid=02:00 status_code=31\n") == .refused)
        #expect(
            verdict(wrong + "wlan0: CTRL-EVENT-CONNECTED - Connection to 02:00 completed\n") == .noAddress)
        #expect(verdict("wlan0: CTRL-EVENT-CONNECTED - x\n" + wrong) == .wrongPassword)
        #expect(verdict(wrong, hasAddress: true) == nil)
        #expect(
            verdict("wlan0: CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid=\"x\" reason=CONN_FAILED\n") == .notFound)
        for name in ["CTRL-EVENT-CONNECTED", "x reason=WRONG_KEY", "CTRL-EVENT-ASSOC-REJECT"] {
            let trying = "wlan0: Trying to associate with 02:00 (SSID='\(name)' freq=2412 MHz)\n"
            #expect(verdict(trying) == .notFound)
            #expect(
                verdict("wlan0: CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid=\"\(name)\" reason=CONN_FAILED\n")
                    == .notFound)
        }
    }

    @Test("A network of WPA3 says by status 15 or 1 of the second SAE message that the password is wrong")
    func wrongPasswordOfWPA3() {
        func rejected(_ type: Int, _ transaction: Int, _ status: Int) -> String {
            "wlan0: CTRL-EVENT-AUTH-REJECT 02:00:00:00:01:00 auth_type=\(type) auth_transaction=\(transaction) status_code=\(status)\n"
        }
        let failed =
            "wlan0: CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid=\"x\" auth_failures=1 duration=10 reason=CONN_FAILED\n"
        #expect(verdict(rejected(3, 2, 15)) == .wrongPassword)
        #expect(verdict(rejected(3, 2, 15) + rejected(3, 2, 15) + failed) == .wrongPassword)
        #expect(verdict(rejected(3, 1, 77)) == .refused && verdict(rejected(3, 2, 150)) == .refused)
        #expect(verdict(rejected(0, 2, 15)) == .refused && verdict(rejected(3, 1, 1)) == .refused)
        // As wpa_supplicant 2.10 answers where it is the network.
        #expect(verdict(rejected(3, 2, 1) + failed) == .wrongPassword)
        #expect(verdict(rejected(3, 2, 15) + "wlan0: CTRL-EVENT-CONNECTED - x\n") == .noAddress)
    }

    /// Flags of a network, the password that was typed, and what is said where wpa_supplicant tried nothing.
    static let untried: [(String, String?, NetworkDocument.Failure)] = [
        // WPA3 alone, where the radio cannot do it; a company's; roaming alone; WEP; none that is known.
        ("[WPA2-SAE-CCMP][SAE-H2E][ESS]", "our password", .refused),
        ("[WPA2-SAE-EXT-KEY-GCMP-256][ESS]", "our password", .refused),
        ("[WPA2-EAP-CCMP][ESS]", "our password", .refused),
        ("[WPA2-FT/PSK-CCMP][ESS]", "our password", .refused),
        ("[WEP][ESS]", "our password", .refused), ("[WPA2-?][ESS]", "our password", .refused),
        ("[WPA2-OWE-CCMP][ESS]", nil, .refused),
        // An open one with a password, a secured one without.
        ("[ESS]", "our password", .refused), ("[WPS][ESS]", "our password", .refused),
        ("[WPA2-PSK-CCMP][ESS]", nil, .refused), ("[WEP][ESS]", nil, .refused),
        // The key that Imager stores, in one of WPA3 alone.
        ("[WPA2-SAE-CCMP][ESS]", String(repeating: "0a", count: 32), .refused),
        // One that it opens is away by now, or was too weak.
        ("[WPA2-PSK-CCMP][ESS]", "our password", .notFound),
        ("[WPA-PSK-TKIP][ESS]", "our password", .notFound),
        ("[WPA2-PSK+PSK-SHA256+SAE-CCMP-preauth][ESS]", "our password", .notFound),
        ("[WPA-PSK-CCMP+TKIP][WPA2-PSK-CCMP+TKIP][ESS]", String(repeating: "0a", count: 32), .notFound),
        ("[WPA2-PSK-SHA256-CCMP][ESS]", "our password", .notFound), ("[ESS]", nil, .notFound),
        ("[OWE-TRANS-OPEN][ESS]", nil, .notFound),
    ]

    @Test(
        "A network that was seen, and that the password does not open, refuses the box: it is not away",
        arguments: untried)
    func closed(flags: String, password: String?, expected: NetworkDocument.Failure) {
        let asked = AskedNetwork(name: "Café", country: nil, secret: NetworkSecret(password))
        let other = "02:02\t2437\t-50\t[WPA2-EAP-CCMP][ESS]\tOther\n"
        let own = "02:01\t2412\t-60\t\(flags)\tCaf\\xc3\\xa9\n"
        func verdict(_ log: String, _ scan: String) -> NetworkDocument.Failure? {
            JoinVerdict.failure(
                log.split(separator: "\n"), hasAddress: false, asked: asked, seen: ScanResults.read(scan))
        }
        #expect(verdict("wlan0: CTRL-EVENT-SCAN-RESULTS\n", other + own) == expected)
        // One that was not seen is away, and what wpa_supplicant says comes first.
        #expect(verdict("", other) == .notFound && verdict("", "") == .notFound)
        #expect(
            verdict(wrong, own) == .wrongPassword
                && verdict("wlan0: CTRL-EVENT-CONNECTED - x\n", own) == .noAddress)
        #expect(
            verdict("wlan0: SME: Trying to authenticate with 02:01 (SSID='x' freq=2412 MHz)\n", own)
                == .notFound)
        // Several of one name are one network.
        #expect(
            verdict("", own + "02:03\t2412\t-80\t[WPA2-PSK-CCMP][ESS]\tCaf\\xc3\\xa9\n")
                == (password == nil ? expected : .notFound))
    }

    @Test("A password is asked for where every network of the name has one")
    func passwords() {
        func isSecured(_ flags: String...) -> [Bool] {
            let lines = flags.enumerated().map { "02:0\($0)\t2412\t-\(40 + $0)\t\($1)\tOurs\n" }.joined()
            return ScanResults.networks(ScanResults.read(lines)).map(\.secured)
        }
        for flags in ["[WPA2-PSK-CCMP][ESS]", "[WPA2-SAE-CCMP][ESS]", "[WPA2-EAP-CCMP][ESS]", "[WEP][ESS]"] {
            #expect(isSecured(flags) == [true] && isSecured(flags, "[WPA-PSK-TKIP][ESS]") == [true])
            #expect(isSecured(flags, "[ESS]") == [false] && isSecured("[ESS]", flags) == [false])
        }
        #expect(isSecured("[ESS]") == [false] && isSecured("[WPS][ESS]") == [false])
        #expect(isSecured("[WPA2-OWE-CCMP][ESS]") == [false] && isSecured("[OWE-TRANS-OPEN][ESS]") == [false])
    }

    @Test("Channel 1, 6 or 11, the one with the least signal around")
    func channel() {
        func seen(_ megahertz: Int, _ signal: Int) -> String { "02:00\t\(megahertz)\t\(signal)\t[ESS]\tx\n" }
        func channel(_ lines: String...) -> Int {
            ScanResults.channel(
                ScanResults.read("bssid / frequency / signal level / flags / ssid\n" + lines.joined()))
        }
        #expect(channel(seen(2412, -40), seen(2437, -80)) == 11)
        #expect(channel(seen(2412, -80), seen(2437, -40), seen(2462, -60)) == 1)
        // Many weak ones are less than a strong one.
        #expect(
            channel(seen(2412, -30), seen(2437, -70), seen(2437, -71), seen(2437, -72), seen(2462, -50)) == 6)
        // 5 GHz is elsewhere, and what lies between two counts for both.
        #expect(
            channel(seen(5180, -10), seen(2417, -40), seen(2452, -40)) == 6 || channel(seen(2427, -40)) == 11)
        #expect([1, 6, 11].contains(channel()))
    }

    @Test("Names as they are, each once, the strongest first; lines that are none are passed over")
    func networks() {
        let text =
            "bssid / frequency / signal level / flags / ssid\n02:01\t2412\t-70\t[WPA2-PSK-CCMP][ESS]\tOurs\n02:02\t2437\t-40\t[ESS]\tCaf\\xc3\\xa9\n"
            + "02:03\t5180\t-50\t[WPA2-PSK+SAE-CCMP][ESS]\tOurs\n02:04\t2412\t-20\t[ESS]\t\nnonsense\n02:05\tx\t-1\t[]\ty\n02:06\t2412\t-60\t[WEP]\ta\\\\b\\\"\\t\n"
        let found = ScanResults.networks(ScanResults.read(text))
        #expect(
            found == [
                .init(ssid: "Café", signal: -40, secured: false),
                .init(ssid: "Ours", signal: -50, secured: true),
                .init(ssid: "a\\b\"", signal: -60, secured: true),
            ])
        let many = (0..<100).map { "02:01\t2412\t-70\t[ESS]\tn\($0)\n" }.joined()
        #expect(ScanResults.networks(ScanResults.read(many)).count == 40)
    }

    @Test("A name and a password cannot leave their lines in wpa_supplicant's configuration")
    func configuration() throws {
        let request = try #require(
            JoinRequest(ssid: "a\"b}c", password: "p\"}#\\x word", hidden: false, country: "DE"))
        let text = CardNetworks(request, country: "GB").configuration
        #expect(
            text.contains("\tssid=6122627d63\n") && text.contains("\tpsk=\"p\"}#\\x word\"\n")
                && text.contains("country=DE\n") && !text.contains("GB"))
        // A phone that corrects a password leaves the country empty.
        let other = try #require(JoinRequest(ssid: "x", password: nil, hidden: false, country: nil))
        #expect(CardNetworks(other, country: "GB").configuration.contains("\ncountry=GB\nnetwork="))
        #expect(!CardNetworks(other, country: nil).configuration.contains("country"))
        #expect(text.split(separator: "\n").count == 8)
        #expect(JoinRequest(ssid: "x", password: "12345678\n}", hidden: false, country: nil) == nil)
        let hotspot = HotspotNetwork(name: "adhan-1a2b3c", key: "k7m2-9qxd-4wtp", channel: 11, country: nil)
            .configuration
        #expect(
            hotspot.contains("\tpsk=\"k7m2-9qxd-4wtp\"\n") && hotspot.contains("frequency=2462")
                && hotspot.contains("country=00\n"))
    }
}
