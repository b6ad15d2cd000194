/// A key that two configurations set differently.
package struct ConfigDifference: Codable, Sendable, Equatable {
    package let key: String
    /// As TOML writes it; `null` where it is not set.
    @Nullable package var before: String?
    @Nullable package var after: String?

    package static func of(_ old: [ConfigSetting], _ new: [ConfigSetting]) -> [ConfigDifference] {
        let (before, after) = (values(old), values(new))
        return Set(before.keys).union(after.keys).sorted().compactMap { key in
            before[key] == after[key]
                ? nil : ConfigDifference(key: key, before: before[key], after: after[key])
        }
    }

    private static func values(_ settings: [ConfigSetting]) -> [String: String] {
        Dictionary(settings.map { ($0.key, $0.value) }) { $1 }
    }

    /// `location.name: "Dearborn" -> "Makkah"`
    package var text: String { "\(key): \(before ?? "not set") -> \(after ?? "not set")" }
}
