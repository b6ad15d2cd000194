import PrayerEngine
import Testing
import Texts

@testable import Settings

@Suite("A schema of somebody else's settings")
struct SchemaTests {
    private struct Screen: Sendable, Equatable {
        var name = "hall"
        var rooms: [Room] = []
        var labels: [String: String] = [:]
        var width: Double?
    }

    private struct Room: Sendable, Equatable {
        var name = ""
        var seats = 10
    }

    private static let schema = Schema<Screen>(
        initial: Screen(),
        parts: [
            .section(
                .init(path: [], keys: [.text("name", .text(.label), \.name, "for people")])),
            .section(
                .init(
                    path: ["screen"],
                    keys: [
                        .number(
                            "width", 1...9, "metres", example: 2, "", get: { $0.width },
                            set: { $0.width = $1 }),
                        .tables(
                            "room", \.rooms,
                            of: [
                                .text("name", .text(.label), \.name, ""),
                                .integer("seats", 1...500, "seats", \.seats, ""),
                            ], blank: Room(), required: ["name"], "",
                            fault: { $0["seats"] == .integer(13) ? ("seats", "brings no luck") : nil }),
                        .entries(
                            "label", .text(.label),
                            names: .other(
                                .init(
                                    allowed: "two letters",
                                    fault: { $0.utf8.count == 2 ? nil : TextKind.Fault() })),
                            example: (name: "de", value: .text("Gebet")), "",
                            get: { $0.labels.mapValues { .text($0) } },
                            set: { screen, entries in
                                for case (let name, .text(let text)) in entries { screen.labels[name] = text }
                            }),
                    ])),
        ])

    private func read(_ texts: String...) throws -> EffectiveSettings<Screen> {
        try Self.schema.read(
            texts.enumerated().map { ConfigSource(file: "\($0.offset).toml", text: Array($0.element.utf8)) })
    }

    private func refusal(_ text: String) -> String {
        do {
            _ = try read(text)
            return "nothing is wrong"
        } catch let error as ConfigError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    private static let text = """
        name = "yard"
        [screen]
        width = 3
        [[screen.room]]
        name = "first"
        [[screen.room]]
        name = "second"
        seats = 20
        [screen.label]
        de = "Gebet"
        "fr" = "prière"
        """

    @Test("It reads its own keys, lists of tables and tables of entries, and prints what it read")
    func reads() throws {
        let screen = try read(Self.text).settings
        #expect(
            screen
                == Screen(
                    name: "yard", rooms: [Room(name: "first"), Room(name: "second", seats: 20)],
                    labels: ["de": "Gebet", "fr": "prière"], width: 3))
        #expect(try read(Self.schema.printed(screen)).settings == screen)
        #expect(try read(Self.schema.defaultText).settings == Screen())
    }

    @Test("A later text replaces a list as a whole, and entries one by one")
    func overlays() throws {
        let effective = try read(
            Self.text, "[[screen.room]]\nname = \"third\"\n[screen.label]\nde = \"Zeit\"")
        #expect(effective.settings.rooms == [Room(name: "third")])
        #expect(effective.settings.labels == ["de": "Zeit", "fr": "prière"])
        let label = effective.keys.first { $0.key == "screen.label.de" }
        #expect(label?.file == "1.toml" && label?.overridden.first?.line == 10)
    }

    @Test(
        "Mistakes are reported where they are",
        arguments: [
            (
                "[[screen.room]]\nname = \"a\"\nseat = 3",
                "0.toml:3:1: unknown key screen.room.seat; allowed in [screen.room]: name, seats; did you mean seats?"
            ),
            (
                "[[screen.room]]\nname = \"a\"\n[[screen.room]]\nname = \"b\"\nseats = 900",
                "0.toml:5:9: screen.room.seats must be a whole number from 1 to 500 (seats), not 900"
            ),
            (
                "\n[[screen.room]]\nseats = 9",
                "0.toml:2:1: [[screen.room]] needs name beside the rest: a text of 1 to 100 characters"
            ),
            ("[[screen.room]]\nname = \"a\"\nseats = 13", "0.toml:3:1: screen.room.seats brings no luck"),
            (
                "[screen]\nroom = 4",
                "0.toml:2:1: screen.room must be a list of tables, each written [[screen.room]], not 4"
            ),
            (
                "[screen.label]\ndeu = \"x\"",
                "0.toml:2:1: a name in [screen.label] must be two letters, not \"deu\""
            ),
            (
                "[screen.label]\nde = 4",
                "0.toml:2:6: screen.label.de must be a text of 1 to 100 characters, not 4"
            ),
            (
                "[screen]\nlabel = 4",
                "0.toml:2:9: screen.label must be a table, written [screen.label], not 4"
            ),
        ])
    func mistakes(_ text: String, _ message: String) {
        #expect(refusal(text) == message)
    }
}

@Suite("The keys of a mosque")
struct MosqueConfigTests {
    private func load(_ text: String) throws -> Config {
        try ConfigLoader.load(text: text, file: "adhand.toml")
    }

    private func refusal(_ text: String) -> String {
        do {
            _ = try load(text)
            return "nothing is wrong"
        } catch let error as ConfigError {
            return error.summary
        } catch {
            return "\(error)"
        }
    }

