import PrayerEngine
import Testing

@testable import Settings
@testable import Times

@Suite("What was in force and is not there any more")
struct ConfigurationLossTests {
    private static let main = "/etc/adhand/adhand.toml"
    private static let dropIn = "/etc/adhand/adhand.toml.d/50-place.toml"
    private static let london =
        "# Our mosque\n[location]\nlatitude = 51.5\nlongitude = -0.1\n[adhan]\nvolume = 60\n"
    private static let oslo = "[location]\nlatitude = 59.9\nlongitude = 10.7\n"

    private static func source(_ file: String, _ text: String) -> ConfigSource {
        ConfigSource(file: file, text: Array(text.utf8))
    }

    private func kept(_ texts: (String, String)..., configuration: String = main) -> KeptConfiguration {
        KeptConfiguration(
            configuration, texts.map(Self.source), at: Instant(unixSeconds: 1_790_000_000))
    }

    private func losses(
        _ kept: KeptConfiguration?, _ now: (String, String)..., name: String = main,
        lookedFor: [String] = [main]
    ) -> [ConfigurationLoss] {
        ConfigurationLoss.all(since: kept, in: now.map(Self.source), of: name, lookedFor: lookedFor)
    }

    @Test(
        "A text that says nothing any more, or breaks off, is a loss; one that says something else is not",
        arguments: [
            ("", .emptied), ("\n", .emptied), (" \t\n\r\n", .emptied), ("#\n# - -\n", .emptied),
            ("[location]\n", .emptied), ("# Our mosque\n", .cut), ("# Our mosque\n[location]\n", .cut),
            ("# Our mosque\n[location]\nlatitude = 51.5\nlongitude = -0.1\n", .cut),
            // It says the same as before.
            (String(london.dropLast()), nil), (london + "# more\n", nil),
            // Somebody wrote it, and means it.
            ("# the defaults are meant\n", nil), ("#١\n", nil), ("# Our old mosque\n", nil),
            (oslo, nil),
            // A mistake is reported as one.
            ("# Our mosque\n[loca", nil), ("\0\0\0\0", nil),
        ] as [(String, ConfigurationLoss.Kind?)])
    func texts(_ text: String, _ kind: ConfigurationLoss.Kind?) {
        let found = losses(kept((Self.main, Self.london)), (Self.main, text))
        #expect(found == (kind.map { [ConfigurationLoss(file: Self.main, kind: $0)] } ?? []))
        // Of a drop-in, the same.
        let beside = losses(
            kept((Self.main, Self.oslo), (Self.dropIn, Self.london)), (Self.main, Self.oslo),
            (Self.dropIn, text))
        #expect(beside == (kind.map { [ConfigurationLoss(file: Self.dropIn, kind: $0)] } ?? []))
    }

