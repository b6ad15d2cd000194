internal import CSystemd
internal import Glibc
internal import Host

/// The name under which a broker knows this machine: stable, and not the machine's own identifier.
enum BoxIdentity {
    private static let application = "6f2b8c1e9d4a4f07b3a5c2d1e0f98765"
    private static let digits = 16

    /// - Returns: hexadecimal digits; `nil` where the machine has no identifier (machine-id(5)).
    static func ofMachine() -> String? {
        var (own, box) = (sd_id128_t(), sd_id128_t())
        guard unsafe sd_id128_from_string(application, &own) == 0,
            unsafe sd_id128_get_machine_app_specific(own, &box) == 0
        else { return nil }
        let bytes = unsafe withUnsafeBytes(of: box) { unsafe Array($0) }
        let hexadecimal = bytes.flatMap { [$0 >> 4, $0 & 0xF] }.map { String($0, radix: 16) }
        return hexadecimal.prefix(digits).joined()
    }

    /// Whether a name given by hand can stand in a topic and in an identifier.
    static func isValid(_ box: String) -> Bool {
        (1...32).contains(box.utf8.count)
            && box.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }
}
