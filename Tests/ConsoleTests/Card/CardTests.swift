import Testing

@testable import BoxCard
@testable import Console
@testable import Texts

@Suite("The files of a box's card")
struct CardTests {
    private static let text = "[adhan]\n# é\nvolume = 3\n"

    @Test("A text is the same however an editor writes it")
    func editors() {
        let windows = Self.text.replacing("\n", with: "\r\n")
        let units = Array(windows.utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for bytes in [
            Array(Self.text.utf8), Array(windows.utf8), [0xEF, 0xBB, 0xBF] + Array(windows.utf8),
            [0xFF, 0xFE] + little, [0xFE, 0xFF] + big, little, big,
        ] {
            #expect(String(decoding: CardText.plain(bytes), as: UTF8.self) == Self.text)
        }
        #expect(CardText.plain([]) == [] && CardText.plain([0xFF, 0xFE, 0x41]) == [])
    }

    @Test("Comments and empty lines are nothing; a line is something, whatever its bytes are")
    func nothing() {
        #expect(CardText.isEmpty([]) && CardText.isEmpty(Array("\n  # a\n\t\n#".utf8)))
        #expect(!CardText.isEmpty(Array("# a\nb".utf8)) && !CardText.isEmpty([0x00]))
        #expect(CardText.lines(Array("a\n\nb\n".utf8)).count == 3 && CardText.lines([]).isEmpty)
        #expect(throws: CardRefusal.self) {
            try CardText.checkLines(Array(String(repeating: "a\n", count: 501).utf8))
        }
        #expect(throws: Never.self) {
            try CardText.checkLines(Array(String(repeating: "a\n", count: 500).utf8))
        }
    }

    @Test("Networks become blocks in their order, each with its password or open")
    func networks() throws {
        let key = String(repeating: "0aF9", count: 16)
        let file = try CardNetworks(
            Array(
                "# ours\ncountry = sa\nNetwork = Our Mosque\npassword = correct \"horse\" #1\nnetwork=\"Café, #1\" # upstairs\nnetwork = Hall #2\npassword = \(key)\n"
                    .utf8))
        let text = file.configuration
        #expect(CardNetworks.names(in: Array(text.utf8)) == ["Our Mosque", "Café, #1", "Hall #2"])
        // As people write it, and as none is written.
        let own = "network={\n ssid=\"At home\"\n}\nnetwork={\n\tssid=41zz\n}\nnetwork={\n\tssid=4\n}\n"
        #expect(CardNetworks.names(in: Array(own.utf8)) == ["At home", "41zz", "4"])
        #expect(CardNetworks.names(in: []).isEmpty)
        #expect(
            text.hasPrefix(
                "ctrl_interface=/run/wpa_supplicant\ncountry=SA\nnetwork={\n\tssid=4f7572204d6f73717565\n"))
        #expect(text.contains("\tpsk=\"correct \"horse\" #1\"\n") && text.contains("\tpsk=\(key)\n}"))
        #expect(text.contains("ssid=436166c3a92c202331\n\tscan_ssid=1\n\tkey_mgmt=NONE\n}"))
        #expect(text.split(separator: "network={").count == 4)
    }

    @Test(
        "What is wrong in wifi.txt is named by its line, and a secret nowhere",
        arguments: [
            ("network = a\npassword = short", "line 2: a password has 8 to 63"),
            ("network = a\npassword = passwörter", "line 2: a password has 8 to 63"),
            ("password = long enough", "line 1: the line with the network comes before"),
            ("network Our Mosque", "line 1: is none of network = NAME"),
            ("network = ", "line 1: the name of a network has 1 to 32 bytes"),
            ("\nnetwork = 123456789012345678901234567890123", "line 2: the name of a network has 1 to 32"),
            ("country = GER", "line 1: a country is two letters"),
            ("ssid = a", "line 1: only network, password and country"),
            ("network = “a”", "line 1: this is no quote"),
            ("network = \"a\" b", "line 1: behind a value in quotes"),
            ("network = \"a", "line 1: behind a value in quotes"), ("# nothing", "no network is named"),
        ])
    func wrongNetworks(text: String, expected: String) throws {
        let refusal = try #require(throws: CardRefusal.self) { try CardNetworks(Array(text.utf8)) }
        #expect(refusal.lines.count == 1 && refusal.lines[0].hasPrefix(expected), "\(refusal)")
        #expect(!refusal.lines[0].contains("short") && !refusal.lines[0].contains("long enough"))
    }

    @Test("A letter in no UTF-8 is named by its line")
    func encoding() {
        let text = Array("country = FR\nnetwork = Caf".utf8) + [0xE9, 0x0A]
        #expect(
            throws: CardRefusal("line 2: a letter here is in no UTF-8: save the file with the encoding UTF-8")
        ) { try CardNetworks(text) }
    }

    @Test(
        "A recording is known by its name without signs, in a folder by its prayer",
        arguments: [
            ("Our Adhan (Makkah).mp3", "our-adhan-makkah", nil), ("our-signal.MP3", "our-signal", nil),
            ("v1.2 Live/Fajr.mp3", "v1-2-live", Prayer.fajr), ("أذان.mp3", "أذان", nil),
            ("(1).mp3", "1", nil),
            ("our.signal.mp3", "our-signal", nil), ("makkah/adhan.mp3", "makkah", nil),
            ("_a_b.mp3", "a_b", nil),
        ] as [(String, String, Prayer?)])
    func sounds(file: String, sound: String, prayer: Prayer?) throws {
        let place = try CardNames.place(of: CardNames.sound(file))
        #expect(place.sound == sound && place.prayer == prayer)
    }

    @Test("A name of signs alone is refused, and so is a file of a sound's folder that is no prayer's")
    func wrongSounds() {
        for (file, expected) in [
            ("---.mp3", "neither a letter"), ("---/fajr.mp3", "neither a letter"),
            ("a/b.mp3", "there are fajr.mp3"),
        ] {
            let refusal = #expect(throws: CardRefusal.self) { try CardNames.place(of: CardNames.sound(file)) }
            #expect(refusal?.lines.first?.contains(expected) == true)
        }
    }

    @Test(
        "What was meant for the box and has another name is reported; what is the firmware's is not",
        arguments: [
            ("adhand.toml", false, nil), ("ADHAND.TOML", false, nil), ("sounds", true, nil),
            ("adhand.toml", true, "are to be files"), ("sounds", false, "sounds is to be a folder"),
            ("adhand.toml.txt", false, "is to be called adhand.toml,"),
            ("wifi.txt.txt", false, "called wifi.txt,"),
            ("mosque.mp3", false, "goes into the folder"), ("timetable 2027.csv", false, "saved as CSV"),
            ("times.xlsx", false, "saved as CSV"), ("wifi.rtf", false, "plain text called wifi.txt"),
            ("adhan", true, "recordings go into"), ("display.txt", false, "called display.toml"),
            ("id_ed25519.pub", false, "called authorized_keys"), ("config.txt", false, nil),
            ("overlays", true, nil),
            ("sound", true, "recordings go into"), ("sound", false, nil),
        ] as [(String, Bool, String?)])
    func strays(name: String, isFolder: Bool, expected: String?) {
        let why = CardNames.notRead(name, isFolder: isFolder)
        #expect(
            why == nil ? expected == nil : expected.map { why?.contains($0) == true } == true,
            "\(why ?? "nothing")")
    }

    @Test("What computers leave in folders is passed over")
    func computers() {
        for name in [
            "Thumbs.db", "desktop.ini", "._a.mp3", ".Trashes", "System Volume Information", "$RECYCLE.BIN",
            "readme.txt",
        ] {
            #expect(CardNames.isOfAComputer(name))
        }
        #expect(!CardNames.isOfAComputer("adhan.mp3"))
    }

    @Test("A record has a bounded number of lines of details, and says how many more there are")
    func records() throws {
        let many = (1...100).map { "line \($0)" }
        let imported = CardRecord("adhand.toml", .taken, many)
        #expect(imported.details.count == 31 && imported.details.last == "and 70 lines more")
        #expect(CardRecord("adhand.toml", .refused, many).details.count == 21)
        let user = CardRecord("user-data", .taken, many)
        #expect(user.details == many && user.isLong && !imported.isLong)
        var report = CardReport()
        report.records = [user, CardRecord("wifi.txt", .refused, ["line 2: wrong"])]
        let text = report.text
        let (wifi, list) = (text.firstRange(of: "wifi.txt"), text.firstRange(of: "    line 1\n"))
        #expect(try #require(wifi).lowerBound < (try #require(list)).lowerBound)
        #expect(text.contains("    line 100\n"))
        #expect(try JSON.decode(CardRecord.self, from: JSON.encode(imported)) == imported)
    }

    @Test(
        "The report has one size, the place first, what is refused before what is not, and no hidden character"
    )
    func report() throws {
        var report = CardReport()
        report.hostname = "adhan-012345"
        report.networks = ["ho\u{1B}]0;x\u{7}\u{202E}\u{E0041}me"]
        report.records = (0..<160).map {
            CardRecord("sounds/\($0).mp3", $0 < 60 ? .refused : .taken, ["why \($0)"])
        }
        report.records.append(CardRecord("wifi.txt", .emptied))
        report.strays = [("wifi.rtf", ": no.")]
        let bytes = report.file
        #expect(bytes.count == CardReport.size)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("What adhand made of this card\r\n\r\nThis box is adhan-012345"))
        #expect(
            text.contains("calls nothing") && text.contains("\"ho]0;xme\"")
                && text.contains("wifi.rtf is not read: no."))
        #expect(text.contains("wifi.txt                 is empty; the previous settings stay in force\r\n"))
        #expect(
            text.contains("sounds/59.mp3            NOT taken over")
                && text.contains("sounds/99.mp3            taken over"))
        #expect(
            !text.contains("sounds/100.mp3 ") && text.contains("sounds                   60 more taken over"))
        report.strays = (0..<600).map { ("stray-\($0)", ": \(String(repeating: "x", count: 60))") }
        let full = String(decoding: report.file, as: UTF8.self)
        #expect(
            full.utf8.count == CardReport.size && full.contains("and more, for which there is no room here"))
        report.damage = .init(code: "remade")
        #expect(CardReport.Damage(code: "made again") == .remade && CardReport.Damage(code: "x") == nil)
        report.standing = .noClock
        #expect(
            report.text.contains("PROBLEM: the part of the card for settings was damaged, and is made again"))
        #expect(report.text.contains("PROBLEM: the time is not known"))
    }
}