    @Test("What the last command left is meant, however little it says; anything else is not")
    func mark() {
        let place = "[location]\nlatitude = 51.5\nlongitude = -0.1\n"
        let whole = kept((Self.main, "[calculation]\nmethod = \"isna\"\n" + place))
        func losses(_ text: String, of command: String?) -> [ConfigurationLoss.Kind] {
            ConfigurationLoss.all(
                since: whole, in: [Self.source(Self.main, text)], of: Self.main, lookedFor: [Self.main],
                mark: command.map { ConfigurationMark(written: ConfigurationMark.digest(Array($0.utf8))) }
            ).map(\.kind)
        }
        let cut = "[calculation]\nmethod = \"isna\"\n"
        #expect(losses(cut, of: nil) == [.cut])
        #expect(losses(cut, of: cut).isEmpty)
        #expect(losses(cut, of: cut + place) == [.cut])
        // Another command has written behind what was left.
        #expect(losses(place + "[adhan]\nvolume = 60\n", of: place) == [.keys(["calculation.method"])])
        #expect(losses(place + "[adhan]\nvolume = 60\n", of: nil) == [.keys(["calculation.method"])])
        #expect(losses(place.replacing("51.5", with: "51.6") + cut, of: nil).isEmpty)
        // Something else in the place of everything: the place is gone all the same.
        #expect(
            self.losses(kept((Self.main, Self.london)), (Self.main, "[adhan]\nvolume = 60\n")) == [
                ConfigurationLoss(file: Self.main, kind: .keys(["location.latitude", "location.longitude"]))
            ])
        // A drop-in says it now.
        let moved = ConfigurationLoss.all(
            since: whole, in: [Self.source(Self.main, place), Self.source(Self.dropIn, cut)], of: Self.main,
            lookedFor: [Self.main])
        #expect(moved.isEmpty)
    }

    @Test("What makes no sense by itself is a loss all the same: half a place, and the height of one")
    func halves() {
        let height = "[location]\nelevation = 900\n"
        let both = kept((Self.main, Self.london), (Self.dropIn, height))
        #expect(losses(both, (Self.main, Self.london)) == [.init(file: Self.dropIn, kind: .gone)])
        #expect(
            losses(both, (Self.main, Self.london), (Self.dropIn, ""))
                == [.init(file: Self.dropIn, kind: .emptied)])
        let half = "# Our mosque\n[location]\nlatitude = 51.5\n"
        let beside = kept((Self.main, Self.london), (Self.dropIn, Self.oslo))
        #expect(
            losses(beside, (Self.main, half), (Self.dropIn, Self.oslo))
                == [.init(file: Self.main, kind: .cut)])
    }

    @Test("A byte order mark alone is no configuration: refused or a loss, and never the defaults")
    func marks() {
        let mark = ConfigSource(file: Self.main, text: [0xEF, 0xBB, 0xBF])
        let found = ConfigurationLoss.all(
            since: kept((Self.main, Self.london)), in: [mark], of: Self.main, lookedFor: [Self.main])
        #expect(found.map(\.kind) == [.emptied] || (try? ConfigLoader.load([mark])) == nil)
    }

    @Test("A file that has gone is a loss, unless it said nothing")
    func gone() {
        let both = kept((Self.main, Self.london), (Self.dropIn, Self.oslo))
        #expect(losses(both, (Self.main, Self.london)) == [.init(file: Self.dropIn, kind: .gone)])
        #expect(losses(both, (Self.dropIn, Self.oslo)) == [.init(file: Self.main, kind: .gone)])
        #expect(losses(both, name: "embedded default").map(\.file) == [Self.main, Self.dropIn])
        #expect(losses(kept((Self.main, "# nothing\n"))).isEmpty)
        #expect(losses(nil, (Self.main, "")).isEmpty)
    }

    @Test("A file of another name is no loss; one that was looked for before it is")
    func elsewhere() {
        let own = "/home/ali/.config/adhand/adhand.toml"
        let ofUser = kept((own, Self.oslo), configuration: own)
        #expect(losses(ofUser, (Self.main, Self.london)).isEmpty)
        #expect(
            losses(ofUser, (Self.main, Self.london), lookedFor: [own, Self.main])
                == [.init(file: own, kind: .gone)])
        // A file of one's own that comes goes before the system's.
        let ofSystem = kept((Self.main, Self.london))
        #expect(losses(ofSystem, (own, Self.oslo), name: own, lookedFor: [own, Self.main]).isEmpty)
    }

    @Test("The error names every file, blames no line, and says what to type")
    func message() throws {
        let lost = losses(kept((Self.main, Self.london), (Self.dropIn, Self.oslo)), (Self.main, "\n"))
        let error = try #require(ConfigurationLoss.error(lost))
        #expect(error.cause == .lost && error.all.map(\.file) == [Self.main, Self.dropIn])
        #expect(
            error.summary
                == "\(Self.main): the file is empty and was not before, as after a loss of power (and 1 more file)"
        )
        let problem = UnusableConfiguration(error, keptAt: "2026-11-20T10:00:00Z")
        #expect(
            problem.message.contains(
                "kept on 2026-11-20, stays in force until it is back or somebody reloads"))
        #expect(
            UnusableConfiguration.remedy(.lost, fix: "x")
                == "Restore the file, or run \"x\" to go on without it.")
        #expect(ConfigurationLoss.error([]) == nil)
    }

    @Test("The zone's rules are kept with the texts, byte by byte, and older files have none")
    func zone() throws {
        let bytes = [UInt8](0...255)
        let zone = KeptZone(configured: nil, name: "Europe/Oslo", tzif: bytes)
        let whole = KeptConfiguration(
            Self.main, [Self.source(Self.main, Self.oslo)], zone: zone, at: Instant(unixSeconds: 0))
        let again = try KeptConfiguration(fileBytes: try whole.fileBytes())
        #expect(again == whole && again.zone == zone && zone.zone == nil)
        #expect(!whole.isSame(as: whole.having(zone: nil)))
        let old = #"{"version":1,"configuration":"/a","keptAt":"2026-01-01T00:00:00Z","texts":[]}"#
        #expect(try KeptConfiguration(fileBytes: Array(old.utf8)).zone == nil)
    }

    @Test(
        "Of a file that a command has written every key is lost that the command did not take out",
        arguments: [
            // Emptied, or cut, and then written.
            ("[adhan]\nvolume = 70\n", [], ["location.latitude", "location.longitude"]),
            ("# Our mosque\n[location]\nlatitude = 51.5\n[adhan]\nvolume = 70\n", [], ["location.longitude"]),
            ("", ["adhan.volume"], ["location.latitude", "location.longitude"]),
            // The keys that the command took out, and those that say the same in other words.
            ("[location]\nlatitude = 51.5\nlongitude = -0.1\n", ["adhan.volume"], []),
            ("", ["adhan.volume", "location.latitude", "location.longitude"], []),
            ("location.latitude = 40.7\nlocation.longitude = -73.8\nadhan.volume = 70\n", [], []),
        ] as [(String, [String], [String])])
    func written(_ text: String, _ removed: [String], _ lost: [String]) {
        func found(_ dropIn: String) -> ConfigurationLoss? {
            ConfigurationLoss.keys(
                since: [Self.source(Self.main, Self.london)],
                in: [Self.source(Self.main, text), Self.source(Self.dropIn, dropIn)],
                written: WrittenFile(Self.main, removed: removed))
        }
        #expect(found("") == (lost.isEmpty ? nil : .init(file: Self.main, kind: .keys(lost))))
        // It has moved into another file.
        let moved = Self.london.split(separator: "\n").dropFirst().joined(separator: "\n")
        #expect(found(text.isEmpty ? moved : "") == nil || !text.isEmpty)
        #expect(
            ConfigurationLoss.keys(
                since: [Self.source(Self.main, Self.london)], in: [], written: WrittenFile(Self.main)) == nil)
    }

    @Test("Keys that are lost are named, and not all of many")
    func named() {
        func notice(_ keys: [String]) -> String { ConfigurationLoss(file: "/f", kind: .keys(keys)).notice }
        #expect(notice(["a"]) == "/f: a was in force and is gone; it is no longer in force")
        #expect(
            notice(["a", "b", "c", "d", "e", "f"])
                == "/f: a, b, c, d and 2 more were in force and are gone; they are no longer in force")
    }

    @Test("A file of another name with the same lines is no loss, nor are two that became one")
    func renamed() {
        let renamed = Self.dropIn.replacing("50-place", with: "60-place")
        let both = kept((Self.main, Self.london), (Self.dropIn, Self.oslo))
        #expect(losses(both, (Self.main, Self.london), (renamed, Self.oslo)).isEmpty)
        // Beside another edit as well.
        let edited = Self.london.replacing("60", with: "70")
        #expect(losses(both, (Self.main, edited), (renamed, Self.oslo)).isEmpty)
        let whole = Self.oslo + "[adhan]\nvolume = 60\n"
        #expect(losses(both, (Self.main, whole)).isEmpty)
        // A value under another name does not replace the one that is gone.
        let other = "[location]\nlatitude = 40.7\nlongitude = -73.8\n"
        #expect(
            losses(both, (Self.main, Self.london), (renamed, other)) == [
                .init(file: Self.dropIn, kind: .gone)
            ])
    }
}
