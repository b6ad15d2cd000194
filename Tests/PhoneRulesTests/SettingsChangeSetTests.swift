import PhoneRules
import PrayerEngine
import Protocol
import Settings
import Testing
import Texts

@Suite("Changes of settings that a phone means")
struct SettingsChangeSetTests {
    private static let friday = CivilDate(year: 2026, month: 11, day: 27)!

    /// The answer of adhand with these values in force.
    private static func reply(_ values: [String: String], change: Int = 14) throws -> SettingsReply {
        let keys = try values.map { key, value in
            let text = """
                {"key": \(try quoted(key)), "kind": "tables", "allowed": "", "role": "keeper", "inForce": \(try quoted(value))}
                """
            return try JSON.decode(SettableKeyDocument.self, from: Array(text.utf8))
        }
        return SettingsReply(change: change, settings: [], keys: keys)
    }

    private static func quoted(_ text: String) throws -> String {
        String(decoding: try JSON.encode(text), as: UTF8.self)
    }

    private static func changes(_ act: Act, _ values: [String: String] = [:]) throws -> [SettingChange] {
        try #require(try SettingsChangeSet(act, reply(values), today: friday)).changes
    }

    private static func refusal(_ act: Act, _ values: [String: String] = [:]) throws -> FieldRefusal? {
        do throws(FieldRefusal) {
            _ = try SettingsChangeSet(act, try! reply(values), today: friday)
            return nil
        } catch {
            return error
        }
    }

    @Test("A list of tables is read and written with every field, whatever it is")
    func lists() throws {
        let text =
            #"[{ from = 2026-12-01, isha = "20:15", odd = [1, { a = "]" }] }, { from = 2026-12-09, fajr = "+\"x\"" }]"#
        let list = try #require(TableList(text))
        #expect(list.toml == text && list.rows.count == 2 && list.rows[0]["isha"] == "20:15")
        #expect(list.rows[0].mark != list.rows[1].mark && list.rows[0].mark.count == 16)
        #expect(TableList("")?.rows == [] && TableList("[]")?.rows == [])
        for wrong in ["{}", "[1]", "\"x\"", "[{ a = }]", "[{}]\nb = 1 ="] {
            #expect(TableList(wrong) == nil, "\(wrong)")
        }
    }

