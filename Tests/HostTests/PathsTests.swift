import Glibc
import LabSupport
import Testing

@testable import Host

struct PathsTests {
    @Test("The system's service lives where systemd says")
    func systemService() {
        let environment = Self.environment(
            [
                "STATE_DIRECTORY": "/var/lib/adhand:/var/lib/other", "RUNTIME_DIRECTORY": "/run/adhand",
                "HOME": "/home/u",
            ],
            having: [
                "/etc/adhand/adhand.toml", "/usr/share/adhand/audio", "/home/u/.config/adhand/adhand.toml",
            ])
        let paths = Paths(Paths.Options(), in: environment)
        #expect(paths.isSystemService)
        #expect(paths.configuration == .file("/etc/adhand/adhand.toml"))
        #expect(paths.audioDirectory == "/usr/share/adhand/audio")
        #expect(paths.stateDirectory == "/var/lib/adhand")
        #expect(paths.socket == "/run/adhand/control.sock")
    }

    @Test("One of systemd's directories is enough to be the service; the other has its usual place")
    func halfOfSystemd() {
        let state = Paths(Paths.Options(), in: Self.environment(["STATE_DIRECTORY": "/srv/adhan"]))
        #expect(state.stateDirectory == "/srv/adhan" && state.socket == "/run/adhand/control.sock")
        let runtime = Paths(Paths.Options(), in: Self.environment(["RUNTIME_DIRECTORY": "/run/x"]))
        #expect(runtime.stateDirectory == "/var/lib/adhand" && runtime.socket == "/run/x/control.sock")
        #expect(runtime.configuration == .embedded(lookedFor: ["/etc/adhand/adhand.toml"]))
    }

    @Test("A user's daemon keeps to the XDG directories")
    func xdg() {
        let environment = Self.environment(
            ["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/r", "HOME": "/home/u"],
            having: ["/c/adhand/adhand.toml"])
        let paths = Paths(Paths.Options(), in: environment)
        #expect(!paths.isSystemService)
        #expect(paths.configuration == .file("/c/adhand/adhand.toml"))
        #expect(paths.stateDirectory == "/s/adhand")
        #expect(paths.socket == "/r/adhand/control.sock")
    }

