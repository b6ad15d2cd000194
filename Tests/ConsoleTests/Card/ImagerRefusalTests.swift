import Testing

@testable import BoxCard
@testable import Console

@Suite("Files on a card that Raspberry Pi Imager did not write")
struct ImagerRefusalTests {
    /// `%` is the beginning of Imager's own file, up to the names of networks; `@` the same with the spaces before a name.
    private static let head = "network:\n  version: 2\n  wifis:\n    wlan0:\n      access-points:\n"
    private static let networks: [(String, Int)] = [
        ("network:\n", 1), ("network: {}\nnetworks: {}\n", 2), ("version: 2\n", 1),
        ("network:\n  version: 1\n", 2), ("network:\n  wifis: {}\n", 1),
        ("network:\n  version: 2\n  renderer: networkd\n", 3),
        ("network:\n  version: 2\n  version: 2\n", 3),
        ("network:\n  version: 2\n  ethernets:\n    eth0:\n      dhcp4: false\n", 5),
        ("network:\n  version: 2\n  ethernets:\n    eth0:\n      addresses: []\n", 5),
        ("network:\n  version: 2\n  wifis:\n    wlan1:\n      dhcp4: true\n", 4),
        ("network:\n  version: 2\n  wifis:\n    wlan0:\n      dhcp4: yes\n", 5),
        ("network:\n  version: 2\n  wifis:\n    wlan0:\n      dhcp4: \"true\"\n", 5),
        ("network:\n  version: 2\n  wifis:\n    wlan0:\n      regulatory-domain: \"GBR\"\n", 5),
        ("network:\n  version: 2\n  wifis:\n    wlan0:\n      regulatory-domain: \"G\\\"\"\n", 5),
        ("@", 5), ("@\"A\":\n", 6), ("@\"A\":\n          hidden: true\n", 6),
        ("@\"A\"\n", 6), ("@\"A\": b\n", 6), ("@\"A\":b\n", 6),
        ("@\"A\": {}\n        \"A\": {}\n", 7), ("@\"\": {}\n", 6),
        ("@\"123456789012345678901234567890123\": {}\n", 6),
        ("@\"A\\\": {}\n", 6), ("@\"A\u{1B}\": {}\n", 6),
        ("@\"A\":\n          password: \"short\"\n", 7),
        ("@\"A\":\n          password: \"passwörter\"\n", 7),
        (
            "@\"A\":\n          password: \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"\n",
            7
        ),
        ("@\"A\":\n          password: \"long enough\n", 7),
        ("@\"A\":\n          password:\n", 7), ("@\"A\":\n          hidden:\n", 7),
        ("@\"A\":\n          bssid: x\n", 7), ("@\"A\":\n          auth: {}\n", 7),
        ("@\"A\":\n          auth:\n            key-management: eap\n", 7),
        ("%       \"A\": {}\n      \"B\": {}\n     c: d\n", 7), ("%      - \"A\"\n", 5),
        ("@- \"A\"\n", 6),
    ]
    private static let users: [(String, Int)] = [
        ("hostname: a\nhostname: b\n", 2), ("packages:\n- a\npackages: b\n", 3), ("hostname:\n", 1),
        ("hostname: \n  masjid\n", 1), ("\thostname: a\n", 1), ("hostname:\ta\n", 1),
        ("hostname: a\tb\n", 1), ("hostname: &x a\n", 1), ("hostname: *x\n", 1), ("hostname: !!str a\n", 1),
        ("&x hostname: a\n", 1), ("<<: *x\n", 1), ("hostname: [a]\n", 1), ("{hostname: a}\n", 1),
        ("hostname: {a: b}\n", 1), ("hostname: |\n  a\n", 1), ("hostname: >-\n  a\n", 1),
        ("---\nhostname: a\n", 1), ("hostname: a\n---\nhostname: b\n", 2), ("hostname: a\n...\n", 2),
        ("x: |\n  a\n---\nhostname: b\n", 3), ("hostname: a\n  b\n", 2), ("  hostname: a\nx: b\n", 1),
        ("hostname: \"a\n", 1), ("hostname: \"a\" b\n", 1), ("hostname: a: b\n", 1), ("hostname a\n", 1),
        ("- hostname: a\n", 1), ("? hostname\n: a\n", 1), ("#!/bin/sh\ntouch x\n", 2),
        ("hostname: a b\n", 1), ("hostname: -a\n", 1), ("hostname: a-\n", 1), ("hostname: a_b\n", 1),
        ("hostname: a.b\n", 1), ("hostname: مسجد\n", 1), ("hostname: $(x)\n", 1), ("hostname: null\n", 1),
        ("hostname: a123456789012345678901234567890123456789012345678901234567890123\n", 1),
        ("hostname: a\u{1B}[0m\n", 1),
        ("timezone: Mars/Crater\n", 1), ("timezone: ../../etc/passwd\n", 1), ("timezone: \"\"\n", 1),
        ("timezone: /etc/passwd\n", 1), ("runcmd: a\r\rhostname: b\nzone\n", 2), ("users:\nhostname: a\n", 1),
        ("users:\n  name: a\n", 1),
        ("users:\n- name: a\n  name: b\n", 3), ("users:\n- name: a\n    b: c\n d: e\n", 4),
        ("users:\n-\nhostname: a\n", 2), ("user:\nhostname: a\n", 1), ("user:\n- name: a\n", 1),
        ("user: []\n", 1),
    ]

