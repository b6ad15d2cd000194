import Settings

/// The words of one language, as `Resources/display/page/languages` has them: names from CLDR, phrases from translators. The
/// display's page reads the same files.
package struct Language: Codable, Sendable, Equatable {
    /// Of which there are tables.
    package static let codes = LanguageCode.all

    package let code: String
    package let name: String
    package let direction: String
    /// Where a language counts with digits of its own: how the setting calls them.
    package let digits: String
    package let months: [String]
    package let weekdays: [String]
    package let hijriMonths: [String]
    /// `{weekday}, {day} {month} {year}`
    package let date: String
    package let hijriDate: String
    /// The same for countries in which the month stands first; left out where no country of the language writes so.
    package var monthFirst: DatePatterns?
    /// The civil calendar of the language's country where that is not the Gregorian one; left out elsewhere.
    package var solar: SolarCalendar?
    package let prayers: [String: String]
    package let phrases: [String: String]
    /// The companion's texts for one person.
    package let person: [String: String]
    /// The phone page's texts.
    package let remote: [String: String]

    package struct DatePatterns: Codable, Sendable, Equatable {
        package let date: String
        package let hijriDate: String
    }

    /// A phrase with its blanks filled; the key itself where a table lacks it.
    package func say(_ key: String, _ values: [String: String] = [:]) -> String {
        Self.filled(phrases[key] ?? key, values)
    }

    /// A phrase for one person with its blanks filled; its key where a table lacks it.
    package func text(_ phrase: PersonalPhrase, _ values: [String: String] = [:]) -> String {
        Self.filled(person[phrase.rawValue] ?? phrase.rawValue, values)
    }

    /// The same of the phone page's texts.
    package func write(_ key: String, _ values: [String: String] = [:]) -> String {
        Self.filled(remote[key] ?? key, values)
    }

    private static func filled(_ phrase: String, _ values: [String: String]) -> String {
        var text = phrase
        for (name, value) in values { text = text.replacing("{\(name)}", with: value) }
        return text
    }
}
