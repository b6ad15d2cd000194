import PrayerEngine
import TOML

/// One pass over the texts of a configuration: what was found, checked against the table of keys. Of two texts that set
/// the same key the later one wins.
struct ConfigReading {
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

    private var parts: [ConfigText] = []
    private var values: [[String]: Found] = [:]
    /// In the order of the texts.
    private(set) var mistakes: [ConfigError] = []

    /// Checks every key and value of one more text.
    mutating func add(_ source: ConfigSource) {
        let text = ConfigText(source)
        parts.append(text)
        var found = text.mistakes
        var faulty: Set<Int> = []
        for (index, node) in text.document.nodes.enumerated() {
            // Elements of a list are judged with their list, and what is inside of a mistake is none of its own.
            guard let path = text.document.path(of: index) else { continue }
            if let parent = node.parent, faulty.contains(parent) {
                faulty.insert(index)
                continue
            }
            do throws(ConfigError) {
                try read(index, path, text)
            } catch {
                found.append(error)
                faulty.insert(index)
            }
        }
        mistakes += found.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    private mutating func read(_ index: Int, _ path: [String], _ text: ConfigText) throws(ConfigError) {
        let node = text.document.nodes[index]
        // What is no value was told when the text was read.
        if node.value == .invalid { return }
        let value = WrittenValue(index, in: text.document)
        switch ConfigSchema.entries[path] {
        case .table:
            if case .table = value { return }
            let name = path.joined(separator: ".")
            throw text.error(
                at: node.range.lowerBound, key: name,
                "\(name) must be a table, written [\(name)], not \(value.description)")
        case .key(let rule):
            let earlier = values[path].map { $0.overridden + [$0.place] } ?? []
            values[path] = Found(
                value: try text.check(value, rule, path, index),
                place: Place(part: parts.count - 1, keyOffset: node.keyOffset), overridden: earlier)
        case nil: throw text.unknown(path, at: node.keyOffset)
        }
    }

    /// Every key that is set, with its value and the places that set it, in the order of the table of keys.
    func settings() -> [ConfigSetting] {
        ConfigSchema.paths.compactMap { path in
            values[path].map { found in
                ConfigSetting(
                    key: path.joined(separator: "."), value: ConfigSchema.toml(found.value, at: path),
                    place: written(found.place), overridden: found.overridden.map { written($0) })
            }
        }
    }

    private func written(_ place: Place) -> ConfigSetting.Place {
        let text = parts[place.part]
        return .init(file: text.file, line: text.line(of: place.keyOffset))
    }

    /// What single keys cannot say: which of them need or exclude each other.
    mutating func checkRelations() {
        let place = ["location"]
        for (given, missing) in [("latitude", "longitude"), ("longitude", "latitude")]
        where has(place + [given]) && !has(place + [missing]) {
            add(place + [given], "location.\(given) needs location.\(missing) beside it")
        }
        for name in ["name", "elevation"] where has(place + [name]) && !has(place + ["latitude"]) {
            // Without the other of the two it has been told.
            if has(place + ["longitude"]) { continue }
            add(place + [name], "location.\(name) needs location.latitude and location.longitude beside it")
        }
        checkAngles()
    }

    private mutating func checkAngles() {
        let angles = ["calculation", "angles"]
        let method = ["calculation", "method"]
        guard values[method]?.value == .text(CalculationSettings.custom) else {
            guard parts.contains(where: { $0.document.node(angles) != nil }) else { return }
            return add(
                angles,
                "calculation.angles is read only with method = \"custom\"; set it, or remove the angles")
        }
        if !has(angles + ["fajr"]) || !has(angles + ["isha"]) && !has(angles + ["isha-minutes"]) {
            add(
                method,
                "calculation.method = \"custom\" needs fajr and isha (or isha-minutes) in [calculation.angles]"
            )
        }
        if has(angles + ["isha"]), has(angles + ["isha-minutes"]) {
            add(
                angles + ["isha-minutes"],
                "calculation.angles.isha-minutes excludes calculation.angles.isha; keep one of them")
        }
    }

    /// What only the engine knows, such as a maghrib angle that must be smaller than isha's.
    mutating func checkCalculation(of config: Config) {
        do throws(EngineError) {
            _ = try config.calculation.calculation()
        } catch {
            let key =
                has(["calculation", "zone"]) && !has(["calculation", "angles", "fajr"]) ? "zone" : "angles"
            add(["calculation", key], "calculation.\(key): \(error.description)")
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
    private mutating func add(_ path: [String], _ reason: String) {
        let key = path.joined(separator: ".")
        for text in parts.reversed() {
            guard let node = text.document.node(path) else { continue }
            mistakes.append(text.error(at: text.document.nodes[node].keyOffset, key: key, reason))
            return
        }
        let file = parts.last?.file ?? ""
        mistakes.append(ConfigError(file: file, line: 1, column: 1, key: key, reason: reason))
    }
}
