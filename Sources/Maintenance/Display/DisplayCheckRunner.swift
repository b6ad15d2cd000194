import Console
package import DisplayFeed
import Glibc
import Host
import Protocol
import ScreenPlan
import Texts

/// Checks a `display.toml` with the rights of the screen's service: root starts a program as the service's user in its sandbox.
/// Other users check with their own rights.
package struct DisplayCheckRunner {
    /// The file given on the command line; `nil`: the usual one.
    let file: String?

    package init(
        file: String?
    ) {
        self.file = file
    }

    /// Seconds to wait for the program.
    private static let patienceSeconds = 30.0

    /// Returns the result; `nil` if no file is given and the usual one does not exist, so that there is nothing to check.
    package func document() -> DisplayCheck? {
        let path = file.map(Directories.absolute)
        guard path != nil || DisplayFile.isThere(DisplayConfig.systemFile, .process) else { return nil }
        let own = DisplayCheck(path, view: .text, user: Account.ownNameOrNumber, in: .process)
        // An invalid text is invalid for every user.
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

/// Runs a service's program once with other options, as the service's user in its sandbox. Requires root.
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
