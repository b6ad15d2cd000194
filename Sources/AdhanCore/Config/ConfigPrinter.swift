/// Writing a configuration as TOML, from the same table that reads it.
extension Config {
    /// The effective configuration: valid TOML that loads to this value. What is left to the system is left out.
    package func printed() -> String {
        var text = ""
        for section in ConfigSchema.sections {
            if section.path == ConfigSchema.followsAdhan { text += printedAdhan() }
            let lines = section.keys.compactMap { key in
                key.get(self).map { Self.line(key.name, $0, key.meaning) }
            }
            text += Self.table(section.path, "", lines)
        }
        return text
    }

    /// `[adhan]` holds what most prayers do; a prayer has a table of its own for what it does otherwise.
    private func printedAdhan() -> String {
        let shared = ConfigSchema.adhan.map { key in
            Self.commonest(Prayer.allCases.filter { $0 != .jumua }.map { key.get(self[$0]) })
        }
        let name = ConfigSchema.adhanTable
        var text = Self.table(
            [name], "",
            zip(ConfigSchema.adhan, shared).compactMap { key, value in
                value.map { Self.line(key.name, $0, key.meaning) }
            })
        for prayer in Prayer.allCases {
            let base = prayer == .jumua ? ConfigSchema.adhan.map { $0.get(self[.dhuhr]) } : shared
            let lines = zip(ConfigSchema.adhan, base).compactMap { key, base in
                let value = key.get(self[prayer])
                return value == base ? nil : value.map { Self.line(key.name, $0, "") }
            }
            if !lines.isEmpty { text += Self.table([name, prayer.rawValue], "", lines) }
        }
        return text
    }

    /// The embedded default as a file to start from: every key with its default and its meaning; keys without one
    /// stand commented out.
    package static let defaultText: String = {
        let config = Config.default
        var text = "# adhand's configuration. Every key is optional; what is left out is as shown here.\n\n"
        for section in ConfigSchema.sections {
            if section.path == ConfigSchema.followsAdhan { text += defaultAdhan }
            let lines = section.keys.map { key in
                if let value = key.get(config) { return line(key.name, value, key.meaning) }
                return line("# " + key.name, key.example ?? .text(""), key.meaning)
            }
            let isEmpty = section.keys.allSatisfy { $0.get(config) == nil }
            text += table(section.path, section.meaning, lines, commentedOut: isEmpty)
        }
        return text
    }()

    private static var defaultAdhan: String {
        let lines = ConfigSchema.adhan.compactMap { key in
            key.get(AdhanSettings()).map { line(key.name, $0, key.meaning) }
        }
        return table([ConfigSchema.adhanTable], "what every prayer does", lines)
            + "# Any of these keys for one prayer alone: fajr, dhuhr, asr, maghrib, isha, jumua (Friday's dhuhr).\n"
            + "# [adhan.fajr]\n# volume = 60\n\n"
    }

    private static func table(
        _ path: [String], _ meaning: String, _ lines: [String], commentedOut: Bool = false
    ) -> String {
        guard !lines.isEmpty else { return "" }
        let body = lines.joined(separator: "\n") + "\n\n"
        guard !path.isEmpty else { return body }
        let header = (commentedOut ? "# " : "") + "[\(path.joined(separator: "."))]"
        return padded(header, meaning) + "\n" + body
    }

    private static func line(_ name: String, _ value: ConfigValue, _ meaning: String) -> String {
        padded("\(name) = \(value.toml)", meaning)
    }

    /// Comments stand in one column where the text leaves room.
    private static func padded(_ text: String, _ comment: String) -> String {
        guard !comment.isEmpty else { return text }
        return text + String(repeating: " ", count: max(2, 34 - text.count)) + "# " + comment
    }

    private static func commonest(_ values: [ConfigValue?]) -> ConfigValue? {
        var best: (value: ConfigValue?, count: Int) = (nil, 0)
        for value in values {
            let count = values.count { $0 == value }
            if count > best.count { best = (value, count) }
        }
        return best.value
    }
}
