import Texts

/// One key: its rule, its meaning, and the place of its value in `Root`.
package struct ConfigKey<Root: Sendable>: Sendable {
    package let name: String
    let rule: ValueRule
    /// The comment after it in the default file.
    let meaning: String
    /// The example, shown commented out where there is no value.
    let example: ConfigValue?
    /// Reads the value; `nil` when the key is omitted.
    let get: @Sendable (Root) -> ConfigValue?
    /// Sets a value that ``rule`` has accepted.
    package let set: @Sendable (inout Root, ConfigValue) -> Void

    /// Makes a key with any rule and place.
    package init(
        name: String, rule: ValueRule, meaning: String, example: ConfigValue? = nil,
        get: @escaping @Sendable (Root) -> ConfigValue?,
        set: @escaping @Sendable (inout Root, ConfigValue) -> Void
    ) {
        self.name = name
        self.rule = rule
        self.meaning = meaning
        self.example = example
        self.get = get
        self.set = set
    }
}

extension ConfigKey {
    /// The same rule under a name in another container, which keeps the value for later.
    /// - Parameter isShown: whether the default file shows it.
    package func stored<Other: Sendable>(
        as name: String, in place: ConfigKey<Other>.Place<[String: ConfigValue]>, of initial: Root,
        isShown: Bool
    ) -> ConfigKey<Other> {
        ConfigKey<Other>(
            name: name, rule: rule, meaning: isShown ? meaning : "",
            example: isShown ? get(initial) ?? example : nil
        ) {
            $0[keyPath: place][name]
        } set: { other, value in
            other[keyPath: place][name] = value
        }
    }

    package typealias Place<Value> = any WritableKeyPath<Root, Value> & Sendable

    package static func flag(_ name: String, _ place: Place<Bool>, _ meaning: String) -> Self {
        Self(name: name, rule: .flag, meaning: meaning) {
            .flag($0[keyPath: place])
        } set: { root, value in
            if case .flag(let flag) = value { root[keyPath: place] = flag }
        }
    }

    package static func integer(
        _ name: String, _ range: ClosedRange<Int>, _ unit: String, _ place: Place<Int>, _ meaning: String
    ) -> Self {
        Self(name: name, rule: .integer(range, unit: unit), meaning: meaning) {
            .integer($0[keyPath: place])
        } set: { root, value in
            if case .integer(let integer) = value { root[keyPath: place] = integer }
        }
    }

    /// Whole numbers in ascending order.
    package static func integers(
        _ name: String, _ range: ClosedRange<Int>, _ unit: String, _ place: Place<[Int]>, _ meaning: String
    ) -> Self {
        Self(name: name, rule: .integers(range, unit: unit), meaning: meaning) {
            .integers($0[keyPath: place])
        } set: { root, value in
            if case .integers(let integers) = value { root[keyPath: place] = integers }
        }
    }

    package static func duration(
        _ name: String, _ range: ClosedRange<Double>, exact: Bool = false, _ place: Place<Double>,
        _ meaning: String
    ) -> Self {
        Self(name: name, rule: .duration(seconds: range, exact: exact), meaning: meaning) {
            .duration(seconds: $0[keyPath: place])
        } set: { root, value in
            if case .duration(let seconds) = value { root[keyPath: place] = seconds }
        }
    }

    /// A duration that may be omitted; `example` shows one.
    static func optionalDuration(
        _ name: String, _ range: ClosedRange<Double>, exact: Bool = false, _ place: Place<Double?>,
        example: Double, _ meaning: String
    ) -> Self {
        Self(
            name: name, rule: .duration(seconds: range, exact: exact), meaning: meaning,
            example: .duration(seconds: example)
        ) {
            $0[keyPath: place].map { .duration(seconds: $0) }
        } set: { root, value in
            if case .duration(let seconds) = value { root[keyPath: place] = seconds }
        }
    }

    /// A text that is never omitted.
    package static func text(_ name: String, _ rule: ValueRule, _ place: Place<String>, _ meaning: String)
        -> Self
    {
        Self(name: name, rule: rule, meaning: meaning) {
            .text($0[keyPath: place])
        } set: { root, value in
            if case .text(let text) = value { root[keyPath: place] = text }
        }
    }

