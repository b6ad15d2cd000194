import PrayerEngine
import Testing

@testable import Protocol
@testable import Settings
@testable import Texts

@Suite("Taking keys out, and what a change brings in")
struct UnsetTests {
    private func unset(_ keys: String..., from text: String, dropIn: String? = nil) throws -> ConfigChange {
        try ConfigChange(
            unsetting: keys, in: Array(text.utf8), file: "a.toml",
            dropIns: dropIn.map { [ConfigSource(file: "d.toml", text: Array($0.utf8))] } ?? [])
    }

    @Test("A key goes with its line; what stands below it is in force, and is named")
    func unset() throws {
        let text =
            "[adhan]\nsound = \"mine\" # ours\nvolume = 70\n[adhan.fajr]\nsound = \"dawn\" # louder\nvolume = 90\n"
        let change = try unset("adhan.fajr.sound", from: text)
        #expect(
            String(decoding: change.text, as: UTF8.self)
                == text.replacing("sound = \"dawn\" # louder\n", with: ""))
        #expect(
            change.steps == [
                .init(key: "adhan.fajr.sound", value: "\"mine\"", before: "\"dawn\"", instead: "adhan.sound")
            ], "\(change.steps)")
        let all = try unset("adhan.volume", from: text)
        #expect(all.steps.first?.instead == "default" && all.steps.first?.value == "80")
        #expect(try unset("adhan.asr.volume", from: text).isEmpty)
        let inline = try unset("iqama.dhuhr", from: "iqama = { fajr = \"+20m\", dhuhr = \"13:30\" }\n")
        #expect(String(decoding: inline.text, as: UTF8.self) == "iqama = { fajr = \"+20m\" }\n")
        let first = try unset("iqama.fajr", from: "iqama = { fajr = \"+20m\", dhuhr = \"13:30\" }\n")
        #expect(String(decoding: first.text, as: UTF8.self) == "iqama = { dhuhr = \"13:30\" }\n")
    }

    @Test("What a drop-in holds, what others need, and what is no key is refused")
    func refused() throws {
        #expect(throws: ConfigRefusal.self) {
            try unset("adhan.volume", from: "", dropIn: "adhan.volume = 3\n")
        }
        let place = "[location]\nlatitude = 1\nlongitude = 2\n"
        #expect(throws: ConfigRefusal.self) { try unset("location.longitude", from: place) }
        #expect(
            try unset("location.latitude", "location.longitude", from: place).effective.config.location == nil
        )
        #expect(throws: ConfigRefusal.self) { try unset("adhan.volum", from: "") }
    }

    @Test("Only what a change brings in can stop it")
    func changedSound() throws {
        let old = try ConfigLoader.load(
            text: "adhan.sound = \"gone\"\naudio.devices = [\"old\"]\n", file: "a")
        let new = try ConfigLoader.load(
            text: "adhan.sound = \"gone\"\nadhan.fajr.sound = \"lost\"\naudio.devices = [\"new\", \"old\"]\n",
            file: "a")
        let change = ChangedSound(from: old, to: new)
        #expect(change.devices == ["new"] && change.uses.map(\.sound) == ["lost"])
        var facts = SoundFacts()
        facts.devices = [.init(name: "old", outcome: .fails(reason: "No such device", isBusy: false))]
        facts.files = [.init(name: "gone", prayers: Prayer.allCases, path: nil, outcome: .missing)]
        #expect(change.problem(in: facts, sudo: false) == nil)
        facts.files.append(.init(name: "lost", prayers: [.fajr], path: nil, outcome: .missing))
        #expect(change.problem(in: facts, sudo: false)?.key == "adhan.fajr.sound")
        facts.devices.append(.init(name: "new", outcome: .fails(reason: "No such device", isBusy: false)))
        #expect(change.problem(in: facts, sudo: false)?.key == "audio.devices")
        facts.devices[1] = .init(name: "new", outcome: .fails(reason: "busy", isBusy: true))
        #expect(change.problem(in: facts, sudo: false)?.kind == .sound)
        #expect(ChangedSound(from: new, to: new).isEmpty)
    }

    @Test("What an undo changes is reported key by key")
    func difference() throws {
        func settings(_ text: String) throws -> [ConfigSetting] {
            try ConfigLoader.load([ConfigSource(file: "a", text: Array(text.utf8))]).settings
        }
        let changes = ConfigDifference.of(
            try settings("adhan.volume = 80\nlocation = { name = \"A\", latitude = 1, longitude = 2 }\n"),
            try settings(
                "location = { name = \"B\", latitude = 1, longitude = 2 }\ncontrol.group = \"adhan\"\n"))
        #expect(
            changes.map(\.text) == [
                "adhan.volume: 80 -> not set", "control.group: not set -> \"adhan\"",
                "location.name: \"A\" -> \"B\"",
            ])
    }

    @Test(
        "A clock time on twelve hours is read as the half of the day in which it can be meant",
        arguments: [
            ("1:30", Prayer.dhuhr, 810), ("01:30", .dhuhr, 810), ("1:30pm", .dhuhr, 810),
            ("1:30am", .dhuhr, 90),
            ("12:30", .dhuhr, 750), ("11:45", .dhuhr, 705), ("4:00", .asr, 960), ("5:58", .maghrib, 1078),
            ("7:15", .isha, 1155), ("0:30", .isha, 30), ("1:30", .isha, 90), ("6:00", .fajr, 360),
        ])
    func halves(text: String, prayer: Prayer, minutes: Int) throws {
        #expect(try IqamaReading(text, for: prayer).time == .clock(minutes: minutes))
        let set = try ConfigChange(
            [.init(key: "iqama.\(prayer.rawValue)", words: [text])], in: nil, file: "a", dropIns: [])
        #expect(set.steps.first?.value == "\"\(ClockText.format(minutes))\"")
    }

    @Test(
        "Minutes after the adhan need no plus and no unit, wherever people say them; without a plus the answer names the reading",
        arguments: [
            ("15", 15, true), ("+15", 15, false), (" + 15 ", 15, false), ("+15m", 15, false),
            ("5 minutes", 5, true), ("+ 20 min", 20, false), ("+\u{661}\u{665}", 15, false),
        ])
    func minutes(text: String, minutes: Int, isTold: Bool) throws {
        let reading = try IqamaReading(text, for: .asr)
        #expect(reading.time == .after(nil, minutes: minutes))
        #expect((reading.note != nil) == isTold)
        for key in ["iqama.asr", "iqama.asr.at", "ramadan.iqama.asr"] {
            let set = try ConfigChange([.init(key: key, words: [text])], in: nil, file: "a", dropIns: [])
            #expect(set.steps.first?.value == "\"+\(minutes)m\"", "\(key)")
        }
    }

    @Test(
        "Neither hours without a colon nor minutes before the adhan are minutes",
        arguments: ["1315", "-15", "+-15", "+"])
    func noMinutes(text: String) {
        #expect(throws: IqamaError.self) { try IqamaReading(text, for: .asr) }
    }

    @Test("A file's own clock time of the wrong half is reported")
    func wrongHalf() throws {
        let config = try ConfigLoader.load(text: "iqama.dhuhr = \"01:30\"\n", file: "a")
        #expect(config.iqama.wrongHalves.first?.sentence.contains("adhanctl set iqama.dhuhr 13:30") == true)
    }
}
