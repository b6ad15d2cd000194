import PrayerEngine
import Testing

@testable import Settings
@testable import Texts

@Suite("The settings layer")
struct SettingsLayerTests {
    private let anna = SettingAuthor(actor: "Kitchen phone", user: "adhan-remote")

    private func sources(_ text: String, dropIn: String? = nil) -> [ConfigSource] {
        [ConfigSource(file: "a.toml", text: Array(text.utf8))]
            + (dropIn.map { [ConfigSource(file: "d.toml", text: Array($0.utf8))] } ?? [])
    }

    private func layered(_ text: String, _ layer: SettingsLayer) throws -> LayeredConfig {
        try LayeredConfig(sources(text), layer)
    }

    private func set(
        _ pairs: KeyValuePairs<String, String?>, in layer: SettingsLayer = SettingsLayer(),
        over text: String = "", expect: Int? = nil, as role: SettingRole = .fresh
    ) throws -> SettingsLayer {
        let files = LayerFiles(try ConfigLoader.load(sources(text)))
        return try layer.setting(
            pairs.map { SettingChange(key: $0.key, value: $0.value) }, expect: expect, by: anna, as: role,
            over: files, at: "2026-11-24T02:00:00Z"
        ).layer
    }

    private func refusal(_ work: () throws -> SettingsLayer) -> SettingsRefusal? {
        do {
            _ = try work()
            return nil
        } catch {
            return error as? SettingsRefusal
        }
    }

