import Testing

@testable import BoxCard
@testable import Console
@testable import Settings
@testable import Texts

@Suite("fleet.toml of a card")
struct CardFleetTests {
    private static let key = "ed25519:qBTmYq9uXayAo87x2zka7P6V+BGHAhQXN8yX920ebHU="

    @Test("adhand's keys become a drop-in, and the others are named")
    func dropIn() throws {
        let text = """
            [fleet]
            broker = ["mqtts://a:8883"]     # for the bridge
            org = 'noor'
            groups = ["uk/london", "uk"]
            signing-key = "\(Self.key)"
            [other]
            token = "abc"
            """
        let fleet = try CardFleet(Array(text.utf8))
        let config = try ConfigLoader.load([ConfigSource(file: "drop-in", text: fleet.text)]).config
        #expect(config.fleet?.org == "noor" && config.fleet?.groups == ["uk/london", "uk"])
        #expect(config.fleet?.signing?.text == Self.key)
        #expect(fleet.lines == ["the fleet noor, groups uk/london, uk", "not for adhand: broker, other"])
        #expect(fleet.enrolment == nil)
        #expect(
            try ConfigLoader.load([ConfigSource(file: "drop-in", text: CardFleet.left)]).config.fleet == nil)
    }

    private static let member = "[fleet]\norg = \"noor\"\nsigning-key = \"\(key)\"\n"
    private static let token = String(repeating: "0a", count: 32)

    @Test("[enrol] becomes a drop-in of bridge.toml")
    func enrolment() throws {
        let text =
            Self.member
            + "[enrol]\nbroker = [\"mqtts://a:8883\", \"mqtts://b\"]\ntoken = \"\(Self.token)\"\nca = \"-----BEGIN CERTIFICATE-----\\nAA\\n\"\nlater = 1\n"
        let fleet = try CardFleet(Array(text.utf8))
        let enrolment = try #require(fleet.enrolment)
        #expect(enrolment.token == Self.token && enrolment.authority == "-----BEGIN CERTIFICATE-----\nAA\n")
        #expect(
            String(decoding: enrolment.bridge(tokenFile: "/t", authorityFile: "/a"), as: UTF8.self)
                .hasSuffix(
                    "[fleet]\nbroker = [\"mqtts://a:8883\", \"mqtts://b\"]\ntoken-file = \"/t\"\nca-file = \"/a\"\n"
                ))
        #expect(fleet.lines.count == 3 && !fleet.lines.joined().contains(Self.token), "\(fleet.lines)")
        #expect(fleet.lines.last == "not for adhand: later")
    }

    @Test(
        "An [enrol] that is not whole is refused, and no word is repeated",
        arguments: [
            "token = \"\(token)\"\n", "broker = []\ntoken = \"\(token)\"\n",
            "broker = \"http://a\"\ntoken = \"\(token)\"\n", "broker = \"mqtts://a\"\n",
            "broker = \"mqtts://a\"\ntoken = \"short\"\n",
            "broker = \"mqtts://a\"\ntoken = 12345678901234567\n",
            "broker = \"mqtts://a\"\ntoken = \"\(token)\"\nca = \"/etc/ca.pem\"\n",
        ])
    func notWhole(enrol: String) throws {
        let refusal = try #require(throws: CardRefusal.self) {
            try CardFleet(Array("\(Self.member)[enrol]\n\(enrol)".utf8))
        }
        #expect(!refusal.lines.isEmpty && !refusal.lines.joined().contains(Self.token))
    }

    @Test(
        "A mistake is refused with a sentence",
        arguments: [
            "[fleet]\norg = \"noor\"\n", "[fleet]\norg noor\n", "[other]\n",
            "[fleet]\norg = \"NOOR\"\nsigning-key = \"x\"\n",
        ])
    func refused(text: String) throws {
        let refusal = try #require(throws: CardRefusal.self) { try CardFleet(Array(text.utf8)) }
        #expect(!refusal.lines.isEmpty && refusal.lines.allSatisfy { !$0.isEmpty })
    }
}

@Suite("Leaving a fleet that a drop-in names")
struct LeavingDropInTests {
    @Test("Its keys go, the rest stays, and words stay in its place")
    func left() throws {
        let key = "ed25519:qBTmYq9uXayAo87x2zka7P6V+BGHAhQXN8yX920ebHU="
        let fleet = ConfigSource(
            file: "a.toml", text: Array("[fleet]\norg = \"noor\"\nsigning-key = \"\(key)\"\n".utf8))
        let other = ConfigSource(file: "b.toml", text: Array("[adhan]\nvolume = 40\n".utf8))
        let left = ConfigChange.leavingFleet([fleet, other])
        #expect(
            left.texts.map(\.file) == ["a.toml"]
                && left.steps.map(\.key) == ["fleet.org", "fleet.signing-key"])
        let config = try ConfigLoader.load(left.texts + [other]).config
        #expect(config.fleet == nil && config[.fajr].volumePercent == 40)
        #expect(String(decoding: left.texts[0].text, as: UTF8.self).contains("has left its fleet"))
        #expect(ConfigChange.leavingFleet([other]).texts.isEmpty)
    }
}
