import BoxSupport
import PrayerEngine
import Testing

@testable import BoxCard
@testable import Console
@testable import Protocol
@testable import Texts

@Suite("A box's upgrades, as its card sees them")
struct CardUpgradeTests {
    @Test(
        "box.txt turns adhand's own upgrades on and off",
        arguments: [
            ("adhand-upgrades = off", false), ("# a remark\n\nADHAND-UPGRADES=Off   # ours stays", false),
            ("adhand-upgrades = on        # on | off", true), ("", true),
        ])
    func settings(text: String, isOn: Bool) throws {
        #expect(try CardSettings(Array(text.utf8)).upgradesAdhand == (isOn ? .on : .off))
    }

    @Test(
        "A mistake in box.txt is named by its line",
        arguments: [
            ("adhand-upgrades off", "line 1: is not KEY = VALUE"),
            ("\nadhand-upgrades = no", "line 2: adhand-upgrades is on or off"),
            ("adhand-upgrades = ", "line 1: adhand-upgrades is on or off"),
            ("upgrades = off", "line 1: only these are known here: adhand-upgrades, hotspot, phone"),
            ("adhand-upgrades = on\nadhand-upgrades = off", "line 2: adhand-upgrades is written twice"),
        ])
    func mistakes(text: String, expected: String) throws {
        let refusal = try #require(throws: CardRefusal.self) { try CardSettings(Array(text.utf8)) }
        #expect(refusal.lines == [expected])
    }

    @Test("An upgrade is worse with a new problem, or without the sound that was there")
    func health() {
        let well = UpgradeHealth(problems: [], sound: .healthy)
        let silent = UpgradeHealth(problems: [], sound: .failed)
        let broken = UpgradeHealth(problems: ["configuration", "sounds"], sound: .healthy)
        #expect(well.worse(than: well).isEmpty && well.worse(than: broken).isEmpty)
        #expect(well.worse(than: silent).isEmpty && silent.worse(than: silent).isEmpty)
        #expect(silent.worse(than: well) == ["sound"])
        #expect(UpgradeHealth(problems: [], sound: .untried).worse(than: well) == ["sound"])
        #expect(broken.worse(than: well) == ["configuration", "sounds"])
        #expect(broken.worse(than: UpgradeHealth(problems: ["sounds"], sound: .failed)) == ["configuration"])
        // A box whose adhand did not answer before.
        #expect(broken.worse(than: nil).isEmpty)
    }

