import Console
package import DisplayFeed
import Glibc
import Host
import Protocol
import ScreenPlan
import Texts

/// Has a `display.toml` looked at by whoever sees what the screen sees: root starts a program as its user in its sandbox;
/// anybody else looks with their own eyes.
package struct DisplayCheckRunner {
    /// Named by hand; else the usual one.
    let file: String?

    package init(
        file: String?
    ) {
        self.file = file
    }

    /// Seconds.
    private static let patienceSeconds = 30.0

    /// `nil` where no file is named and the usual one is not there: then there is nothing to check.
    package func document() -> DisplayCheck? {
        let path = file.map(Directories.absolute)
        guard path != nil || DisplayFile.isThere(DisplayConfig.systemFile, .process) else { return nil }
        let own = DisplayCheck(path, view: .text, user: Account.ownNameOrNumber, in: .process)
        // A wrong text is wrong for every user.
        guard own.valid, let seen = asService(path) else { return own }
        return seen
    }

    private func asService(_ path: String?) -> DisplayCheck? {
        let options = ["--check", "--json"] + (path.map { ["--config", $0] } ?? [])
        guard
            let outcome = ServiceSandbox.run("adhan-display.service", options, seconds: Self.patienceSeconds),
            var check = try? JSON.decode(DisplayCheck.self, from: outcome.output.utf8)
        else { return nil }
        check.view = .service
        return check
    }
}

/// Runs the program of a service once with other options, as the service's user in its sandbox. Takes root.
enum ServiceSandbox {
    static func run(_ unit: String, _ options: [String], seconds: Double) -> SystemTool.Outcome? {
        guard geteuid() == 0, let shown = SystemTool.output("systemctl", ["cat", "--no-pager", unit]) else {
            return nil
        }
        let settings = UnitSettings(shown: shown)
        guard !settings.command.isEmpty else { return nil }
        let properties = settings.surroundings.flatMap { ["-p", $0] }
        let arguments =
            ["--quiet", "--pipe", "--wait", "--collect"] + properties + ["--"] + settings.command
        return SystemTool.run("systemd-run", arguments + options, seconds: seconds)
    }
}
