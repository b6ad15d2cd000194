/// Finds network addresses by their form.
extension Redaction {
    package static func withoutAddresses(_ text: String) -> String {
        var text = replaceRuns(in: text, of: { $0.isNumber || $0 == "." }, where: isIPv4)
        text = replaceRuns(
            in: text, of: { $0.isHexDigit || $0 == ":" }, where: { isHardware($0, ":") || isIPv6($0) })
        // PulseAudio and BlueZ write the address of a Bluetooth loudspeaker with these separators.
        for separator: Character in ["_", "-"] {
            text = replaceRuns(
                in: text, of: { $0.isHexDigit || $0 == separator }, where: { isHardware($0, separator) })
        }
        return text
    }

    /// Replaces unbroken runs of such characters, without the punctuation at their ends.
    private static func replaceRuns(
        in text: String, of isMember: (Character) -> Bool, where isAddress: (Substring) -> Bool
    ) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: isMember) {
            result += rest[..<start]
            let run = rest[start...].prefix(while: isMember)
            let core = run.drop { ".-_".contains($0) }
            let end = core.lastIndex { !".-_".contains($0) }
            let address = end.map { core[...$0] } ?? ""
            rest = rest[run.endIndex...]
            // Text that continues is part of a word: `v1.2.3.4`, `Foo::bar`.
            let isWord =
                core.count == run.count && (result.last.map { $0.isLetter || $0.isNumber } ?? false)
                || address.count == core.count && (rest.first.map { $0.isLetter || $0.isNumber } ?? false)
            if !isWord, isAddress(address) {
                result += run.prefix(run.count - core.count) + "(address)" + core.dropFirst(address.count)
            } else {
                result += run
            }
        }
        return result + rest
    }

    /// Whether a text is four numbers up to 255. A version with four parts looks the same, but losing it matters less.
    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether a text is eight groups, or fewer with two colons for the rest (RFC 4291). Times have neither.
    private static func isIPv6(_ text: Substring) -> Bool {
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        guard groups.allSatisfy({ $0.count <= 4 }) else { return false }
        let filled = groups.count { !$0.isEmpty }
        return text.contains("::") ? filled > 0 && groups.count > 2 : filled == 8
    }

    /// Whether a text is six bytes: the address of a network card or a Bluetooth device.
    private static func isHardware(_ text: Substring, _ separator: Character) -> Bool {
        let groups = text.split(separator: separator, omittingEmptySubsequences: false)
        return groups.count == 6 && groups.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
    }
}
