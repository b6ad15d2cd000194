import TOML
package import Texts

/// A key with different values in two configurations.
package struct ConfigDifference: Codable, Sendable, Equatable {
    package let key: String
    /// The old value in TOML; `null` where it is not set.
    @Nullable package var before: String?
    @Nullable package var after: String?

    package init(key: String, before: String? = nil, after: String? = nil) {
        self.key = key
        self.before = before
        self.after = after
    }

    package static func of(_ old: [ConfigSetting], _ new: [ConfigSetting]) -> [ConfigDifference] {
        let (before, after) = (values(old), values(new))
        return Set(before.keys).union(after.keys).sorted().compactMap { key in
            before[key] == after[key]
                ? nil : ConfigDifference(key: key, before: before[key], after: after[key])
        }
    }

    /// The differences of texts of which one cannot be used as a configuration: their keys and values as written. Of a text that
    /// is not TOML only the readable keys count; whether it has others is unknown.
    package static func of(texts old: [UInt8], _ new: [UInt8]) -> [ConfigDifference] {
        let (before, isBeforeWhole) = writtenValues(old)
        let (after, isAfterWhole) = writtenValues(new)
        return Set(before.keys).union(after.keys).sorted().compactMap { key in
            guard before[key] != after[key], isBeforeWhole || before[key] != nil,
                isAfterWhole || after[key] != nil
            else { return nil }
            return ConfigDifference(key: key, before: before[key], after: after[key])
        }
    }

    private static func writtenValues(_ text: [UInt8]) -> (values: [String: String], isWhole: Bool) {
        let document = TOMLDocument(text)
        let pairs = document.pairs.map { pair in
            (
                pair.path.joined(separator: "."),
                String(decoding: text[document.nodes[pair.node].range], as: UTF8.self)
            )
        }
        return (Dictionary(pairs) { $1 }, document.faults.isEmpty)
    }

    private static func values(_ settings: [ConfigSetting]) -> [String: String] {
        Dictionary(settings.map { ($0.key, $0.value) }) { $1 }
    }

    /// `location.name: "Dearborn" -> "Makkah"`
    package var text: String { "\(key): \(before ?? "not set") -> \(after ?? "not set")" }
}
