package import PrayerEngine

/// The sounds of an occasion: a list played one after another, or a rotation of such lists, one for each day.
package struct RotatingSound: Sendable, Equatable {
    /// One list, unless it rotates. Each is a list of names and absolute paths, or `silent` alone; a single empty list means that
    /// nothing is set.
    package let entries: [[String]]

    /// Makes a sound that is the same every day.
    package init(_ sounds: [String]) { entries = [sounds] }

    package init(rotating entries: [[String]]) { self.entries = entries.isEmpty ? [[]] : entries }

    /// The possible numbers of entries of a rotation.
    package static let counts = 2...16
    /// The only key in `{ rotate = […] }`.
    static let key = "rotate"

    package var rotates: Bool { entries.count > 1 }

    package var isEmpty: Bool { entries == [[]] }

    /// Whether it is silent on every day.
    package var isSilent: Bool { entries.allSatisfy { $0 == [AdhanSettings.silent] } }

    /// All sounds that are played on any day, each once.
    package var all: [String] {
        var known: Set<String> = []
        return entries.joined().filter { known.insert($0).inserted }
    }

    /// The list of a day. Only the date decides: every room and every prayer of a day has the same, and nothing is stored.
    package func sounds(on date: CivilDate) -> [String] {
        let place = date.dayNumber % entries.count
        return entries[place < 0 ? place + entries.count : place]
    }

    /// `makkah, madinah`; `one a day of makkah / takbir, aqsa`
    package var text: String {
        let lists = entries.map { $0.joined(separator: ", ") }
        return rotates ? "one a day of \(lists.joined(separator: " / "))" : lists[0]
    }
}

extension RotatingSound: ExpressibleByArrayLiteral, ExpressibleByStringLiteral {
    package init(arrayLiteral sounds: String...) { self.init(sounds) }

    package init(stringLiteral sound: String) { self.init([sound]) }
}

// MARK: In a file

extension RotatingSound {
    init?(_ value: ConfigValue) {
        switch value {
        case .text(let text): self.init([text])
        case .texts(let texts): self.init(texts)
        case .rotation(let entries): self.init(rotating: entries)
        default: return nil
        }
    }

    /// The sound in TOML.
    package var written: String { value.toml }

    var value: ConfigValue { rotates ? .rotation(entries) : ConfigValue.texts(entries[0]).concise }
}

extension ValueRule {
    /// Whether `{ rotate = […] }` is accepted instead.
    var acceptsRotation: Bool {
        switch self {
        case .text(let kind), .texts(let kind, orOne: _): kind.isSound
        default: false
        }
    }

    /// `{ rotate = ["makkah", ["takbir", "aqsa"]] }`
    func rotation(_ table: [String: WrittenValue]?) throws(ValueError) -> ConfigValue {
        guard let table else {
            throw ValueError(
                got: "a table of its own",
                because:
                    "a rotation stands in braces behind the key, such as { rotate = [\"makkah\", \"madinah\"] }"
            )
        }
        if let other = table.keys.filter({ $0 != RotatingSound.key }).min() {
            throw ValueError(
                got: "a table with \(TOMLEscapes.quote(other))",
                because: "a table here holds rotate alone, such as { rotate = [\"makkah\", \"madinah\"] }")
        }
        guard let written = table[RotatingSound.key] else {
            throw ValueError(
                got: "an empty table",
                because: "a rotation names its sounds, such as { rotate = [\"makkah\", \"madinah\"] }")
        }
        guard case .list(let elements) = written else {
            throw ValueError(got: written.description, part: rotationPart)
        }
        guard RotatingSound.counts.contains(elements.count) else {
            let got = elements.isEmpty ? "an empty list" : "\(elements.count) of them"
            throw ValueError(
                got: got, because: elements.count == 1 ? "one sound alone does not rotate" : nil,
                part: rotationPart)
        }
        var entries: [[String]] = []
        for element in elements {
            do throws(ValueError) {
                if case .table = element {
                    throw ValueError(got: "a table", because: "no rotation stands in another")
                }
                entries.append(try entry(element))
            } catch {
                var mistake = error
                (mistake.element, mistake.part) = (nil, rotationPart)
                throw mistake
            }
        }
        return .rotation(entries)
    }

    private func entry(_ element: WrittenValue) throws(ValueError) -> [String] {
        switch try check(element) {
        case .text(let text): [text]
        case .texts(let texts): texts
        default: throw ValueError(got: element.description)
        }
    }

    private var rotationPart: ValueError.Part {
        let entry =
            if case .texts(let kind, orOne: _) = self { "\(kind.allowed), or a list of them" } else {
                "\(allowed)"
            }
        let counts = RotatingSound.counts
        return .init(
            name: RotatingSound.key,
            allowed: "a list of \(counts.lowerBound) to \(counts.upperBound) entries, each \(entry)")
    }
}

extension ConfigKey {
    /// One sound, a list of them, or a rotation.
    static func sounds(_ name: String, _ place: Place<RotatingSound>, _ meaning: String) -> Self {
        sounds(name, .texts(.sound, orOne: true), place, meaning)
    }

    /// A single sound, or a rotation of single sounds.
    static func sound(_ name: String, _ place: Place<RotatingSound>, _ meaning: String) -> Self {
        sounds(name, .text(.sound), place, meaning)
    }

    private static func sounds(
        _ name: String, _ rule: ValueRule, _ place: Place<RotatingSound>, _ meaning: String
    ) -> Self {
        Self(name: name, rule: rule, meaning: meaning) {
            $0[keyPath: place].value
        } set: { root, value in
            if let sound = RotatingSound(value) { root[keyPath: place] = sound }
        }
    }

    /// Sounds like ``sounds(_:_:_:)``, or none at all.
    static func optionalSounds(
        _ name: String, _ place: Place<RotatingSound>, example: RotatingSound, _ meaning: String
    ) -> Self {
        Self(name: name, rule: .texts(.sound, orOne: true), meaning: meaning, example: example.value) {
            $0[keyPath: place].isEmpty ? nil : $0[keyPath: place].value
        } set: { root, value in
            if let sound = RotatingSound(value) { root[keyPath: place] = sound }
        }
    }
}
