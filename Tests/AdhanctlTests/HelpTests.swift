import Foundation
import LabSupport
import Testing

@Suite("Help")
struct HelpTests {
    static let commands = [
        "", "status", "next", "history", "log", "mute", "unmute", "enable", "disable", "skip", "unskip",
        "stop", "test-play", "sound", "sound add", "sound list", "sound use", "sound remove", "sound play",
        "timetable", "timetable import", "timetable show", "timetable check", "timetable export",
        "timetable remove", "timetable undo",
        "exception", "exception list", "exception remove", "times",
        "iqama", "explain", "methods", "qibla", "hijri", "hijri sighted", "hijri complete", "hijri pins",
        "hijri pins remove", "city", "setup", "set", "unset", "method", "settings", "settings log",
        "settings undo",
        "settings reset", "settings export", "doctor", "reload",
        "check", "diagnostics", "feedback", "display", "display url", "display status", "display scene",
        "display enable", "display disable", "remote", "remote enable", "remote disable", "remote status",
        "remote url", "remote pair", "remote phones", "remote revoke",
        "card", "card before", "card after", "card report", "card health", "card read",
        "card hotspot", "debug", "debug timers", "debug trigger", "debug monitor", "outputs",
        "fleet", "fleet apply", "fleet status", "fleet leave",
    ]

    @Test("Every command's help is what it was", arguments: commands)
    func help(command: String) throws {
        let outcome = try Adhanctl().run(command.split(separator: " ").map(String.init) + ["--help"])
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        let name = command.isEmpty ? "adhanctl" : command.replacing(" ", with: "-")
        try ExpectedText.expect(outcome.output, in: "help/\(name).txt", of: .module)
    }

    @Test("No line of help is wider than a terminal", arguments: commands)
    func width(command: String) throws {
        let outcome = try Adhanctl().run(command.split(separator: " ").map(String.init) + ["--help"])
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("The version is one line")
    func version() throws {
        #expect(try Adhanctl().run("--version") == .init(status: 0, output: "adhanctl 0.1.0\n", error: ""))
    }
}