    @Test("Values are shown in plain words")
    func words() {
        for (toml, plain) in [
            (#""20:15""#, "20:15"), ("45", "45"), (#"["standard"]"#, "standard"),
            (#"["a", "b"]"#, #"["a", "b"]"#),
            ("[]", ""), ("", ""), (#""a \"b\"""#, #"a "b""#), ("2026-11-27", "2026-11-27"), ("true", "true"),
        ] { #expect(PlainValue.text(toml) == plain) }
        #expect(PlainValue.texts(#"["a", "b"]"#) == ["a", "b"] && PlainValue.texts(#""a""#) == ["a"])
    }

    @Test("What a form shows means the same when it is sent back, for every key there is")
    func round() throws {
        for key in SettableKey.all where !key.isCompound {
            for toml in [key.initial, key.isVolume ? "45" : ""] where !toml.isEmpty {
                let plain = PlainValue.text(toml)
                guard !plain.isEmpty else { continue }
                let change = try Self.changes(.set([.init(key: key.key, value: plain)], expect: nil))
                #expect(change == [SettingChange(key: key.key, value: toml)], "\(key.key) = \(toml)")
            }
        }
    }

    @Test("Keys in plain words, and an empty value, which takes the setting away")
    func keys() throws {
        let changes = try Self.changes(
            .set(
                [
                    .init(key: "adhan.fajr.volume", value: "45"),
                    .init(key: "iqama.isha.at", value: "8:15pm"),
                    .init(key: "adhan.sound", value: "our-adhan"), .init(key: "adhan.asr.volume", value: ""),
                ], expect: 3))
        #expect(changes.map(\.value) == ["45", "\"20:15\"", "\"our-adhan\"", nil])
        let wrong = try Self.refusal(.set([.init(key: "adhan.fajr.volume", value: "loud")], expect: nil))
        #expect(
            wrong?.field == "adhan.fajr.volume" && wrong?.code == .format && wrong?.reason?.isEmpty == false)
        #expect(
            try Self.refusal(.set([.init(key: "adhan.tea.volume", value: "1")], expect: nil))?.code
                == .unknown)
    }

    @Test("An iqama from a date joins those of its date, and stands in the order of dates")
    func iqama() throws {
        let key = SettingsChangeSet.iqamaKey
        let one = try Self.changes(.changeIqama(.isha, "8:15pm", from: Self.friday, expect: nil), [key: "[]"])
        #expect(one == [SettingChange(key: key, value: #"[{ from = 2026-11-27, isha = "20:15" }]"#)])
        let before = #"[{ from = 2026-11-27, isha = "20:15" }, { fajr = "+20m", from = 2026-12-04 }]"#
        let same = try Self.changes(
            .changeIqama(.isha, "20:30", from: Self.friday, expect: nil), [key: before])
        #expect(
            same[0].value == #"[{ from = 2026-11-27, isha = "20:30" }, { fajr = "+20m", from = 2026-12-04 }]"#
        )
        let between = try Self.changes(
            .changeIqama(.asr, "+15m", from: Self.friday.adding(days: 3), expect: nil), [key: before])
        #expect(
            between[0].value?.contains(#"}, { from = 2026-11-30, asr = "+15m" }, {"#) == true, "\(between)")
        #expect(
            try Self.refusal(.changeIqama(.asr, "+15m", from: Self.friday, expect: nil))?.field == "iqama")
    }

    @Test("An iqama with a last day is a row of its own, and takes nothing from any other")
    func iqamaUntil() throws {
        let key = SettingsChangeSet.iqamaKey
        func value(_ rows: String, _ prayer: Prayer = .isha, _ time: String = "20:15", days: Int? = 9) throws
            -> String?
        {
            let act = Act.changeIqama(
                prayer, time, from: Self.friday, until: days.map { Self.friday.adding(days: $0) }, expect: nil
            )
            return try Self.changes(act, [key: rows])[0].value
        }
        let one = #"[{ from = 2026-11-27, until = 2026-12-06, isha = "20:15" }]"#
        #expect(try value("[]") == one)
        #expect(
            try value(one, .isha, "20:30")
                == #"[{ from = 2026-11-27, until = 2026-12-06, isha = "20:30" }]"#)
        #expect(
            try value(one, .asr, "+9m")
                == #"[{ from = 2026-11-27, until = 2026-12-06, isha = "20:15", asr = "+9m" }]"#)
        // A time for some of these days gives way; one that goes beyond them stays.
        let within =
            #"[{ from = 2026-11-28, until = 2026-11-30, isha = "+1m" }, { from = 2026-12-01, until = 2026-12-09, isha = "+2m" }]"#
        #expect(
            try value(within)
                == #"[{ from = 2026-11-27, until = 2026-12-06, isha = "20:15" }, { from = 2026-12-01, until = 2026-12-09, isha = "+2m" }]"#
        )
        let past = Act.changeIqama(
            .isha, "20:15", from: Self.friday.adding(days: -9), until: Self.friday.adding(days: -1),
            expect: nil)
        #expect(try Self.refusal(past, [key: "[]"])?.code == .past)
        // Days that are others are another row, also with the same beginning; rows of one date keep each other's prayers.
        let two =
            #"[{ from = 2026-11-27, isha = "+1m" }, { from = 2026-11-27, dhuhr = "13:20" }, { from = 2026-12-01, isha = "+25m" }]"#
        #expect(
            try value(two)
                == #"[{ from = 2026-11-27, isha = "+1m" }, { from = 2026-11-27, dhuhr = "13:20" }, { from = 2026-11-27, until = 2026-12-06, isha = "20:15" }, { from = 2026-12-01, isha = "+25m" }]"#
        )
        #expect(
            try value(two, .isha, "20:30", days: nil)
                == #"[{ from = 2026-11-27, isha = "20:30" }, { from = 2026-11-27, dhuhr = "13:20" }, { from = 2026-12-01, isha = "+25m" }]"#
        )
    }

    @Test("A row is removed by its place and its mark, and not when the list is another one by now")
    func rows() throws {
        let key = SettingsChangeSet.slotKey
        let values = [key: #"[{ khutba = "13:10" }, { khutba = "14:10" }]"#]
        let rows = try #require(TableList(values[key]!)).rows
        let act = Act.removeRow(table: key, index: 1, mark: rows[1].mark, expect: nil)
        let changeSet = try #require(try SettingsChangeSet(act, Self.reply(values), today: nil))
        #expect(
            changeSet.changes == [SettingChange(key: key, value: #"[{ khutba = "13:10" }]"#)]
                && changeSet.expect == 14)
        for (index, mark) in [(0, rows[1].mark), (2, rows[1].mark), (1, "")] {
            #expect(
                try Self.refusal(.removeRow(table: key, index: index, mark: mark, expect: nil), values)?.code
                    == .stale)
        }
        let slot = Act.addSlot(
            .init(texts: [("adhan", "khutba-10m"), ("khutba", "14:10"), ("prayer", "14:30")]), expect: 9)
        let added = try #require(try SettingsChangeSet(slot, Self.reply([key: "[]"]), today: nil))
        #expect(added.expect == 9)
        #expect(added.changes[0].value == #"[{ adhan = "khutba-10m", khutba = "14:10", prayer = "14:30" }]"#)
    }

    @Test("An announcement joins the list; those that are over go with it, and other fields stay")
    func announcements() throws {
        let key = SettingsChangeSet.announcementKey
        let old =
            #"[{ text = "old", until = 2026-11-26 }, { text = "new", until = 2026-11-27, days = ["friday"] }]"#
        let digest = String(repeating: "a", count: 64)
        let form = try Form(
            "text=Two%0D%0A%22lines%22&from=2026-11-28T08%3A00&until=2026-11-29&show=slide&picture=\(digest)"
                .utf8)
        let act = try #require(try Act.read(.announcement, form, role: .keeper))
        let changes = try Self.changes(act, [key: old])
        let row =
            #"{ text = "Two\n\"lines\"", from = 2026-11-28T08:00:00, until = 2026-11-29, show = ["slide"], picture = "\#(digest)" }"#
        #expect(
            changes[0].value == #"[{ text = "new", until = 2026-11-27, days = ["friday"] }, "# + row + "]")
        let mark = try #require(TableList(old)).rows[0].mark
        #expect(try Self.changes(.removeAnnouncement(index: 0, mark: mark), [key: old]).count == 1)
        #expect(try Self.refusal(.removeAnnouncement(index: 1, mark: mark), [key: old])?.code == .stale)
        #expect(try Self.changes(act, [key: "[]"]) == [SettingChange(key: key, value: "[\(row)]")])
    }

    @Test("A form that comes twice means one row, and one's own change is no conflict")
    func twice() throws {
        let key = SettingsChangeSet.announcementKey
        let form = try Form("text=Bazaar&until=2026-11-29&show=board".utf8)
        let act = try #require(try Act.read(.announcement, form, role: .keeper))
        let once = try #require(try Self.changes(act, [key: "[]"])[0].value)
        #expect(try SettingsChangeSet(act, Self.reply([key: once]), today: Self.friday) == nil)
        let slot = Act.addSlot(.init(texts: [("khutba", "14:10")]), expect: 9)
        let slots = try #require(try Self.changes(slot, [SettingsChangeSet.slotKey: "[]"])[0].value)
        #expect(
            try SettingsChangeSet(slot, Self.reply([SettingsChangeSet.slotKey: slots]), today: nil) == nil)
        let change = Act.changeIqama(.isha, "20:15", from: Self.friday, expect: 9)
        let list = try #require(try Self.changes(change, [SettingsChangeSet.iqamaKey: "[]"])[0].value)
        #expect(
            try SettingsChangeSet(change, Self.reply([SettingsChangeSet.iqamaKey: list]), today: nil) == nil)

        let changeSet = SettingsChangeSet([SettingChange(key: "adhan.volume", value: "45")])
        func reply(_ value: String, _ name: String) throws -> SettingsReply {
            let text = """
                {"key": "adhan.volume", "value": "\(value)", "state": "set", "default": "80", "inForce": "\(value)",
                 "by": "\(name)", "user": "adhan-remote", "at": "2026-11-24T12:00:00Z", "change": 15}
                """
            let setting = try JSON.decode(SettingDocument.self, from: Array(text.utf8))
            return SettingsReply(change: 15, settings: [setting], keys: [])
        }
        #expect(changeSet.isDone(try reply("45", "Office"), by: "Office"))
        #expect(!changeSet.isDone(try reply("45", "Hall"), by: "Office"))
        #expect(!changeSet.isDone(try reply("50", "Office"), by: "Office"))
    }

    @Test("An announcement that is over, or over before it begins, is refused at its end")
    func past() throws {
        let values = [SettingsChangeSet.announcementKey: "[]"]
        func refusal(_ fields: String, _ minute: Int? = nil) throws -> FieldRefusal? {
            let act = try #require(
                try Act.read(.announcement, Form("text=Bazaar&show=board&\(fields)".utf8), role: .keeper))
            do throws(FieldRefusal) {
                _ = try SettingsChangeSet(act, try! Self.reply(values), today: Self.friday, minute: minute)
                return nil
            } catch {
                return error
            }
        }
        for fields in [
            "until=2026-11-26", "until=2026-11-27T12:00", "from=2026-11-29&until=2026-11-28",
            "from=2026-11-28T12:00&until=2026-11-28T12:00",
        ] { #expect(try refusal(fields, 721) == FieldRefusal("until", .past), "\(fields)") }
        for fields in [
            "until=2026-11-27", "until=2026-11-27T12:02", "from=2026-11-28&until=2026-11-28",
            "from=2026-11-28T12:00&until=2026-11-28T12:01",
        ] { #expect(try refusal(fields, 721) == nil, "\(fields)") }
        // Without a clock nothing is known to be over.
        #expect(try refusal("until=2026-11-27T12:00") == nil)
    }

    @Test("A picture is removed when neither the list nor an undo can bring it back")
    func pictures() throws {
        func list(_ pictures: [String]) -> String {
            "["
                + pictures.map { #"{ text = "x", until = 2027-01-01, picture = "\#($0)" }"# }.joined(
                    separator: ", ") + "]"
        }
        let key = SettingsChangeSet.announcementKey
        func changes(_ lists: [[String]]) throws -> ChangesReply {
            let all = try (1..<lists.count).map { index in
                """
                {"change": \(index), "at": "", "by": "", "user": "", "steps": [{"key": "\(key)",
                 "before": \(try Self.quoted(list(lists[index - 1]))), "after": \(try Self.quoted(list(lists[index])))}]}
                """
            }
            return try JSON.decode(
                ChangesReply.self, from: Array("{\"changes\": [\(all.joined(separator: ","))]}".utf8))
        }
        let steps = [["a"], ["a", "b"], ["b"]] + Array(repeating: ["b"], count: 10)
        let reply = try Self.reply([key: list(["b"])])
        #expect(AnnouncementsFacts.forgotten(reply, try changes(steps)) == ["a"])
        #expect(AnnouncementsFacts.forgotten(reply, try changes(Array(steps.prefix(9)))) == [])
        #expect(
            AnnouncementsFacts.pictures(in: list(["a", "b"])) == ["a", "b"]
                && AnnouncementsFacts.pictures(in: nil) == [])
    }
}
