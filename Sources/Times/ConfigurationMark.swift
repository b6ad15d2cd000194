import Settings
import Texts

/// The mark of a text that a command wrote: a file that still matches it was neither cut nor emptied since.
package struct ConfigurationMark: Codable, Sendable, Equatable {
    /// SHA-256 of the text, in hexadecimal digits.
    package let written: String?

    package init(written: String?) { self.written = written }

    /// Reads the record beside a configuration (`adhand.toml.bak.json`), which has further fields for the commands.
    package init(fileBytes: [UInt8]) throws { self = try JSON.decode(Self.self, from: fileBytes) }

    package static func digest(_ text: [UInt8]) -> String { SHA256.hex(text) }

    /// The name of the record beside a configuration.
    package static func record(of path: String) -> String { path + ".bak.json" }

    package func isOf(_ text: [UInt8]) -> Bool { written == Self.digest(text) }
}

extension ConfigurationLoss {
    /// Keys whose default would move the box, or change its method.
    private static let deciding = [
        "location.latitude", "location.longitude", "timezone", "calculation.method", "calculation.zone",
    ]

    /// Keys about the place and the calculation that one file had, and that no file has any more.
    static func defaults(in new: [ConfigSource], of source: ConfigSource) -> ConfigurationLoss? {
        let gone = Set(keys(of: source.text, goneFrom: new.first { $0.file == source.file }?.text ?? []))
        guard deciding.contains(where: gone.contains),
            let now = try? ConfigLoader.load(new).settings
        else { return nil }
        let still = Set(now.map(\.key))
        let lost = deciding.filter { gone.contains($0) && !still.contains($0) }
        return lost.isEmpty ? nil : ConfigurationLoss(file: source.file, kind: .keys(lost))
    }
}
