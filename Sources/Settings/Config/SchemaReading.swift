import TOML

/// One pass over the texts of a file: their content, checked against the table of keys. If two texts set the same key, the later
/// one wins.
struct SchemaReading<Settings: Sendable> {
    private struct Found {
        let value: ConfigValue
        let place: Place
        /// The places in earlier texts that set the same key.
        let overridden: [Place]
    }

    private struct Place {
        let part: Int
        let keyOffset: Int
    }

    private let schema: Schema<Settings>
    private var parts: [ConfigText] = []
    /// The properties of the text that is being read.
    private var (ignoredKeys, isBound): (Set<String>, Bool) = ([], false)
    private var values: [[String]: Found] = [:]
    /// The values from texts that no pin binds.
    private var free: [[String]: ConfigValue] = [:]
    private var tables: Set<[String]> = []
    /// The mistakes in the order of the texts.
    private(set) var mistakes: [ConfigError] = []

    init(_ schema: Schema<Settings>, _ sources: [ConfigSource] = []) {
        self.schema = schema
        for source in sources { add(source) }
    }

    /// Checks every key and value of one more text.
    mutating func add(_ source: ConfigSource) {
        let text = ConfigText(source, schema.index)
        parts.append(text)
        (ignoredKeys, isBound) = (source.ignoredKeys, source.isBound)
        var found = text.mistakes
        var faulty: Set<Int> = []
        for (index, node) in text.document.nodes.enumerated() {
            // Elements of a list are checked with their list; the content of a mistake is not a second mistake.
            guard let path = text.document.path(of: index) else { continue }
            if let parent = node.parent, faulty.contains(parent) {
                faulty.insert(index)
                continue
            }
            do throws(ConfigError) {
                try read(index, path, text)
                // The content of braces has been read with their key.
                if node.value == .table, schema.index.rule(at: path)?.acceptsRotation == true {
                    faulty.insert(index)
                }
            } catch {
                found.append(error)
                faulty.insert(index)
            }
        }
        mistakes += found.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    private mutating func read(_ index: Int, _ path: [String], _ text: ConfigText) throws(ConfigError) {
        let node = text.document.nodes[index]
        // A malformed value was reported when the text was parsed.
        if node.value == .invalid { return }
        let value = WrittenValue(index, in: text.document)
        switch schema.index[path] {
        case .table:
            try requireTable(value, index, path, text)
            tables.insert(path)
        case .key(.entries):
            try requireTable(value, index, path, text)
            tables.insert(path)
        case .key(.tables(let shape)):
            keep(.tables(try text.tables(index, shape, path)), at: path, node)
        case .key(let rule):
            if case .key(.entries(let shape)) = schema.index[Array(path.dropLast())] {
                try text.checkName(path, shape, at: node.keyOffset)
            }
            keep(try text.check(value, rule, path, index), at: path, node)
        case .shorthand(let rule, let target):
            if case .table = value {
                tables.insert(path)
                return
            }
            keep(try text.check(value, rule, path, index), at: target, node)
        case nil: throw text.unknown(path, at: node.keyOffset)
        }
    }

    private mutating func keep(_ value: ConfigValue, at path: [String], _ node: TOMLDocument.Node) {
        if !ignoredKeys.isEmpty, ignoredKeys.contains(path.joined(separator: ".")) { return }
        if !isBound { free[path] = value }
        let earlier = values[path].map { $0.overridden + [$0.place] } ?? []
        values[path] = Found(
            value: value, place: Place(part: parts.count - 1, keyOffset: node.keyOffset), overridden: earlier)
    }

    private func requireTable(
        _ value: WrittenValue, _ index: Int, _ path: [String], _ text: ConfigText
    ) throws(ConfigError) {
        if case .table = value { return }
        let name = path.joined(separator: ".")
        throw text.error(
            at: text.document.nodes[index].range.lowerBound, key: name,
            "\(name) must be a table, written [\(name)], not \(value.description)")
    }

    /// Every key that is set, with its value and the places that set it, in the order of the table of keys.
    func settings() -> [ConfigSetting] {
        schema.index.paths.flatMap { path -> [ConfigSetting] in
            if case .key(.entries) = schema.index[path] {
                return entries(in: path).map { setting($0.path, $0.found) }
            }
            return values[path].map { [setting(path, $0)] } ?? []
        }
    }

    private func setting(_ path: [String], _ found: Found) -> ConfigSetting {
        ConfigSetting(
            key: path.joined(separator: "."), value: schema.index.toml(found.value, at: path),
            place: location(found.place), overridden: found.overridden.map { location($0) })
    }

    private func entries(in table: [String]) -> [(path: [String], found: Found)] {
        values.filter { $0.key.count == table.count + 1 && $0.key.starts(with: table) }
            .map { (path: $0.key, found: $0.value) }
            .sorted { $0.path[table.count] < $1.path[table.count] }
    }

    private func location(_ place: Place) -> ConfigSetting.Place {
        let text = parts[place.part]
        return .init(file: text.file, line: text.line(of: place.keyOffset))
    }

    var facts: SchemaFacts { SchemaFacts(values: values.mapValues(\.value), tables: tables) }

    /// The defaults, overlaid with the values that were read.
    func resolved() -> Settings {
        var settings = schema.initial
        let pins = schema.pins.flatMap { free[$0]?.strings } ?? []
        for part in schema.parts {
            switch part {
            case .section(let section):
                for key in section.keys {
                    if let value = value(at: section.path + [key.name]) { key.set(&settings, value) }
                }
            case .family(let family):
                // A pinned value of one prayer does not follow a value for all of them.
                family.resolve(&settings) { path, key in
                    pins.pin(of: key.joined(separator: ".")) == nil ? values[path]?.value : free[path]
                }
            }
        }
        return settings
    }

    private func value(at path: [String]) -> ConfigValue? {
        if case .key(.entries) = schema.index[path] {
            let entries = entries(in: path)
            guard !entries.isEmpty else { return nil }
            return .entries(
                Dictionary(uniqueKeysWithValues: entries.map { ($0.path[path.count], $0.found.value) }))
        }
        return values[path]?.value
    }

    mutating func complain(_ complaints: [SchemaComplaint]) {
        for complaint in complaints { add(complaint) }
    }

    /// Adds a complaint at a key or a table, in the last text that has it.
    private mutating func add(_ complaint: SchemaComplaint) {
        let (path, reason) = (complaint.path, complaint.reason)
        let key = (path + [complaint.element?.field].compactMap(\.self)).joined(separator: ".")
        // A shorthand, or a key for several, is in a surrounding table.
        for length in stride(from: path.count, to: 0, by: -1) {
            for text in parts.reversed() {
                guard let node = text.document.node(Array(path.prefix(length))) else { continue }
                let place = length == path.count ? text.place(of: complaint.element, in: node) : node
                mistakes.append(text.error(at: text.document.nodes[place].keyOffset, key: key, reason))
                return
            }
        }
        let file = parts.last?.file ?? ""
        mistakes.append(ConfigError(file: file, line: 1, column: 1, key: key, reason: reason))
    }
}
