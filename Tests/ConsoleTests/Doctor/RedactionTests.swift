import Announcements
import BoxSupport
import Daemon
import Testing

@testable import Settings
@testable import Texts

@Suite("What a bug report leaves out")
struct RedactionTests {
    static let redaction = Redaction(
        hosts: ["masjid-box.example.org", "masjid-box"], users: ["zaynab", "ali", "Zaynab Al-Amin", "root"],
        homes: ["/home/zaynab", "/srv/people/ali", "/root", "/"], coordinates: [40.7282, -73.7949, 21.5])

    static let cases: [(String, String)] = [
        ("cannot read \"/home/zaynab/adhan.mp3\": no", "cannot read \"~/adhan.mp3\": no"),
        ("/home/zaynab", "~"), ("/home/somebody.else-2/x", "~/x"), ("/srv/people/ali/x.mp3", "~/x.mp3"),
        ("under /home/ and /root", "under /home/ and /root"), ("/root/.config", "/root/.config"),
        ("ended by zaynab, ZAYNAB and (ali)", "ended by (user), (user) and ((user))"),
        ("alignment, zaynabs, alibi: not ali's", "alignment, zaynabs, alibi: not (user)'s"),
        ("/media/zaynab/USB", "/media/(user)/USB"), ("Zaynab Al-Amin's box", "(user)'s box"),
        ("on masjid-box: started", "on (host): started"), ("masjid-box.example.org said", "(host) said"),
        ("Masjid-Box.local.", "(host)."), ("masjid-boxes", "masjid-boxes"),
        ("from 192.168.1.20:8080, 10.0.0.1.", "from (address):8080, (address)."),
        ("alsa-lib 1.2.8, 1.31.2, v1.2.3.4, 300.1.1.1", "alsa-lib 1.2.8, 1.31.2, v1.2.3.4, 300.1.1.1"),
        ("fe80::1ff:fe23:4567:890a%eth0 and ::1", "(address)%eth0 and (address)"),
        ("2001:db8:0:0:0:0:0:1", "(address)"), ("Foo::bar, std::string", "Foo::bar, std::string"),
        ("bluealsa:DEV=AA:BB:CC:DD:EE:0F,PROFILE=a2dp", "bluealsa:DEV=(address),PROFILE=a2dp"),
        (
            "bluez_sink.AA_BB_CC_DD_EE_0F.a2dp, dev_AA_BB_CC_DD_EE_0F",
            "bluez_sink.(address).a2dp, dev_(address)"
        ),
        ("aa-bb-cc-dd-ee-0f", "(address)"),
        (
            "2026-11-20T14:31:00.000-05:00 fajr_20261120 05:28:00",
            "2026-11-20T14:31:00.000-05:00 fajr_20261120 05:28:00"
        ),
        ("started for 40.7282, -73.7949, configuration", "started for 40.7, -73.8, configuration"),
        ("started for 51.5194, -0.0657, configuration", "started for 51.5, -0.1, configuration"),
        ("latitude = 40.7282", "latitude = 40.7"), ("would fit 73.7949", "would fit 73.7949"),
        ("hw:1,0 at 21.5 and 121.52, 8.7282 s", "hw:1,0 at 21.5 and 121.52, 8.7282 s"),
        ("root, ä, 東京 and 🕌 stay", "root, ä, 東京 and 🕌 stay"), ("", ""),
    ]

    @Test("Names, homes, addresses and fine coordinates go; everything else stays", arguments: cases)
    func redacted(_ text: String, _ expected: String) {
        #expect(Self.redaction.applied(to: text) == expected)
    }

    @Test("Who asks for the exact place gets it, and still no names")
    func exact() {
        let redaction = Redaction(users: ["zaynab"], rounding: false)
        #expect(redaction.applied(to: "zaynab at 40.7282, -73.7949") == "(user) at 40.7282, -73.7949")
    }

    @Test("Names that are adhand's own words are no secret, and stay readable")
    func ownWords() {
        let redaction = Redaction(hosts: ["adhand", "a"], users: ["adhan", "audio"])
        #expect(redaction.applied(to: "adhand: adhan, audio, a") == "adhand: adhan, audio, a")
    }

    @Test("Coordinates are rounded in the configuration, the place's name stays")
    func configuration() {
        var config = Config.default
        config.location = ConfiguredLocation(name: "Queens", latitude: 40.7282, longitude: -73.7949)
        #expect(
            config.withRoundedLocation.location
                == ConfiguredLocation(name: "Queens", latitude: 40.7, longitude: -73.8))
        #expect(Config.default.withRoundedLocation == .default)
    }

    @Test(
        "The daemon's own report has the configuration, what is armed and what happened, and no fine coordinates"
    )
    func daemon() throws {
        var config = Config.default
        config.location = ConfiguredLocation(latitude: 40.7282, longitude: -73.7949)
        var box = try Box(config: config)
        try box.run(until: "2026-11-20T14:00:00-05:00")
        let text = box.state.diagnostics(at: box.now, exact: false)
        for part in [
            "latitude = 40.7 ", "timers\n", "daemon.started: ", "place: 40.7, -73.8",
            "switches: as configured",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("40.7282"))
        #expect(box.state.diagnostics(at: box.now, exact: true).contains("place: 40.7282, -73.7949"))
    }
}
