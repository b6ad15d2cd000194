import Settings

/// The words of one language from `Resources/display/page/languages`: names from CLDR, phrases from translators. The
/// display's page reads the same files.
package struct Language: Codable, Sendable, Equatable {
    /// The languages that have tables.
    package static let codes = LanguageCode.all

    package let code: String
    package let name: String
    package let direction: String
    /// The setting's name for the language's own digits, if it has any.
    package let digits: String
    package let months: [String]
    package let weekdays: [String]
    package let hijriMonths: [String]
    /// `{weekday}, {day} {month} {year}`
    package let date: String
    package let hijriDate: String
    /// The same patterns for countries in which the month comes first; omitted if the language has none.
    package var monthFirst: DatePatterns?
    /// The civil calendar of the language's country if that is not the Gregorian one; omitted otherwise.
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

    /// A phrase with its placeholders filled; the key itself if the table lacks it.
    package func phrase(_ key: String, _ values: [String: String] = [:]) -> String {
        Self.filled(phrases[key] ?? key, values)
    }

    /// A phrase for one person with its placeholders filled; its key if the table lacks it.
    package func text(_ phrase: PersonalPhrase, _ values: [String: String] = [:]) -> String {
        Self.filled(person[phrase.rawValue] ?? phrase.rawValue, values)
    }

    /// A phrase of the phone page with its placeholders filled; its key if the table lacks it.
    package func pageText(_ key: String, _ values: [String: String] = [:]) -> String {
        Self.filled(remote[key] ?? key, values)
    }

    private static func filled(_ phrase: String, _ values: [String: String]) -> String {
        var text = phrase
        for (name, value) in values { text = text.replacing("{\(name)}", with: value) }
        return text
    }
}
