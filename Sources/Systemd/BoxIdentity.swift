internal import CSystemd

/// The name of this machine for brokers and fleets: stable, but not the machine's own identifier.
package enum BoxIdentity {
    private static let application = "6f2b8c1e9d4a4f07b3a5c2d1e0f98765"
    private static let digits = 16

    /// - Returns: hexadecimal digits; `nil` if the machine has no identifier (machine-id(5)).
    package static func ofMachine() -> String? {
        var (own, box) = (sd_id128_t(), sd_id128_t())
        guard unsafe sd_id128_from_string(application, &own) == 0,
            unsafe sd_id128_get_machine_app_specific(own, &box) == 0
        else { return nil }
        let bytes = unsafe withUnsafeBytes(of: box) { unsafe Array($0) }
        let hexadecimal = bytes.flatMap { [$0 >> 4, $0 & 0xF] }.map { String($0, radix: 16) }
        return hexadecimal.prefix(digits).joined()
    }
}
