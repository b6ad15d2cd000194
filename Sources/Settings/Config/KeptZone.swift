import FoundationEssentials
package import PrayerEngine

/// The rules of the time zone at the last good reading, as the bytes of their file: the box uses them when that file is damaged.
package struct KeptZone: Codable, Sendable, Equatable {
    /// The zone that the configuration named; `nil` when it was the machine's.
    package let configured: String?
    package let name: String
    /// The bytes of the compiled file (TZif), in base64.
    private let tzif: String

    package init(configured: String?, name: String, tzif: [UInt8]) {
        self.configured = configured
        self.name = name
        self.tzif = Data(tzif).base64EncodedString()
    }

    /// The zone; `nil` when the copy is damaged, too.
    package var zone: Zone? {
        guard let bytes = Data(base64Encoded: tzif) else { return nil }
        return try? Zone(name: name, tzif: Array(bytes))
    }
}
