/// Distinguishes one boot of the machine from another.
package enum BootIdentity {
    /// The boot as the service manager reports it (`ADHAND_BOOT_ID`), because the service sees only processes in /proc; otherwise
    /// the kernel's own value. `nil` where there is neither.
    package static func current(in environment: Environment) -> String? {
        let identity = environment.value("ADHAND_BOOT_ID") ?? read("/proc/sys/kernel/random/boot_id")
        // One of them has hyphens, the other does not.
        let digits = identity.map { $0.filter(\.isHexDigit).lowercased() } ?? ""
        return digits.isEmpty ? nil : digits
    }

    private static func read(_ path: String) -> String? {
        (try? FileBytes.read(path, limit: 4096)).map { String(decoding: $0, as: UTF8.self) }
    }
}
