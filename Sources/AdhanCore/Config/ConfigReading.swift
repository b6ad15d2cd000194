import PrayerEngine
import TOMLKit

/// One pass over the texts of a configuration: what was found, checked against the table of keys. Of two texts that set
/// the same key the later one wins.
struct ConfigReading {
    /// A text and where its keys stand.
    fileprivate struct Part {
        let text: ConfigText
        let keys: KeyLocator
    }

    private struct Found {
        let value: ConfigValue
        let place: Place
        /// Where earlier texts set the same key.
        let overridden: [Place]
    }

    private struct Place {
        let part: Int
        let keyOffset: Int
    }

    private var parts: [Part] = []
    private var values: [[String]: Found] = [:]

    /// Checks every key and value of one more text, in its order.
    mutating func add(_ source: ConfigSource) throws(ConfigError) {
        let text = ConfigText(bytes: source.text, file: source.file)
        let string = try text.decoded()
        let keys = KeyLocator(text.bytes)
        try text.refuseStructure(keys)
        let table: TOMLTable
        do {
            table = try TOMLTable(string: string)
        } catch let error as TOMLParseError {
            throw text.syntaxError(error, keys)
        } catch {
            throw text.error(at: 0, key: nil, "not readable as TOML: \(error)")
        }
        let part = Part(text: text, keys: keys)
        parts.append(part)
        for (index, node) in keys.nodes.enumerated() {
            // Elements of a list are judged with their list.
            guard let path = part.names(of: index) else { continue }
            switch ConfigSchema.entries[path] {
            case .table:
                let value = Self.value(at: path, in: table)
                if case .table = value { continue }
                throw text.error(
                    at: node.valueOffset, key: path.joined(separator: "."),
                    "\(path.joined(separator: ".")) must be a table, written [\(path.joined(separator: "."))], "
                        + "not \(value.description)")
            case .key(let rule):
                let earlier = values[path].map { $0.overridden + [$0.place] } ?? []
                values[path] = Found(
                    value: try part.check(Self.value(at: path, in: table), rule, path, index),
                    place: Place(part: parts.count - 1, keyOffset: node.keyOffset), overridden: earlier)
            case nil: throw part.unknown(path, at: node.keyOffset)
            }
        }
    }

    /// Every key that is set, with its value and the places that set it, in the order of the table of keys.
    func settings() -> [ConfigSetting] {
        ConfigSchema.paths.compactMap { path in
            values[path].map { found in
                ConfigSetting(
                    key: path.joined(separator: "."), value: found.value.concise.toml,
                    place: written(found.place), overridden: found.overridden.map { written($0) })
            }
        }
    }

    private func written(_ place: Place) -> ConfigSetting.Place {
        let text = parts[place.part].text
        return .init(
            file: text.file, line: TextPosition(offset: place.keyOffset, in: text.bytes).line)
    }

    /// What single keys cannot say: which of them need or exclude each other.
    func checkRelations() throws(ConfigError) {
        let place = ["location"]
        for (given, missing) in [("latitude", "longitude"), ("longitude", "latitude")]
        where has(place + [given]) && !has(place + [missing]) {
            throw relation(place + [given], "location.\(given) needs location.\(missing) beside it")
        }
        for name in ["name", "elevation"] where has(place + [name]) && !has(place + ["latitude"]) {
            throw relation(
                place + [name], "location.\(name) needs location.latitude and location.longitude beside it")
        }
        try checkAngles()
    }

    private func checkAngles() throws(ConfigError) {
        let angles = ["calculation", "angles"]
        let method = ["calculation", "method"]
        if values[method]?.value != .text(CalculationSettings.custom) {
            guard parts.contains(where: { $0.keys.node(angles) != nil }) else { return }
            throw relation(
                angles,
                "calculation.angles is read only with method = \"custom\"; set it, or remove the angles")
        }
        guard has(angles + ["fajr"]), has(angles + ["isha"]) || has(angles + ["isha-minutes"]) else {
            throw relation(
                method,
                "calculation.method = \"custom\" needs fajr and isha (or isha-minutes) in [calculation.angles]"
            )
        }
        if has(angles + ["isha"]), has(angles + ["isha-minutes"]) {
            throw relation(
                angles + ["isha-minutes"],
                "calculation.angles.isha-minutes excludes calculation.angles.isha; keep one of them")
        }
    }

