/// Tells one boot of the machine from another.
package enum BootIdentity {
    /// As the kernel makes it up at every boot; `nil` where there is no /proc.
    package static var current: String? {
        guard let bytes = try? FileBytes.read("/proc/sys/kernel/random/boot_id", limit: 4096) else {
            return nil
        }
        let text = String(decoding: bytes.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
