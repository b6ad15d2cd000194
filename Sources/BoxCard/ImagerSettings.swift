package import Texts

/// The settings of a card that Raspberry Pi Imager wrote: one document for each of its two files.
package struct ImagerSettings: Codable, Sendable, Equatable {
    package struct Network: Codable, Sendable, Equatable {
        /// The bytes of its name as hexadecimal digits.
        package let ssid: String
        /// 64 hexadecimal digits or 8 to 63 characters; `nil` for an open network.
        @Nullable package var psk: String?
        package let hidden: Bool
    }

    /// A key whose lines were passed over.
    package struct Skipped: Codable, Sendable, Equatable {
        package let line: Int
        package let key: String
    }

    package internal(set) var wifi: [Network] = []
    @Nullable package internal(set) var country: String?
    @Nullable package internal(set) var hostname: String?
    @Nullable package internal(set) var timezone: String?
    package internal(set) var keys: [String] = []
    package internal(set) var skipped: [Skipped] = []

    /// Whether a box uses nothing from it.
    package var isEmpty: Bool {
        wifi.isEmpty && country == nil && hostname == nil && timezone == nil && keys.isEmpty
    }

    /// Whether a network has a key in place of its password. Networks of WPA3 alone cannot use it.
    package var hasDerivedKey: Bool { wifi.contains { $0.psk?.utf8.count == 64 } }

    /// Whether such a key is in this configuration of wpa_supplicant: a phone may have named the network again, with its password.
    package func hasDerivedKey(in configuration: String) -> Bool {
        wifi.contains { network in
            guard let key = network.psk, key.utf8.count == 64 else { return false }
            return configuration.split(separator: "\n").contains { CardNetworks.trimmed($0) == "psk=\(key)" }
        }
    }

    mutating func skip(_ entry: ImagerEntry) {
        skipped.append(Skipped(line: entry.line, key: entry.visibleName))
    }
}

/// The files that Raspberry Pi Imager writes onto the first partition of a card, as far as a box reads them.
package enum ImagerFile: String, CaseIterable, Sendable {
    case networkConfig = "network-config"
    case userData = "user-data"

    /// Imager writes less than three kilobytes.
    package static let mostBytes = 16 << 10

    /// Reads the whole file or refuses it. Nothing of it is executed, and lines of keys that are not read are not parsed.
    /// - Parameter isZone: whether this machine has a time zone of that name.
    package func read(_ file: [UInt8], isZone: @escaping (String) -> Bool) throws(ImagerError)
        -> ImagerSettings
    {
        guard file.count <= Self.mostBytes else { throw Self.tooLarge }
        let lines = try ImagerLines(file)
        switch self {
        case .networkConfig:
            var reader = NetworkConfigReader(lines)
            try reader.readFile()
            return reader.settings
        case .userData:
            var reader = UserDataReader(lines, isZone: isZone)
            try reader.readFile()
            return reader.settings
        }
    }

    package static let tooLarge = ImagerError(
        nil, "the file has more than \(mostBytes >> 10) KB. Imager writes no such file: flash the card again")
}

/// Why a file of Raspberry Pi Imager is refused: one reason, and the line that it is about.
package struct ImagerError: Error, Sendable, Equatable {
    package let line: Int?
    package let reason: String
    /// Whether the reason says what to do instead, so that other advice would contradict it.
    let hasOwnRemedy: Bool

    init(_ line: Int?, _ reason: String, hasOwnRemedy: Bool = false) {
        self.line = line
        self.reason = reason
        self.hasOwnRemedy = hasOwnRemedy
    }

    /// The sentence for the report on the card.
    package var message: String { line.map { "line \($0): \(reason)" } ?? reason }
}