    /// What only the engine knows, such as a maghrib angle that must be smaller than isha's.
    func checkCalculation(of config: Config) throws(ConfigError) {
        do throws(EngineError) {
            _ = try config.calculation.calculation()
        } catch {
            throw relation(["calculation", "angles"], "calculation.angles: \(error.description)")
        }
    }

    /// The defaults overlaid with what was read: [adhan] for every prayer, then each prayer's own; jumua begins as dhuhr.
    func resolved() -> Config {
        var config = Config.default
        for section in ConfigSchema.sections {
            for key in section.keys {
                if let found = values[section.path + [key.name]] { key.set(&config, found.value) }
            }
        }
        let shared = overlaid(AdhanSettings(), with: [ConfigSchema.adhanTable])
        // jumua comes last in the order of prayers, after the dhuhr that it begins as.
        for prayer in Prayer.allCases {
            config[prayer] = overlaid(
                prayer == .jumua ? config[.dhuhr] : shared, with: [ConfigSchema.adhanTable, prayer.rawValue])
        }
        return config
    }

    private func overlaid(_ settings: AdhanSettings, with table: [String]) -> AdhanSettings {
        var settings = settings
        for key in ConfigSchema.adhan {
            if let found = values[table + [key.name]] { key.set(&settings, found.value) }
        }
        return settings
    }

    private func has(_ path: [String]) -> Bool { values[path] != nil }

    /// At a key or a table, in the last text that has it.
    private func relation(_ path: [String], _ reason: String) -> ConfigError {
        let key = path.joined(separator: ".")
        for part in parts.reversed() {
            guard let node = part.keys.node(path) else { continue }
            return part.text.error(at: part.keys.nodes[node].keyOffset, key: key, reason)
        }
        let text = parts.last?.text ?? ConfigText(bytes: [], file: "")
        return text.error(at: 0, key: key, reason)
    }

    private static func value(at path: [String], in table: TOMLTable) -> WrittenValue {
        var table = table
        for name in path.dropLast() {
            guard let next = table[name]?.table else { return .table }
            table = next
        }
        return path.last.flatMap { table[$0] }.map { WrittenValue($0) } ?? .table
    }
}

extension ConfigReading.Part {
    fileprivate func check(
        _ value: WrittenValue, _ rule: ValueRule, _ path: [String], _ node: Int
    ) throws(ConfigError) -> ConfigValue {
        do throws(ValueRule.Mistake) {
            return try rule.check(value)
        } catch {
            let key = path.joined(separator: ".")
            var reason = "\(key) must be \(rule.allowed), not \(error.got)"
            if let because = error.because { reason += ": \(because)" }
            if let hint = error.hint { reason += "; did you mean \(hint)?" }
            throw text.error(at: offset(of: error.element, in: node), key: key, reason)
        }
    }

    fileprivate func unknown(_ path: [String], at offset: Int) -> ConfigError {
        let table = Array(path.dropLast())
        let name = path[path.count - 1]
        let allowed = ConfigSchema.names(in: table)
        let key = path.map(TOMLEscapes.key).joined(separator: ".")
        var reason = "unknown key \(key); allowed "
        reason += table.isEmpty ? "here" : "in [\(table.joined(separator: "."))]"
        reason += ": \(allowed.joined(separator: ", "))"
        if let near = NearestName.of(name, among: allowed) {
            reason += "; did you mean \(near)?"
        } else if let home = ConfigSchema.home(of: name) {
            reason +=
                home.isEmpty
                ? "; \(name) stands before the first [table]"
                : "; \(name) belongs in [\(home.joined(separator: "."))]"
        }
        return text.error(at: offset, key: key, reason)
    }

    private func offset(of element: Int?, in node: Int) -> Int {
        guard let element,
            let found = keys.nodes.first(where: { $0.parent == node && $0.part == .index(element) })
        else { return keys.nodes[node].valueOffset }
        return found.valueOffset
    }

    /// The path of a node that hangs on keys alone; `nil` for what is inside a list.
    fileprivate func names(of node: Int) -> [String]? {
        var names: [String] = []
        for part in keys.path(of: node) {
            guard case .key(let name) = part else { return nil }
            names.append(name)
        }
        return names
    }
}
