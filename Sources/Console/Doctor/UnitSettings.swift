/// The settings of a service unit that describe its environment, so that another program can be started in the same one.
package struct UnitSettings: Sendable, Equatable {
    /// The settings, `ProtectHome=yes` …, in order, as arguments of `systemd-run -p`.
    package private(set) var surroundings: [String] = []
    /// The words of `ExecStart=`.
    package private(set) var command: [String] = []

    /// Settings of the service itself and not of its environment: how it is started, watched, stopped and restarted, and the
    /// runtime directory, which would be removed when the other program ends.
    private static let own = [
        "Type", "NotifyAccess", "Exec", "Restart", "Watchdog", "Timeout", "RuntimeDirectory", "Runtime",
        "BusName",
        "PIDFile", "Sockets", "Standard", "SuccessExitStatus", "StartLimit", "OOMPolicy",
        "FileDescriptorStore",
        "NonBlocking", "RemainAfterExit", "GuessMainPID", "FailureAction", "SuccessAction",
        "SyslogIdentifier",
    ]

    /// - Parameter text: the output of `systemctl cat`: the unit's file, and its drop-ins after it.
    package init(shown text: String) {
        var section = ""
        var continued = ""
        for raw in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = raw.drop { $0 == " " || $0 == "\t" }
            if line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasSuffix("\\") {
                continued += line.dropLast() + " "
                continue
            }
            let whole = continued + line
            continued = ""
            if whole.hasPrefix("[") {
                section = String(whole.prefix { $0 != "]" }.dropFirst())
            } else if section == "Service" {
                parse(whole)
            }
        }
    }

    private mutating func parse(_ line: String) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        let name = parts[0].filter { $0 != " " }
        let value = String(parts[1].drop { $0 == " " })
        if name == "ExecStart" {
            // Its prefixes (systemd.service(5)) change the user and the rights, not the command.
            command = value.split(separator: " ").map(String.init)
            command =
                command.first.map { [String($0.drop { "@-:+!".contains($0) })] + command.dropFirst() } ?? []
        } else if !Self.own.contains(where: name.hasPrefix) {
            surroundings.append("\(name)=\(value)")
        }
    }
}
