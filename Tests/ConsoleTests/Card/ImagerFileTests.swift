import Protocol
import Testing

@testable import BoxCard
@testable import Console
@testable import Texts

@Suite("What Raspberry Pi Imager writes onto a card")
struct ImagerFileTests {
    private static let names: [[UInt8]] = [
        Array("Our Mosque".utf8), Array("الجامع".utf8), Array("Café, #1".utf8), Array("a \"b\" c".utf8),
        Array("back\\slash".utf8), Array("key: value".utf8), Array("- *x".utf8), [0x20],
        Array("12345678901234567890123456789012".utf8),
    ]

    @Test("Every network comes back by its bytes", arguments: ImagerSample.Version.allCases, names)
    func networks(version: ImagerSample.Version, name: [UInt8]) throws {
        for psk in [nil, ImagerSample.key, "correct \"horse\" battery", "12345678"] {
            for isHidden in [false, true] {
                for country in [nil, "GB"] {
                    let sample = ImagerSample(
                        version: version, network: name, psk: psk, isHidden: isHidden, country: country)
                    let settings = try ImagerFile.networkConfig.read(sample.networkConfig)
                    let network = ImagerSettings.Network(
                        ssid: CardNetworks.hexadecimal(name), psk: psk, hidden: isHidden)
                    #expect(settings.wifi == [network] && settings.country == country)
                    #expect(settings.skipped.isEmpty && settings.hostname == nil && settings.keys.isEmpty)
                }
            }
        }
    }

    @Test("A name of bytes that are no text comes back as well")
    func octets() throws {
        let name: [UInt8] = [0, 0xFF, 0x09, 0x5C, 0x22, 0x41, 0x1B]
        let sample = ImagerSample(version: .oneUser, network: name, psk: ImagerSample.key)
        let settings = try ImagerFile.networkConfig.read(sample.networkConfig)
        #expect(settings.wifi.map(\.ssid) == ["00ff095c22411b"])
    }

    @Test("Users, names and zones are read, and everything else is skipped by its line")
    func users() throws {
        let two = [ImagerSample.ed25519 + " one@home", ImagerSample.ed25519 + " two"]
        for version in ImagerSample.Version.allCases {
            for (hostname, timezone) in [(nil, nil), ("masjid", "Europe/London"), ("a-1", nil)] {
                for keys in [[], Array(two.prefix(1)), two] {
                    for (keyboard, hash) in [(nil, nil), ("gb", "$5$abc$de.f/:")] {
                        for isFull in [false, true] {
                            let sample = ImagerSample(
                                version: version, hostname: hostname, timezone: timezone, keyboard: keyboard,
                                user: keys.isEmpty && hash == nil ? nil : "pi", passwordHash: hash,
                                keys: keys,
                                hasInterfaces: isFull, hasConnect: isFull)
                            try check(sample)
                        }
                    }
                }
            }
        }
    }

