import Foundation
import Languages
import Testing
import Texts

/// Mistakes that once stood in one language's table, as rules for all of them.
@Suite("The words of the languages")
struct LanguageTests {
    static let tables: [Language] = Language.codes.compactMap { Language.embedded($0) }

    @Test("Hijri months are names, and the year has its era")
    func hijri() {
        #expect(Self.tables.count == Language.codes.count)
        for language in Self.tables {
            for month in language.hijriMonths {
                let isSpelledOut = !month.hasSuffix(" I") && !month.hasSuffix(" II")
                #expect(isSpelledOut && !month.contains { "`ʻ".contains($0) }, "\(language.code): \(month)")
            }
            #expect(Set(language.hijriMonths).count == 12, "\(language.code)")
            // Calendars in Turkish write no era.
            let hasEra = !language.hijriDate.hasSuffix("{year}") && !language.hijriDate.hasSuffix("{year}.")
            #expect(hasEra == (language.code != "tr"), "\(language.code): \(language.hijriDate)")
        }
    }

    @Test("Five minutes past noon is not called evening")
    func noon() {
        // Evening, in the languages in which the half of the day was once called so.
        let evenings = ["شام", "jioni", "yamma"]
        for language in Self.tables {
            let half = language.phrases["pm"] ?? ""
            #expect(!half.isEmpty && !evenings.contains(half), "\(language.code): \(half)")
            #expect(half != language.phrases["am"], "\(language.code)")
        }
    }

    @Test(
        "A language that calls the day and its prayer alike spells them alike",
        arguments: ["ar", "fa", "ha", "id", "ms", "so", "sw", "tr", "ur"])
    func friday(_ code: String) throws {
        let language = try #require(Self.tables.first { $0.code == code })
        #expect(language.weekdays[4] == language.prayers["jumua"])
    }

    @Test("Since is not until")
    func since() throws {
        for language in Self.tables {
            // The two sentences of a language that say until when, and since when.
            let until = try #require(language.phrases["alert-mute"])
            for key in ["alert-no-sound", "alert-lost", "alert-stale"] {
                let since = try #require(language.phrases[key])
                #expect(Self.around(since) != Self.around(until), "\(language.code) \(key): \(since)")
            }
        }
        func phrase(_ code: String, _ key: String) -> String? {
            Self.tables.first { $0.code == code }?.phrases[key]
        }
        #expect(phrase("so", "since-iqama") == "Tan iyo iqaamada")
        #expect(phrase("fa", "next-in") == "تا {prayer}" && phrase("fa", "iqama-in") == "تا اقامه")
    }

    @Test("Only whoever keeps the box is reported of adhand by its name")
    func service() {
        for language in Self.tables {
            for (key, phrase) in language.phrases {
                #expect(!phrase.lowercased().contains("adhand"), "\(language.code) \(key): \(phrase)")
            }
        }
    }

    @Test("Somebody who is excused is not called disabled")
    func excused() {
        for language in Self.tables { #expect(language.person["excused"] != "معذور", "\(language.code)") }
    }

    /// The words next to the time.
    private static func around(_ phrase: String) -> [Substring] {
        let parts = phrase.replacing("{time}", with: "|").split(
            separator: "|", omittingEmptySubsequences: false)
        return [parts[0].split(separator: " ").last ?? "", parts.last?.split(separator: " ").first ?? ""]
    }
}