    @Test("user-data is refused as a whole, by the line", arguments: users)
    func userData(text: String, line: Int) throws {
        let error = try #require(throws: ImagerError.self) { try ImagerFile.userData.read(text) }
        #expect(error.line == line, "\(error)")
        #expect(!error.reason.contains("passwd") && !error.reason.isEmpty)
    }

    @Test(
        "A key that is none, or that begins with a command, is refused and not repeated",
        arguments: [
            "AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQF", "command=\"touch /tmp/x\" \(ImagerSample.ed25519)",
            "ssh-ed25519", "ssh-ed25519 ", "ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQF", "ssh-ed25519 AAAA",
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5", "-----BEGIN OPENSSH PRIVATE KEY-----", "[a, b]", "", "- x",
            "ssh-ed25519  AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g", "x: y",
            "\(ImagerSample.ed25519) \u{202E}evil", "*x", "&x \(ImagerSample.ed25519)",
        ])
    func keys(key: String) throws {
        for start in [
            "users:\n- name: pi\n  ssh_authorized_keys:\n", "user:\n  a: b\n  ssh_authorized_keys:\n",
        ] {
            let text = start + "    - \(ImagerSample.ed25519) one\n    - \(key)\n"
            let error = try #require(throws: ImagerError.self) { try ImagerFile.userData.read(text) }
            #expect(error.line == 5, "\(error)")
            #expect(!error.reason.contains("touch") && !error.reason.contains("PRIVATE"))
        }
    }

    @Test("network-config is refused as a whole, by the line", arguments: networks)
    func networkConfig(text: String, line: Int) throws {
        let error = try #require(throws: ImagerError.self) {
            try ImagerFile.networkConfig.read(
                text.replacing("@", with: "%        ").replacing("%", with: Self.head))
        }
        #expect(error.line == line, "\(error)")
        for secret in ["short", "passwörter", "long enough", "xxx"] {
            #expect(!error.reason.contains(secret))
        }
    }

    @Test("The advice for a password that no network of WPA2 has is nothing that wifi.txt refuses as well")
    func passwordAdvice() throws {
        for password in ["passwörter", "short"] {
            let text = Self.head + "        \"A\":\n          password: \"\(password)\"\n"
            let error = try #require(throws: ImagerError.self) { try ImagerFile.networkConfig.read(text) }
            let sentence = error.message + ImagerFile.networkConfig.consequence(of: error)
            #expect(sentence.contains("8 to 63") && !sentence.contains("wifi.txt"), "\(sentence)")
        }
        let other = try #require(throws: ImagerError.self) { try ImagerFile.networkConfig.read("x: y\n") }
        #expect(ImagerFile.networkConfig.consequence(of: other).contains("wifi.txt"))
    }

    @Test("Bytes that are no UTF-8, and files of a size that Imager does not write, are refused for that")
    func bytes() throws {
        let units = "hostname: a\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for file in [[0xFF, 0xFE] + units, units, Array("a: b\nx: ".utf8) + [0xE9]] {
            let error = #expect(throws: ImagerError.self) { try ImagerFile.userData.read(file) { _ in true } }
            #expect(error?.reason.contains("UTF-8") == true)
        }
        let most = "x: " + String(repeating: "a", count: ImagerFile.mostBytes - 4) + "\n"
        #expect(try ImagerFile.userData.read(most).skipped.count == 1)
        let error = #expect(throws: ImagerError.self) { try ImagerFile.userData.read(most + "\n") }
        #expect(error?.line == nil && error?.reason.contains("16 KB") == true)
    }

    @Test("A million aliases of aliases are nothing but text that is skipped or refused")
    func aliases() throws {
        let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: &d [*c, *c]\n"
        #expect(try ImagerFile.userData.read(bomb + "hostname: masjid\n").hostname == "masjid")
        #expect(throws: ImagerError.self) { try ImagerFile.networkConfig.read(bomb) }
        #expect(throws: ImagerError.self) { try ImagerFile.userData.read(bomb + "hostname: *d\n") }
    }
}