    @Test("One line a prayer says what a table would, and a drop-in may say the one or the other")
    func shorthand() throws {
        let short = try load("[iqama]\nfajr = \"+20m\"")
        #expect(short == (try load("[iqama.fajr]\nat = \"+20m\"")))
        let both = try ConfigLoader.load([
            ConfigSource(file: "a", text: Array("[iqama.fajr]\nat = \"+20m\"\nround = 5".utf8)),
            ConfigSource(file: "b", text: Array("[iqama]\nfajr = \"+30m\"".utf8)),
        ])
        #expect(both.config.iqama.rules[.fajr] == IqamaRule(at: .after(nil, minutes: 30), roundMinutes: 5))
        #expect(both.settings.map(\.key) == ["iqama.fajr.at", "iqama.fajr.round"])
        #expect(both.settings.first?.file == "b")
    }

    @Test("A line is set where it stands, in short or in its table")
    func set() throws {
        func change(_ key: String, _ text: String) throws -> String {
            let change = try ConfigChange(
                [.init(key: key, words: ["+25m"])], in: Array(text.utf8), file: "adhand.toml", dropIns: [])
            return String(decoding: change.text, as: UTF8.self)
        }
        #expect(try change("iqama.fajr", "[iqama]\nfajr = \"+20m\"\n") == "[iqama]\nfajr = \"+25m\"\n")
        #expect(try change("iqama.fajr.at", "[iqama]\nfajr = \"+20m\"\n") == "[iqama]\nfajr = \"+25m\"\n")
        let table = "[iqama.fajr]\nat = \"+20m\"\nround = 5\n"
        #expect(try change("iqama.fajr", table) == table.replacing("20", with: "25"))
        #expect(try change("iqama.fajr", "[iqama]\nasr = \"+5m\"\n").contains("fajr = \"+25m\""))
    }

    @Test(
        "Each mistake is one sentence",
        arguments: [
            (
                "[iqama]\nfajr = \"15m\"",
                "adhand.toml:2:8: iqama.fajr must be a clock time such as \"13:30\", minutes after the adhan such as \"+15m\", or an event of the day such as \"sunrise-40m\", not \"15m\"; did you mean \"+15m\"?"
            ),
            (
                "[iqama]\nfajr = \"sunrize-40m\"",
                "adhand.toml:2:8: iqama.fajr must be a clock time such as \"13:30\", minutes after the adhan such as \"+15m\", or an event of the day such as \"sunrise-40m\", not \"sunrize-40m\"; did you mean \"sunrise-40m\"?"
            ),
            (
                "[iqama]\nfajr = \"-10m\"",
                "adhand.toml:2:8: iqama.fajr must be a clock time such as \"13:30\", minutes after the adhan such as \"+15m\", or an event of the day such as \"sunrise-40m\", not \"-10m\": an iqama is not before its adhan; did you mean \"+10m\"?"
            ),
            (
                "[iqama.fajr]\nround = 10",
                "adhand.toml:1:8: iqama.fajr needs at: when the congregation stands up"
            ),
            (
                "[[iqama.change]]\nfajr = \"05:30\"",
                "adhand.toml:1:1: [[iqama.change]] needs from beside the rest: a date such as 2027-03-28"
            ),
            (
                "[[iqama.change]]\nfrom = 2027-03-28",
                "adhand.toml:2:1: iqama.change.from changes nothing; name a prayer beside it"
            ),
            (
                "[[iqama.change]]\nfrom = 2027-03-28\nuntil = 2027-03-27\nisha = \"20:15\"",
                "adhand.toml:3:1: iqama.change.until is before from"
            ),
            (
                "[[iqama.change]]\nfrom = 2027-03-28\nuntil = 2027-03-29",
                "adhand.toml:2:1: iqama.change.from changes nothing; name a prayer beside it"
            ),
            (
                "[[iqama.season]]\nfrom = \"03-15\"\ndhuhr = \"13:45\"",
                "adhand.toml:2:1: iqama.season.from is a day of every year and needs until beside it"
            ),
            (
                "[[jumua.slot]]\nadhan = \"dhuhr\"",
                "adhand.toml:1:1: jumua.slot.khutba or prayer is needed: when the imam begins, or when the congregation stands up"
            ),
            (
                "[adhan.dhuhr]\nat = \"iqama-15m\"\n[iqama]\ndhuhr = \"+20m\"",
                "adhand.toml:2:1: adhan.dhuhr.at depends on the iqama, and the iqama depends on the adhan; give the iqama a clock time, or one by an event such as \"dhuhr+20m\""
            ),
            (
                "[ramadan]\nisha = \"+2h\"",
                "adhand.toml:2:8: ramadan.isha must be a clock time such as \"01:30\", or an event of the day such as \"fajr-30m\", not \"+2h\": it does not say after what; write an event, such as \"isha+2h\""
            ),
            (
                "[hijri.month-start]\n\"1448-13\" = 2027-02-08",
                "adhand.toml:2:1: a name in [hijri.month-start] must be a month of the Islamic calendar such as \"1448-09\", not \"1448-13\""
            ),
            (
                "[timetable]\nmissing = \"computed\"",
                "adhand.toml:2:11: timetable.missing must be one of \"compute\", \"silent\", not \"computed\"; did you mean \"compute\"?"
            ),
        ])
    func mistakes(_ text: String, _ message: String) {
        #expect(refusal(text) == message)
    }
}
