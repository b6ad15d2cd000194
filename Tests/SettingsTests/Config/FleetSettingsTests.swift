import Testing

@testable import Settings
@testable import Texts

@Suite("The fleet of a box in its configuration ([fleet])")
struct FleetSettingsTests {
    private static let signing = FleetKey(bytes: [UInt8](repeating: 1, count: 32))!
    private static let recovery = FleetKey(bytes: [UInt8](repeating: 2, count: 32))!

    private func read(_ lines: String) throws(ConfigError) -> Config {
        let text = "[fleet]\n" + lines + "\n"
        return try ConfigLoader.load([ConfigSource(file: "adhand.toml", text: Array(text.utf8))]).config
    }

    @Test("It has a name and a key, and perhaps a second key and groups")
    func read() throws {
        let least = try read("org = \"noor\"\nsigning-key = \"\(Self.signing.text)\"")
        #expect(least.fleet?.org == "noor" && least.fleet?.signing == Self.signing)
        #expect(least.fleet?.recovery == nil && least.fleet?.groups == [])
        let whole = try read(
            "org = \"noor\"\nsigning-key = \"\(Self.signing.text)\"\nrecovery-key = \"\(Self.recovery.text)\"\n"
                + "groups = \"uk/london\"")
        #expect(whole.fleet?.recovery == Self.recovery && whole.fleet?.groups == ["uk/london"])
        #expect(try read("").fleet == nil)
        // The printed configuration is read as the same.
        let printed = ConfigSource(file: "adhand.toml", text: Array(whole.printed().utf8))
        #expect(try ConfigLoader.load([printed]).config.fleet == whole.fleet)
    }

    @Test(
        "Half a fleet, and names and keys of another form, are refused",
        arguments: [
            ("org = \"noor\"", "fleet.org needs fleet.signing-key beside it"),
            ("groups = [\"a\"]", "fleet.groups needs fleet.org beside it"),
            ("signing-key = \"\(signing.text)\"", "fleet.signing-key needs fleet.org beside it"),
            ("org = \"NOOR\"", "must be 2 to 32 of a-z, 0-9 and -"),
            ("signing-key = \"ed25519:AAAA\"", "must be a public key such as"),
            ("groups = [\"uk//london\"]", "1 to 64 of a-z, 0-9, - and /"),
            (
                "org = \"noor\"\nsigning-key = \"\(signing.text)\"\nrecovery-key = \"\(signing.text)\"",
                "is the same as fleet.signing-key"
            ),
        ])
    func refused(_ lines: String, _ expected: String) {
        do throws(ConfigError) {
            _ = try read(lines)
            Issue.record("\(lines) is taken")
        } catch {
            #expect(error.all.contains { $0.message.contains(expected) }, "\(error.message)")
        }
    }

    @Test("No command sets any of it")
    func notByCommand() {
        for key in ["fleet.org", "fleet.signing-key", "fleet.recovery-key", "fleet.groups"] {
            #expect(SettableKey(key) == nil && SettableKey.isKnown(key), "\(key)")
        }
    }
}
