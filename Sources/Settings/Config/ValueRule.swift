import PrayerEngine
import Texts

/// The values that a key accepts. One rule serves the check, the error sentence, and the default file's comment.
package indirect enum ValueRule: Sendable {
    case flag
    case integer(ClosedRange<Int>, unit: String)
    case integers(ClosedRange<Int>, unit: String)
    case number(ClosedRange<Double>, unit: String)
    case oneOf([String])
    /// A method's name, or its number at AlAdhan.
    case method
    /// A duration in seconds; `exact`: milliseconds are allowed.
    case duration(seconds: ClosedRange<Double>, exact: Bool = false)
    case durations(seconds: ClosedRange<Double>)
    /// One text of a kind.
    case text(TextKind)
    /// Several texts; `orOne` allows a single one that is not written as a list.
    case texts(TextKind, orOne: Bool)
    /// A day of the calendar.
    case date
    /// A day of the calendar, or a time on one, by the clocks of the place.
    case moment
    /// `[[name]]`, any number of times.
    case tables(TableShape)
    /// A table with free names.
    case entries(EntriesShape)

    /// Whether its values are written in quotation marks, alone or in a list.
    var isWritten: Bool {
        switch self {
        case .flag, .integer, .integers, .number, .date, .moment, .tables, .entries: false
        default: true
        }
    }

    /// Whether it is written as tables, and not as `name = value`.
    var isCompound: Bool {
        switch self {
        case .tables, .entries: true
        default: false
        }
    }

    /// Whether it accepts a list.
    var isList: Bool {
        switch self {
        case .integers, .durations, .texts: true
        default: false
        }
    }

    /// Whether a list of one may be written as a single value.
    var acceptsOne: Bool {
        if case .texts(_, orOne: true) = self { true } else { false }
    }

    /// Whether commas separate elements; the names of devices contain commas.
    var hasCommas: Bool {
        switch self {
        case .integers, .durations, .texts(.sound, orOne: _): true
        default: false
        }
    }

    /// The most elements of a list.
    static let longestList = 16
    /// The most tables of a list.
    static let mostTables = 200

    /// The fault of a value, in pieces of a sentence.
    struct ValueError: Error {
        /// The faulty element of the list.
        var element: Int?
        /// The value found.
        var got: String
        /// Why that is wrong, when the rule's sentence does not explain it.
        var because: String?
        /// The probable intention, in TOML.
        var hint: String?
        /// The faulty part of the value, where it has a rule of its own.
        var part: Part?

        struct Part {
            let name: String
            let allowed: String
        }

        /// One sentence about a key of a rule.
        func sentence(_ key: String, _ rule: ValueRule, because other: String? = nil) -> String {
            let (name, allowed) = part.map { ("\(key).\($0.name)", $0.allowed) } ?? (key, rule.allowed)
            var sentence = "\(name) must be \(allowed), not \(got)"
            if let because = because ?? other { sentence += ": \(because)" }
            if let hint { sentence += "; did you mean \(hint)?" }
            return sentence
        }
    }

    /// Completes "KEY must be …".
    var allowed: String {
        switch self {
        case .flag: return "true or false"
        case .integer(let range, let unit):
            return "a whole number from \(range.lowerBound) to \(range.upperBound) (\(unit))"
        case .integers(let range, let unit):
            return
                "a list of 1 to \(Self.longestList) whole numbers from \(range.lowerBound) to \(range.upperBound) (\(unit)), each greater than the one before"
        case .number(let range, let unit):
            return
                "a number from \(ConfigValue.number(range.lowerBound).toml) to \(ConfigValue.number(range.upperBound).toml) (\(unit))"
        case .oneOf(let names): return "one of " + names.map(TOMLEscapes.quote).joined(separator: ", ")
        case .method:
            return "\"auto\", or a method that `adhanctl methods` lists, by its name or its AlAdhan number"
        case .duration(let range, let exact):
            // Examples, as far as they are in the range.
            let examples = ((exact ? ["250ms", "1s"] : []) + ["5s", "90s", "10m", "1h30m"]).filter {
                range.contains(DurationText.parseExact($0) ?? -1)
            }
            let quoted = examples.prefix(3).map(TOMLEscapes.quote).joined(separator: ", ")
            return "a duration \(Self.span(range)), such as \(quoted)"
        case .durations(let range):
            return "a list of at most \(Self.longestList) different durations \(Self.span(range)), "
                + "such as [\"10m\", \"5m\"]"
        case .text(let kind): return kind.allowed
        case .texts(let kind, let orOne):
            let least = kind.mayBeNone ? 0 : 1
            return (orOne ? "\(kind.allowed), or " : "")
                + "a list of \(least) to \(Self.longestList) \(kind.plural)"
        case .date: return "a date such as 2027-03-28"
        case .moment: return "a date such as 2027-03-28, or one with a time such as 2027-03-28T18:00:00"
        case .tables: return "a list of tables"
        case .entries: return "a table"
        }
    }

    func check(_ value: WrittenValue) throws(ValueError) -> ConfigValue {
        switch (self, value) {
        case (.flag, .flag(let flag)): return .flag(flag)
        case (.integer(let range, _), .integer(let integer)) where range.contains(integer):
            return .integer(integer)
        case (.integers(let range, _), .list(let list)):
            return .integers(try Self.integers(list, in: range))
        case (.number(let range, _), .integer(let integer)) where range.contains(Double(integer)):
            return .number(Double(integer))
        case (.number(let range, _), .number(let number)) where range.contains(number): return .number(number)
        case (.oneOf(let names), .text(let text)) where names.contains(text): return .text(text)
        case (.method, .text(let text)):
            if let name = MethodNames.named(text) { return .text(name) }
        case (.method, .integer(let number)):
            if let name = MethodNames.named("\(number)") { return .text(name) }
        case (.duration(let range, let exact), .text(let text)):
            if let seconds = exact ? DurationText.parseExact(text) : DurationText.parse(text),
                range.contains(seconds)
            {
                return .duration(seconds: seconds)
            }
        case (.durations(let range), .list(let list)):
            return .durations(seconds: try durations(list, in: range))
        case (.text(let kind), .text(let text)): return .text(try Self.check(text, kind))
        case (.text, .table(let table)) where acceptsRotation: return try rotation(table)
        case (.texts, .table(let table)) where acceptsRotation: return try rotation(table)
        case (.texts(let kind, orOne: true), .text(let text)): return .texts([try Self.check(text, kind)])
        case (.texts(let kind, _), .list(let list)): return .texts(try Self.texts(list, kind))
        case (.date, .date(let text)), (.date, .text(let text)):
            if let date = CivilDate(text) { return .date(date) }
        case (.moment, .date(let text)), (.moment, .text(let text)):
            if let moment = LocalMoment(text) { return .moment(moment) }
        default: break
        }
        throw ValueError(got: value.description, because: because(of: value), hint: hint(for: value))
    }

    private static func check(_ text: String, _ kind: TextKind) throws(ValueError) -> String {
        if let fault = kind.fault(in: text) {
            throw ValueError(
                got: WrittenValue.text(text).description, because: fault.because, hint: fault.hint)
        }
        return text
    }

    private static func texts(_ list: [WrittenValue], _ kind: TextKind) throws(ValueError) -> [String] {
        guard !list.isEmpty || kind.mayBeNone else {
            throw ValueError(got: "an empty list", hint: kind.insteadOfNothing)
        }
        guard list.count <= longestList else { throw ValueError(got: "\(list.count) of them") }
        var texts: [String] = []
        for (index, element) in list.enumerated() {
            guard case .text(let text) = element else {
                throw ValueError(element: index, got: element.description)
            }
            do throws(ValueError) {
                texts.append(try check(text, kind))
            } catch {
                var mistake = error
                mistake.element = index
                throw mistake
            }
            if text == AdhanSettings.silent, kind.isSound, list.count > 1 {
                throw ValueError(
                    element: index, got: "\"silent\" beside other sounds", because: "it stands alone")
            }
        }
        return texts
    }

    private func durations(
        _ list: [WrittenValue], in range: ClosedRange<Double>
    ) throws(ValueError) -> [Double] {
        guard list.count <= Self.longestList else { throw ValueError(got: "\(list.count) of them") }
        var durations: [Double] = []
        for (index, element) in list.enumerated() {
            guard case .text(let text) = element, let seconds = DurationText.parse(text),
                range.contains(seconds)
            else {
                let hint = ValueRule.reminder(element, in: range)
                throw ValueError(element: index, got: element.description, hint: hint)
            }
            guard !durations.contains(seconds) else {
                throw ValueError(element: index, got: "\(element.description) twice")
            }
            durations.append(seconds)
        }
        return durations
    }

    private static func integers(
        _ list: [WrittenValue], in range: ClosedRange<Int>
    ) throws(ValueError) -> [Int] {
        guard (1...longestList).contains(list.count) else { throw ValueError(got: "\(list.count) of them") }
        var integers: [Int] = []
        for (index, element) in list.enumerated() {
            guard case .integer(let integer) = element, range.contains(integer),
                integers.last.map({ $0 < integer }) ?? true
            else { throw ValueError(element: index, got: element.description) }
            integers.append(integer)
        }
        return integers
    }

    private static func span(_ range: ClosedRange<Double>) -> String {
        "from \(DurationText.format(range.lowerBound)) to \(DurationText.format(range.upperBound))"
    }
}