    @Test("A setting goes before the files, and the files keep what they say")
    func precedence() throws {
        let layer = try set(["adhan.fajr.volume": "45", "iqama.isha": "\"20:15\""])
        #expect(layer.entries.map(\.key) == ["adhan.fajr.volume", "iqama.isha.at"])
        let both = try layered("[adhan]\nvolume = 70\n", layer)
        #expect(
            both.effective.config[.fajr].volumePercent == 45
                && both.effective.config[.asr].volumePercent == 70)
        #expect(both.files.config[.fajr].volumePercent == 70)
        #expect(both.effective.config.iqama.rules[.isha]?.at.text == "20:15")
        #expect(both.settings.map(\.state) == [.set, .set])
        let now = both.effective.settings.first { $0.key == "adhan.fajr.volume" }
        #expect(now?.file == LayeredConfig.sourceName && now?.value == "45")
    }

    @Test("A list of tables is set as a whole")
    func lists() throws {
        let text = "[[iqama.change]]\nfrom = 2026-11-01\nisha = \"20:00\"\n"
        let layer = try set(["iqama.change": "[{ from = 2026-12-01, isha = \"19:45\" }]"], over: text)
        let changes = try layered(text, layer).effective.config.iqama.changes
        #expect(changes.map(\.from.description) == ["2026-12-01"])
    }

    @Test(
        "Words that are no setting are refused, with the key and why",
        arguments: [
            ("adhan.volum", "45"), ("adhan.enabled", "false"), ("control.loudest", "50"),
            ("audio.fade-out", "\"2s\""),
            ("debug.triggers", "true"), ("hijri.month-start", "{}"), ("adhan", "45"), ("", "45"),
        ])
    func unknown(key: String, value: String) {
        guard case .unknown(key, let near) = refusal({ try set([key: value]) }) else {
            Issue.record("\(key) is not refused as unknown")
            return
        }
        #expect(key != "adhan.volum" || near == "adhan.volume")
    }

    @Test(
        "Values that a key does not take are refused, whatever they try to smuggle in",
        arguments: [
            ("adhan.volume", "101"), ("adhan.volume", "loud"), ("adhan.volume", ""),
            ("adhan.volume", "45\ncontrol.group = \"everybody\""),
            ("adhan.volume", "45\n[debug]\ntriggers = true"),
            ("adhan.fajr.sound", "\"/etc/shadow\""), ("adhan.sound", "[\"standard\", \"/etc/shadow\"]"),
            ("jumua.slot", "[{ prayer = \"13:30\", sound = \"/etc/shadow\" }]"),
            ("iqama.fajr.at", "\"soon\""), ("calculation.method", "\"nobody\""),
        ])
    func invalid(key: String, value: String) {
        guard case .invalid(key, value, let reason) = refusal({ try set([key: value]) }) else {
            Issue.record("\(key) = \(value) is not refused as invalid")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test("Roles: what a household, a keeper and a keeper with a fresh code may set")
    func roles() throws {
        let needs: [(String, String, SettingRole)] = [
            ("adhan.volume", "45", .household), ("adhan.isha.volume", "45", .household),
            ("iqama.volume", "45", .keeper), ("iqama.isha.at", "\"20:15\"", .keeper),
            ("adhan.sound", "\"standard\"", .keeper), ("timezone", "\"Europe/Berlin\"", .fresh),
            ("calculation.method", "\"mwl\"", .fresh), ("audio.devices", "[\"default\"]", .fresh),
        ]
        for (key, value, needed) in needs {
            for role in SettingRole.allCases {
                let refused = refusal { try set([key: value], as: role) }
                #expect(refused == (role < needed ? .role(needed) : nil), "\(key) as \(role)")
            }
        }
        let closed = "[control]\nhousehold = \"switch\"\n"
        #expect(refusal { try set(["adhan.volume": "45"], over: closed, as: .household) } == .role(.keeper))
        #expect(refusal { try set(["adhan.volume": "45"], over: closed, as: .keeper) } == nil)
    }

    @Test("A pin keeps a key and a whole table from every command, and shows where it stands")
    func pins() throws {
        let text = "[control]\npinned = [\"adhan.isha.volume\", \"calculation\"]\n"
        for key in ["adhan.isha.volume", "calculation.method"] {
            let value = key == "calculation.method" ? "\"mwl\"" : "45"
            #expect(
                refusal { try set([key: value], over: text) } == .pinned(key: key, file: "a.toml", line: 2))
        }
        #expect(refusal { try set(["adhan.fajr.volume": "45"], over: text) } == nil)
        let layer = try set(["adhan.isha.volume": "45"])
        let pinned = try layered(text, layer)
        #expect(
            pinned.settings.map(\.state) == [.pinned] && pinned.effective.config[.isha].volumePercent == 80)
        #expect(pinned.settings[0].place == .init(file: "a.toml", line: 2))
        // Without the pin it is in force again: it was kept.
        #expect(try layered("", layer).effective.config[.isha].volumePercent == 45)
        #expect(throws: ConfigError.self) { try layered("[control]\npinned = [\"adhan.volum\"]\n", layer) }
    }

    @Test("A pinned value stays what the files make it, whatever is set for all prayers")
    func pinnedFollowers() throws {
        let text = "[adhan]\nvolume = 70\n[control]\npinned = [\"adhan.isha.volume\", \"adhan.jumua\"]\n"
        let layer = try set(["adhan.volume": "45", "adhan.dhuhr.volume": "50"], over: text)
        let bound = try layered(text, layer)
        #expect(bound.settings.map(\.state) == [.set, .set])
        let volumes = [Prayer.asr, .isha, .dhuhr, .jumua].map { bound.effective.config[$0].volumePercent }
        #expect(volumes == [45, 70, 50, 70])
        #expect(bound.inForce(try #require(SettableKey("adhan.isha.volume"))) == "70")
        // Without the pin it follows, and a value of its own in the files counts with it.
        let free = try layered("[adhan]\nvolume = 70\n", layer).effective.config
        #expect(free[.isha].volumePercent == 45 && free[.jumua].volumePercent == 50)
        let own = try layered(text + "[adhan.isha]\nvolume = 60\n", layer).effective.config
        #expect(own[.isha].volumePercent == 60 && own[.asr].volumePercent == 45)
    }

    @Test("No command sets a volume above the loudest, and a lower bound puts out of force what is above")
    func loudest() throws {
        let text = "[control]\nloudest = 70\n"
        for key in ["adhan.volume", "adhan.fajr.volume", "iqama.volume", "ramadan.volume", "eid.volume"] {
            guard case .invalid(key, "71", _) = refusal({ try set([key: "71"], over: text) }) else {
                Issue.record("\(key) may be louder than the loudest")
                return
            }
        }
        let layer = try set(["adhan.volume": "90"])
        let bounded = try layered(text, layer)
        #expect(
            bounded.settings.map(\.state) == [.invalid] && bounded.effective.config[.asr].volumePercent == 80)
    }

    @Test(
        "The newer word wins: a file that says something else supersedes, and its old word brings the setting back"
    )
    func superseded() throws {
        let text = "[adhan]\nvolume = 70\n"
        let layer = try set(["adhan.volume": "45"], over: text)
        for edit in ["[adhan]\nvolume = 60\n", ""] {
            #expect(try layered(edit, layer).settings.map(\.state) == [.superseded])
        }
        #expect(try layered("# more\n" + text, layer).settings.map(\.state) == [.set])
        let again = try set(["adhan.volume": "45"], in: layer, over: "[adhan]\nvolume = 60\n")
        #expect(again.change == 2 && again["adhan.volume"]?.over == "60")
    }

    @Test("A setting that no longer fits is out of force alone, and with all that was set beside it")
    func invalidUnits() throws {
        var layer = try set([
            "calculation.method": "\"custom\"", "calculation.angles.fajr": "18",
            "calculation.angles.isha": "17",
        ])
        layer = try set(["adhan.volume": "45"], in: layer)
        #expect(try layered("", layer).settings.allSatisfy { $0.state == .set })
        // With isha-minutes in a file the angle of isha makes no sense, so neither does the method.
        let text = "[calculation]\nmethod = \"custom\"\n[calculation.angles]\nfajr = 18\nisha-minutes = 90\n"
        let states = try layered(text, layer).settings
        #expect(states.filter { $0.entry.key.hasPrefix("calculation") }.allSatisfy { $0.state != .set })
        #expect(states.first { $0.entry.key == "adhan.volume" }?.state == .set)
    }

    @Test("Half of a place that was set as a whole is changed together with the other half")
    func units() throws {
        var layer = try set(["location.latitude": "52.5", "location.longitude": "13.4"])
        layer = try set(["location.latitude": "48.1"], in: layer)
        let moved = try layered("", layer)
        #expect(moved.settings.map(\.state) == [.set, .set])
        #expect(
            moved.effective.config.location?.latitude == 48.1
                && moved.effective.config.location?.longitude == 13.4)
        #expect(layer["location.longitude"]?.change == 1)
    }

    @Test("What another version wrote is kept and not applied")
    func unknownEntries() throws {
        let text = """
            {"version": 1, "change": 3, "settings": [
              {"key": "adhan.fajr.echo", "value": "1", "over": null, "change": 1},
              {"key": "calculation.method", "value": "\\"of-tomorrow\\"", "over": null, "change": 2},
              {"key": "adhan.volume", "value": "45", "over": null, "change": 3}], "changes": []}
            """
        let layer = try SettingsLayer(fileBytes: Array(text.utf8))
        let whole = try layered("", layer)
        #expect(whole.settings.map(\.state) == [.unknown, .unknown, .set])
        #expect(try SettingsLayer(fileBytes: try layer.fileBytes()) == layer)
    }

    @Test("Two who change the same key: the second hears of the first; other keys are nobody's business")
    func conflicts() throws {
        let layer = try set(["adhan.volume": "45"], in: try set(["adhan.fajr.volume": "60"]))
        #expect(
            refusal { try set(["adhan.volume": "50"], in: layer, expect: 1) }
                == .conflict(key: "adhan.volume", change: 2, by: "Kitchen phone"))
        #expect(refusal { try set(["adhan.fajr.volume": "50"], in: layer, expect: 1) } == nil)
        let gone = try set(["adhan.volume": nil], in: layer)
        #expect(
            refusal { try set(["adhan.volume": "50"], in: gone, expect: 2) }
                == .conflict(key: "adhan.volume", change: 3, by: "Kitchen phone"))
    }

    @Test("Undo is a change of its own, and leaves alone what was set since")
    func undo() throws {
        let files = LayerFiles(try ConfigLoader.load(sources("")))
        func undo(_ number: Int?, _ layer: SettingsLayer, as role: SettingRole = .fresh) throws
            -> SettingsLayer
        {
            try layer.undoing(number, by: anna, as: role, over: files, at: "").layer
        }
        var layer = try set(["adhan.volume": "45"])
        layer = try set(["adhan.volume": "50", "timezone": "\"Asia/Dubai\""], in: layer)
        let back = try undo(nil, layer)
        #expect(back.change == 3 && back["adhan.volume"]?.value == "45" && back["timezone"] == nil)
        #expect(back.changes.last?.undoes == 2)
        #expect(try undo(nil, back)["adhan.volume"]?.value == "50")
        #expect(
            refusal { try undo(1, layer) } == .conflict(key: "adhan.volume", change: 2, by: "Kitchen phone"))
        #expect(refusal { try undo(nil, layer, as: .keeper) } == .role(.fresh))
        #expect(refusal { try undo(7, layer) } != nil && refusal { try undo(nil, SettingsLayer()) } != nil)
    }

    @Test("The file stays below its bound: of old changes as many as there is room for")
    func bound() throws {
        var layer = SettingsLayer()
        let name = String(repeating: "x", count: 200)
        for count in 0..<60 {
            let list = (0..<16).map { "\"\(name)\(count)-\($0)\"" }.joined(separator: ", ")
            layer = try set(["adhan.sound": "[\(list)]", "adhan.fajr.sound": "[\(list)]"], in: layer)
        }
        #expect(layer.changes.count == SettingsLayer.mostChanges && layer.changes.last?.change == 60)
        let bytes = try layer.fileBytes()
        #expect(bytes.count <= SettingsLayer.longestFile)
        let read = try SettingsLayer(fileBytes: bytes)
        #expect(read.entries == layer.entries && read.changes.last == layer.changes.last)
        #expect(read.changes.count < layer.changes.count)
    }

    @Test("Every row of the table names keys that there are, and a key in short is the key")
    func table() {
        let keys = Set(SettableKey.all.map(\.key))
        for key in [
            "adhan.volume", "adhan.jumua.volume", "iqama.change", "iqama.asr.at", "jumua.slot",
            "ramadan.iqama.isha",
            "eid.prayers", "timetable.missing", "hijri.day-begins", "location.name", "timezone",
            "calculation.adjustments.fajr", "audio.devices", "audio.preroll",
        ] {
            #expect(keys.contains(key))
        }
        #expect(SettableKey("iqama.fajr")?.key == "iqama.fajr.at")
        #expect(
            !keys.contains {
                $0.hasPrefix("control") || $0.hasPrefix("debug")
                    || $0.hasPrefix("adhan.") && $0.hasSuffix("enabled")
            })
    }
}