    @Test("The report names the version, when it was upgraded, and why it was not")
    func report() {
        func lines(
            _ running: String, prepared: String? = nil, failed: String? = nil,
            archive: CardUpgrades.Archive = .on, _ look: [String] = []
        ) -> [String] {
            CardUpgrades(
                version: "0.2.0", state: .init(running: running, prepared: prepared, failed: failed, at: nil),
                archive: archive, lastLook: look
            ).lines
        }
        #expect(lines("image") == ["adhand       0.2.0, as it was flashed"])
        #expect(
            lines("upgrade-20261126-031500", ["2026-11-27 everything is up to date"]) == [
                "adhand       0.2.0, upgraded on 2026-11-26",
                "Upgrades     2026-11-27 everything is up to date",
            ])
        #expect(lines("image", prepared: "upgrade-20261126-031500")[1].contains("waits for a restart"))
        #expect(lines("image", failed: "upgrade-20261126-031500")[1].hasPrefix("PROBLEM: "))
        #expect(lines("image", archive: .off)[1].contains("by box.txt"))
        #expect(lines("image", archive: .disabled)[1].contains("\"Enabled: no\""))
        #expect(lines("image", archive: .absent)[1].contains("flash a newer image"))
        #expect(lines("upgrade-silent")[0] == "adhand       0.2.0, in the layer upgrade-silent")
        #expect(lines("image", Array(repeating: "x", count: 9)).count == 6)
    }

    @Test("adhanctl status has them after everything else, in text and as JSON")
    func status() throws {
        let upgrades = CardUpgrades(
            version: "0.2.0",
            state: .init(
                running: "upgrade-20261126-031500", prepared: "upgrade-20261129-031500",
                failed: "upgrade-20261120-031500", at: nil),
            archive: .off, lastLook: ["2026-11-28 newer, and waits for its turn: adhand"])
        let text = UpgradesText.facts(upgrades).map { $0.rendered(.plain) }.joined()
        #expect(text.hasPrefix("Upgrades  adhand 0.2.0, upgraded on 2026-11-26\n          the upgrade "))
        for words in ["upgrade-20261120-031500", "20261129-031500 is ready", "by box.txt", "its turn"] {
            #expect(text.contains(words), "\(words)")
        }
        let document = String(decoding: try JSON.encode(UpgradesDocument(upgrades)), as: UTF8.self)
        #expect(
            document
                == #"{"archive":"off","failed":"upgrade-20261120-031500","lastLook":["2026-11-28 newer, and waits for its turn: adhand"],"prepared":"upgrade-20261129-031500","running":"upgrade-20261126-031500","since":"2026-11-26"}"#
        )
        let sample = try SampleStatus().document
        let known = try JSON.encode(sample)
        #expect(try JSON.encode(StatusAnswer(sample, nil)) == known)
        let answer = String(decoding: try JSON.encode(StatusAnswer(sample, upgrades)), as: UTF8.self)
        #expect(answer.contains(#""upgrades":{"archive":"off","#) && answer.contains(#""playback":"#))
        #expect(!StatusText.render(sample, .plain).contains("Upgrades"))
        #expect(StatusText.render(sample, upgrades: upgrades, .plain).hasSuffix(text))
    }

    @Test(
        "A source is switched off by the words that apt knows, in each of its parts",
        arguments: [
            ("Types: deb\nURIs: https://example.org\n", .on),
            ("Types: deb\nEnabled: yes\n", .on), ("Types: deb\n# Enabled: no\n", .on),
            ("Types: deb\nEnabled: no\n", .disabled), ("Enabled:  FALSE \r\nTypes: deb\r\n", .disabled),
            ("types: deb\nenabled: 0\n", .disabled), ("Types: deb\nEnabled: no\n\nTypes: deb\n", .on),
            ("Types: deb\nEnabled: no\n\nTypes: deb\nEnabled: off\n", .disabled),
        ] as [(String, CardUpgrades.Archive)])
    func source(text: String, archive: CardUpgrades.Archive) {
        #expect(CardUpgrades.Archive(isOff: false, source: text) == archive)
        #expect(CardUpgrades.Archive(isOff: true, source: text) == .off)
    }

    @Test("Doctor speaks of upgrades on a flashed box alone")
    func doctor() throws {
        var facts = try Patient().facts
        func check() throws -> DoctorCheck {
            try #require(Doctor.examine(facts).checks.first { $0.name == .upgrades })
        }
        func box(
            failed: String? = nil, _ archive: CardUpgrades.Archive = .on, signedDaysAgo: Double?,
            askedDaysAgo: Double? = nil
        ) -> CardUpgrades {
            var upgrades = CardUpgrades(
                version: "0.2.0", state: .init(running: "image", prepared: nil, failed: failed, at: nil),
                archive: archive, lastLook: [])
            upgrades.archiveSigned = signedDaysAgo.map { facts.now + -86400.0 * $0 }
            upgrades.archiveAskedSince = askedDaysAgo.map { facts.now + -86400.0 * $0 }
            return upgrades
        }
        #expect(!Doctor.examine(facts).checks.contains { $0.name == .upgrades })
        for days in [nil, 1, 13.9] {
            facts.upgrades = box(signedDaysAgo: days, askedDaysAgo: days)
            #expect(try check().verdict == .ok && check().message.contains("upgrades itself"))
        }
        facts.upgrades = box(signedDaysAgo: 14.1)
        #expect(try check().verdict == .warning && check().message.contains("no valid index since"))
        // An archive that has never answered this box.
        facts.upgrades = box(signedDaysAgo: nil, askedDaysAgo: 14.1)
        #expect(try check().verdict == .warning && check().message.contains("no valid index for this box"))
        facts.upgrades = box(signedDaysAgo: 1, askedDaysAgo: 400)
        #expect(try check().verdict == .ok)
        let reasons: [(CardUpgrades.Archive, String)] = [
            (.off, "box.txt"), (.disabled, "Enabled: no"), (.absent, "flash a newer image"),
        ]
        for (archive, words) in reasons {
            facts.upgrades = box(archive, signedDaysAgo: 400, askedDaysAgo: 400)
            #expect(try check().verdict == .ok && check().message.contains(words))
        }
        facts.upgrades = box(failed: "upgrade-20261119-031500", signedDaysAgo: 1)
        #expect(try check().verdict == .warning && check().message.contains("upgrade-20261119-031500"))
    }
}
