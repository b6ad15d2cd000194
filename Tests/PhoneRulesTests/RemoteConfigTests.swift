import Settings
import Testing

@testable import PhoneRules

@Suite("remote.toml")
struct RemoteConfigTests {
    private func read(_ text: String) throws(ConfigError) -> RemoteConfig {
        try RemoteConfig.schema.read([ConfigSource(file: "remote.toml", text: Array(text.utf8))]).settings
    }

    @Test("The file to start from means what no file means, and so does what is printed")
    func defaults() throws {
        #expect(try read("") == RemoteConfig() && read(RemoteConfig.schema.defaultText) == RemoteConfig())
        #expect(RemoteConfig().pairing == Access.Limits(days: 180, most: 20))
        let config = try read(
            "[network]\nnames = [\"box.example.org\"]\nproxy = true\n[pairing]\ndays = 30\nmost = 5\n")
        #expect(config.names == ["box.example.org"] && config.proxy)
        #expect(config.pairing == Access.Limits(days: 30, most: 5))
        #expect(try read(RemoteConfig.schema.printed(config)) == config)
        #expect(try read("[network]\nnames = \"box.example.org\"\n").names == ["box.example.org"])
    }

    @Test(
        "What is wrong is refused with its line",
        arguments: [
            ("[pairing]\ndayz = 3\n", 2), ("[pairing]\ndays = 0\n", 2), ("[pairing]\nmost = 101\n", 2),
            ("[network]\nnames = [\"box example\"]\n", 2), ("[network]\nnames = [\"box:8790\"]\n", 2),
            ("[network]\nproxy = 1\n", 2), ("[network]\nproxy = true\n", 2), ("[phones]\n", 1),
        ])
    func mistakes(_ text: String, _ line: Int) throws {
        do throws(ConfigError) {
            _ = try read(text)
            Issue.record("it is read: \(text)")
        } catch {
            #expect(error.all.first?.line == line, "\(error.all.map(\.message))")
        }
    }
}