    private func check(_ sample: ImagerSample) throws {
        let text = sample.userData
        let settings = try ImagerFile.userData.read(text)
        #expect(settings.hostname == sample.hostname && settings.timezone == sample.timezone)
        #expect(settings.keys == sample.keys, "\(text)")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for skipped in settings.skipped {
            let line = lines[skipped.line - 1].drop { $0 == " " || $0 == "-" }
            #expect(line.hasPrefix(skipped.key + ":"), "\(skipped) in \(text)")
        }
        let keys = settings.skipped.map(\.key)
        #expect(keys.contains("packages") == (sample.hostname != nil), "\(keys)")
        #expect(keys.contains("apt") == (sample.hostname != nil))
        #expect(keys.contains("keyboard") == (sample.keyboard != nil))
        #expect(keys.contains("passwd") == (sample.passwordHash != nil))
        #expect(keys.contains("runcmd") == sample.hasConnect && keys.contains("rpi") == sample.hasInterfaces)
        #expect(!keys.contains("ssh_authorized_keys") && !keys.contains("users"))
    }

    @Test("The document is the one that programs read, with nothing left out")
    func document() throws {
        let sample = ImagerSample(network: Array("Hi".utf8), psk: "12345678", country: "GB")
        let settings = try ImagerFile.networkConfig.read(sample.networkConfig)
        #expect(
            String(decoding: try JSON.encode(settings), as: UTF8.self)
                == #"{"country":"GB","hostname":null,"keys":[],"skipped":[],"timezone":null,"#
                + #""wifi":[{"hidden":false,"psk":"12345678","ssid":"4869"}]}"#)
        let user = try ImagerFile.userData.read("packages:\n- a\nhostname: masjid\n")
        #expect(
            String(decoding: try JSON.encode(user), as: UTF8.self)
                == #"{"country":null,"hostname":"masjid","keys":[],"skipped":[{"key":"packages","line":1}],"#
                + #""timezone":null,"wifi":[]}"#)
        #expect(try JSON.decode(ImagerSettings.self, from: JSON.encode(settings)) == settings)
    }

    @Test("A summary for people has no password and no key")
    func summary() throws {
        let sample = ImagerSample(
            network: Array("Hi".utf8), psk: "a secret word", isHidden: true, country: "GB",
            hostname: "masjid",
            user: "pi", passwordHash: "$5$hash", keys: [ImagerSample.ed25519])
        let texts = try [
            ImagerFile.networkConfig.read(sample.networkConfig), ImagerFile.userData.read(sample.userData),
        ].flatMap(\.summary).map { "\($0.name): \($0.text)" }
        #expect(texts.contains("Wireless network: \"Hi\" (hidden)") && texts.contains("Public SSH keys: 1"))
        #expect(!texts.joined().contains("secret") && !texts.joined().contains("AAAA"))
        #expect(!texts.joined().contains("$5$"))
    }

    @Test(
        "Accepted forms beside Imager's own",
        arguments: [
            "", "# nothing\n", "\u{FEFF}#cloud-config\r\nhostname: masjid\r\n",
            "hostname: \"masjid\" # ours\n",
            "hostname: 'masjid'\n", "users: []\nhostname: masjid\n", "users: {}\nhostname: masjid",
            "users:\n  - default\n  - name: a\n    ssh_authorized_keys: []\n  - name: b\nhostname: masjid\n",
            "users:\n-\n  name: a\nhostname: masjid\n", "user: pi\nhostname: masjid\n",
            "runcmd:\n- [ sh, -c, \"touch /tmp/x\" ]\n\t\n  # remark\nhostname: masjid\n",
            "x: &a !b |\n  *c\n   \t<<: d\n  ---\n hostname: evil\nhostname: masjid\n",
        ])
    func accepted(text: String) throws {
        let settings = try ImagerFile.userData.read(text)
        #expect(settings.hostname == (text.contains("masjid") ? "masjid" : nil))
        #expect(settings.keys.isEmpty)
    }

    @Test("A key that no box reads is skipped whatever its letters are, and listed by a name of plain ones")
    func oddKeys() throws {
        let text =
            "my key with space: a\nvendor_data/x:\n  b: c\n\"quoted\\nkey\": d\nمسجد: e\n\"\": f\n"
            + String(repeating: "k", count: 80) + ": g\nuser:\n  odd key: h\nhostname : masjid\n"
        let settings = try ImagerFile.userData.read(text)
        #expect(settings.hostname == "masjid")
        #expect(
            settings.skipped.map(\.key) == [
                "my_key_with_space", "vendor_data_x", "quoted_nkey", "_", "_",
                String(repeating: "k", count: 64), "odd_key",
            ])
        #expect(settings.skipped.map(\.line) == [1, 2, 4, 5, 6, 7, 9])
    }

    @Test("Several networks are all read, and a cable needs none")
    func several() throws {
        let text = """
            network:
              version: 2
              ethernets:
                eth0: {}
              wifis:
                wlan0:
                  optional: true
                  access-points:
                    "One":
                      password: "12345678"
                    Two:
                      password: 'ab''
                    "Three": {}
            """
        #expect(throws: ImagerError.self) { try ImagerFile.networkConfig.read(text) }
        let good = text.replacing("'ab''", with: "'a\\\"bcdefg' # ours")
        let settings = try ImagerFile.networkConfig.read(good)
        #expect(settings.wifi.map(\.psk) == ["12345678", "a\\\"bcdefg", nil])
        let cable = "network:\n  version: 2\n  ethernets:\n    eth0:\n      dhcp4: true\n"
        #expect(try ImagerFile.networkConfig.read(cable).isEmpty)
    }

    @Test("What wpa_supplicant gets: the country, each network by its bytes, its key or its words")
    func configuration() throws {
        var sample = ImagerSample(
            network: Array("Hi".utf8), psk: ImagerSample.key, isHidden: true, country: "GB")
        let text = CardNetworks(try ImagerFile.networkConfig.read(sample.networkConfig)).configuration
        #expect(text.contains("country=GB\nnetwork={\n\tssid=4869\n\tscan_ssid=1\n"))
        #expect(text.contains("\tpsk=\(ImagerSample.key)\n}") && !text.contains("SAE"))
        (sample.psk, sample.isHidden) = ("words of eight", false)
        let words = CardNetworks(try ImagerFile.networkConfig.read(sample.networkConfig)).configuration
        #expect(words.contains("SAE") && words.contains("\tpsk=\"words of eight\"\n"))
        #expect(!words.contains("scan_ssid"))
    }

    @Test("A key in place of a password is in force until a phone or wifi.txt names the network again")
    func derivedKey() throws {
        var sample = ImagerSample(
            network: Array("Hi".utf8), psk: ImagerSample.key, isHidden: false, country: "GB")
        let settings = try ImagerFile.networkConfig.read(sample.networkConfig)
        #expect(settings.hasDerivedKey(in: CardNetworks(settings).configuration))
        let request = try #require(
            JoinRequest(ssid: "Hi", password: "words of eight", hidden: false, country: nil))
        #expect(!settings.hasDerivedKey(in: CardNetworks(request, country: "GB").configuration))
        #expect(!settings.hasDerivedKey(in: ""))
        sample.psk = "words of eight"
        let words = try ImagerFile.networkConfig.read(sample.networkConfig)
        #expect(!words.hasDerivedKey(in: CardNetworks(words).configuration))
    }
}