    @Test("Without them, or with relative ones, it keeps to the home, and to /run/user or /tmp")
    func fallbacks() {
        var environment = Self.environment(
            ["XDG_CONFIG_HOME": "relative", "XDG_STATE_HOME": "", "HOME": "/home/u"],
            having: ["/run/user/1000"])
        var paths = Paths(Paths.Options(), in: environment)
        #expect(
            paths.configuration
                == .embedded(lookedFor: ["/home/u/.config/adhand/adhand.toml", "/etc/adhand/adhand.toml"]))
        #expect(paths.stateDirectory == "/home/u/.local/state/adhand")
        #expect(paths.socket == "/run/user/1000/adhand/control.sock")
        environment = Self.environment([:])
        paths = Paths(Paths.Options(), in: environment)
        #expect(paths.stateDirectory == "/tmp/adhand-1000/adhand")
        #expect(paths.socket == "/tmp/adhand-1000/control.sock")
        environment.accountHome = "/home/v"
        #expect(Paths(Paths.Options(), in: environment).stateDirectory == "/home/v/.local/state/adhand")
    }

    @Test("A user without a configuration of his own uses the system's")
    func systemConfiguration() {
        let environment = Self.environment(["HOME": "/home/u"], having: ["/etc/adhand/adhand.toml"])
        #expect(Paths(Paths.Options(), in: environment).configuration == .file("/etc/adhand/adhand.toml"))
    }

    @Test("What the command line names goes before everything")
    func options() {
        let options = Paths.Options(
            configuration: "my.toml", audioDirectory: "/a", stateDirectory: "/s", socket: "/k.sock")
        for variables in [[:], ["STATE_DIRECTORY": "/var/lib/adhand", "RUNTIME_DIRECTORY": "/run/adhand"]] {
            let paths = Paths(options, in: Self.environment(variables, having: ["my.toml"]))
            #expect(paths.configuration == .file("my.toml"))
            let missing = Paths(options, in: Self.environment(variables))
            #expect(missing.configuration == .embedded(lookedFor: ["my.toml"]))
            #expect(paths.audioDirectory == "/a" && paths.stateDirectory == "/s" && paths.socket == "/k.sock")
        }
    }

    @Test(
        "Sounds are found beside the program",
        arguments: [
            (
                "/opt/adhan/bin/adhand", ["/opt/adhan/share/adhand/audio", "/usr/share/adhand/audio"],
                "/opt/adhan/share/adhand/audio"
            ),
            (
                "/home/u/adhand/.build/x86_64/release/adhand",
                ["/home/u/adhand/Resources/audio", "/usr/share/adhand/audio"],
                "/home/u/adhand/Resources/audio"
            ),
            (
                "/opt/adhan/lib/adhand/adhan-programs",
                ["/opt/adhan/share/adhand/audio", "/usr/share/adhand/audio"],
                "/opt/adhan/share/adhand/audio"
            ),
            ("/usr/bin/adhand", ["/usr/share/adhand/audio"], "/usr/share/adhand/audio"),
            ("/usr/bin/adhand", [], "/usr/share/adhand/audio"),
            ("", [], "/usr/share/adhand/audio"),
        ])
    func audio(_ executable: String, _ existing: [String], _ directory: String) {
        let environment = Self.environment([:], executable: executable, having: existing)
        #expect(Paths(Paths.Options(), in: environment).audioDirectory == directory)
    }

    @Test("adhanctl talks to the daemon that is named, else to the user's own daemon, else to the system's")
    func client() {
        let own = "/r/adhand/control.sock"
        let variables = ["XDG_RUNTIME_DIR": "/r", "ADHAND_SOCKET": "/e.sock"]
        #expect(Paths.clientSocket(option: "/o.sock", in: Self.environment(variables)) == "/o.sock")
        #expect(Paths.clientSocket(option: nil, in: Self.environment(variables, having: [own])) == "/e.sock")
        let runtime = ["XDG_RUNTIME_DIR": "/r"]
        #expect(Paths.clientSocket(option: nil, in: Self.environment(runtime, having: [own])) == own)
        #expect(Paths.clientSocket(option: nil, in: Self.environment(runtime)) == "/run/adhand/control.sock")
    }

    @Test("A socket that somebody else put where one's own would be is not talked to")
    func impostor() throws {
        var environment = Self.environment([:], having: ["/tmp/adhand-1000/control.sock"])
        #expect(Paths.clientSocket(option: nil, in: environment) == "/tmp/adhand-1000/control.sock")
        environment.owns = { _ in false }
        #expect(Paths.clientSocket(option: nil, in: environment) == "/run/adhand/control.sock")
        let mine = try Scratch()
        defer { mine.remove() }
        #expect(Environment.process.owns(mine.path) && !Environment.process.owns("/nowhere"))
    }

    @Test("A configuration that cannot be reached is not a missing one")
    func blockedConfiguration() throws {
        var environment = Self.environment(["STATE_DIRECTORY": "/s"])
        environment.isBlocked = { $0 == "/etc/adhand/adhand.toml" || $0 == "/named.toml" }
        #expect(Paths(Paths.Options(), in: environment).configuration == .file("/etc/adhand/adhand.toml"))
        let named = Paths.Options(configuration: "/named.toml")
        #expect(Paths(named, in: environment).configuration == .file("/named.toml"))
        // Somebody else's home, closed to this user, holds nothing for it.
        let own = ["XDG_CONFIG_HOME": "/home/other/.config"]
        environment = Self.environment(own)
        environment.isBlocked = { $0.hasPrefix("/home/") }
        environment.owns = { _ in false }
        guard case .embedded = Paths(Paths.Options(), in: environment).configuration else {
            Issue.record("taken for a configuration")
            return
        }
    }

    @Test("Links that lead nowhere or in a circle are something, a missing file is nothing")
    func blockedPaths() throws {
        let here = try Scratch()
        defer { here.remove() }
        let (dangling, loop) = (here.path + "/dangling", here.path + "/loop")
        #expect(unsafe symlink("/nowhere/at/all", dangling) == 0 && symlink(loop, loop) == 0)
        let environment = Environment.process
        #expect(environment.isBlocked(dangling) && environment.isBlocked(loop))
        #expect(!environment.isBlocked(here.path) && !environment.isBlocked(here.path + "/missing"))
        #expect(!environment.isBlocked("/dev/null/below"))
    }

    @Test("A process sees its own environment")
    func process() {
        let environment = Environment.process
        #expect(environment.executable.hasPrefix("/"))
        #expect(environment.exists(environment.executable) && !environment.exists("/nonexistent"))
        #expect(environment.value("PATH") != nil)
    }

    private static func environment(
        _ variables: [String: String], executable: String = "/x/adhand", having existing: Set<String> = []
    ) -> Environment {
        Environment(
            variables: variables, userID: 1000, executable: executable, exists: { existing.contains($0) })
    }

    private static func environment(
        _ variables: [String: String], executable: String, having existing: [String]
    ) -> Environment {
        environment(variables, executable: executable, having: Set(existing))
    }
}
