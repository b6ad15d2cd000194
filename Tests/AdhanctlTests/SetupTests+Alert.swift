import Console
import Foundation
import Testing
import Texts

extension SetupTests {
    /// An adhanctl with an adhan-bridge beside it that notes what it is asked, and does nothing else.
    private func beside(_ script: String) throws -> Adhanctl {
        var program = Adhanctl()
        let folder = program.home.path + "/bin"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        program.executable = folder + "/adhanctl"
        let own = URL(fileURLWithPath: Adhanctl.path).resolvingSymlinksInPath()
        // A copy: the folder of the running file is looked in, and a link leads away from it.
        try FileManager.default.copyItem(at: own, to: URL(fileURLWithPath: program.executable))
        let bridge = folder + "/adhan-bridge"
        try "#!/bin/sh\necho \"$@\" >> \(program.home.path)/asked\n\(script)\n".write(
            toFile: bridge, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bridge)
        return program
    }

    private func asked(_ program: Adhanctl) throws -> [String] {
        try String(contentsOfFile: program.home.path + "/asked", encoding: .utf8).split(separator: "\n")
            .map(String.init)
    }

    private static let empty = "echo '{\"alerts\":[]}'"

    @Test("An address of the command line is written by adhan-bridge, beside the configuration, and tried")
    func alert() throws {
        let program = try beside(Self.empty)
        let outcome = try setup(
            program, ["--city", "Queens", "--alert", "ntfy.sh/our-mosque", "--yes"], json: true)
        let document = try JSON.decode(SetupDocument.self, from: Array(outcome.output.utf8))
        let alert = try #require(document.alert, "\(outcome)")
        #expect(
            outcome.status == 0 && alert.saved && alert.delivered == true && alert.fix == nil, "\(outcome)")
        #expect(alert.address == "https://ntfy.sh/our-mosque")
        let bridge = program.home.path + "/etc/bridge.toml"
        #expect(alert.file == bridge)
        #expect(
            try asked(program) == [
                "alert --config \(bridge) --json",
                "alert https://ntfy.sh/our-mosque --name phone --config \(bridge) --json",
                "test phone --config \(bridge) --json",
            ])
    }

    @Test("Its failures are reported, by status 1, and what adhand has was saved")
    func alertFails() throws {
        let program = try beside(
            "case $1 in test) echo 'adhan-bridge: the server does not answer' >&2; exit 1;; esac; \(Self.empty)"
        )
        let outcome = try setup(program, ["--city", "Queens", "--alert", "ntfy.sh/our-mosque", "--yes"])
        #expect(outcome.status == 1 && FileManager.default.fileExists(atPath: file(program)))
        #expect(
            outcome.output.contains("but the test message was not taken: the server does not answer."),
            "\(outcome)")
        #expect(outcome.output.contains("Try: sudo adhan-bridge test phone"), "\(outcome)")
    }

    @Test(
        "What cannot be an address is refused before anything is saved",
        arguments: [
            ("http://example.org/a", 64, "without https"), ("our mosque", 64, "no spaces"),
            ("ntfy.sh", 64, "ntfy.sh/NAME"),
        ])
    func alertRefused(address: String, status: Int32, reason: String) throws {
        let program = try beside(Self.empty)
        let outcome = try setup(program, ["--city", "Queens", "--alert", address, "--yes"])
        #expect(outcome.status == status && outcome.error.contains(reason), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: file(program)))
    }

    @Test("A file of the bridge that is at fault is reported before anything is saved")
    func alertUnreadable() throws {
        let program = try beside("echo 'adhan-bridge: bridge.toml:1:1: unknown key x' >&2; exit 65")
        let outcome = try setup(program, ["--city", "Queens", "--alert", "ntfy.sh/a", "--yes"])
        #expect(
            outcome.status == 1 && outcome.error.contains("unknown key x; nothing was changed"), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: file(program)))
    }

    @Test("Nobody, where nobody learnt before, changes nothing")
    func nobody() throws {
        let program = try beside(Self.empty)
        let outcome = try setup(program, ["--city", "Queens", "--alert", "none", "--yes"], json: true)
        let document = try JSON.decode(SetupDocument.self, from: Array(outcome.output.utf8))
        #expect(outcome.status == 0 && document.alert == nil)
        #expect(try asked(program).count == 1)
    }
}
