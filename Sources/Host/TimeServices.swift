/// Services that could keep the clock, as their units are called.
package enum TimeServices {
    private static let names = ["systemd-timesyncd", "chrony", "chronyd", "ntpsec", "ntp", "openntpd"]
    private static let folders = [
        "/usr/lib/systemd/system", "/lib/systemd/system", "/etc/systemd/system",
    ]

    /// Those that are installed.
    package static func installed(in environment: Environment) -> [String] {
        names.filter { name in folders.contains { environment.exists("\($0)/\(name).service") } }
    }
}

/// Whether systemd runs this machine.
package enum InitSystem {
    /// By the directory that sd_booted(3) looks at.
    package static var isSystemd: Bool { Directories.isDirectory("/run/systemd/system") }
}