    /// One of the names of `Choice`.
    package static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ place: Place<Choice>, _ meaning: String
    ) -> Self {
        Self(name: name, rule: .oneOf(Choice.allCases.map(\.rawValue)), meaning: meaning) {
            .text($0[keyPath: place].rawValue)
        } set: { root, value in
            if case .text(let text) = value, let choice = Choice(rawValue: text) {
                root[keyPath: place] = choice
            }
        }
    }

    /// One of the names of `Choice`, or omitted; `example` shows one.
    package static func optionalChoice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ place: Place<Choice?>, example: Choice, _ meaning: String
    ) -> Self {
        Self(
            name: name, rule: .oneOf(Choice.allCases.map(\.rawValue)), meaning: meaning,
            example: .text(example.rawValue)
        ) {
            $0[keyPath: place].map { .text($0.rawValue) }
        } set: { root, value in
            if case .text(let text) = value, let choice = Choice(rawValue: text) {
                root[keyPath: place] = choice
            }
        }
    }

    /// A text that may be omitted; `example` shows one.
    package static func optionalText(
        _ name: String, _ rule: ValueRule, _ place: Place<String?>, example: String, _ meaning: String
    ) -> Self {
        Self(name: name, rule: rule, meaning: meaning, example: .text(example)) {
            $0[keyPath: place].map { .text($0) }
        } set: { root, value in
            if case .text(let text) = value { root[keyPath: place] = text }
        }
    }

    package static func texts(_ name: String, _ rule: ValueRule, _ place: Place<[String]>, _ meaning: String)
        -> Self
    {
        Self(name: name, rule: rule, meaning: meaning) {
            let texts = ConfigValue.texts($0[keyPath: place])
            return if case .texts(_, orOne: true) = rule { texts.concise } else { texts }
        } set: { root, value in
            if case .texts(let texts) = value { root[keyPath: place] = texts }
        }
    }

    /// Several texts, or none at all.
    package static func optionalTexts(
        _ name: String, _ rule: ValueRule, _ place: Place<[String]>, example: [String], _ meaning: String
    ) -> Self {
        Self(name: name, rule: rule, meaning: meaning, example: ConfigValue.texts(example).concise) {
            $0[keyPath: place].isEmpty ? nil : ConfigValue.texts($0[keyPath: place]).concise
        } set: { root, value in
            if case .texts(let texts) = value { root[keyPath: place] = texts }
        }
    }

    /// Different durations, in seconds.
    package static func durations(
        _ name: String, _ range: ClosedRange<Double>, _ place: Place<[Double]>, _ meaning: String
    ) -> Self {
        Self(name: name, rule: .durations(seconds: range), meaning: meaning) {
            .durations(seconds: $0[keyPath: place])
        } set: { root, value in
            if case .durations(let durations) = value { root[keyPath: place] = durations }
        }
    }

    /// A number that may be omitted.
    package static func number(
        _ name: String, _ range: ClosedRange<Double>, _ unit: String, example: Double, _ meaning: String,
        get: @escaping @Sendable (Root) -> Double?, set: @escaping @Sendable (inout Root, Double) -> Void
    ) -> Self {
        Self(name: name, rule: .number(range, unit: unit), meaning: meaning, example: .number(example)) {
            get($0).map { .number($0) }
        } set: { root, value in
            if case .number(let number) = value { set(&root, number) }
        }
    }

    /// Days of the week, 1 (Monday) to 7, by their names; none: all.
    static func weekdays(
        _ name: String, _ place: Place<[Int]>, example: ConfigValue, _ meaning: String
    ) -> Self {
        Self(name: name, rule: .texts(.weekday, orOne: true), meaning: meaning, example: example) {
            let days = $0[keyPath: place]
            return days.isEmpty ? nil : ConfigValue.texts(days.map { Weekday.names[$0 - 1] }).concise
        } set: { root, value in
            root[keyPath: place] = value.strings.compactMap { Weekday.number($0) }
        }
    }

    /// Names of outputs; none: all.
    static func outputs(_ place: Place<[String]>) -> Self {
        Self(
            name: "outputs", rule: .texts(.output, orOne: true), meaning: "default: all",
            example: .text(QuietWindow.mainOutput)
        ) {
            let names = $0[keyPath: place]
            return names.isEmpty ? nil : ConfigValue.texts(names).concise
        } set: { root, value in
            root[keyPath: place] = value.strings
        }
    }
}
