/// Services that could keep the clock, by their units' names.
package enum TimeServices {
    private static let names = ["systemd-timesyncd", "chrony", "chronyd", "ntpsec", "ntp", "openntpd"]
    private static let folders = [
        "/usr/lib/systemd/system", "/lib/systemd/system", "/etc/systemd/system",
    ]

    /// The installed services.
    package static func installed(in environment: Environment) -> [String] {
        names.filter { name in folders.contains { environment.exists("\($0)/\(name).service") } }
    }
}

/// Whether systemd runs this machine.
package enum InitSystem {
    /// Whether systemd runs, detected by the directory that sd_booted(3) checks.
    package static var isSystemd: Bool { Directories.isDirectory("/run/systemd/system") }
}
