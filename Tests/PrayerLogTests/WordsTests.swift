import Console
import Foundation
import Languages
import PrayerEngine
import Testing
import Texts

@testable import PrayerLog

/// Names, grids and lines for status bars in the languages of the display.
struct WordsTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private let date = Fixture.date("2026-11-20")  // a Friday

    private var log: Logbook {
        let before = date.adding(days: -1)
        return Logbook(
            Fixture.day(before) + [Fixture.mark(date, .fajr, .late), Fixture.mark(date, .dhuhr)],
            today: Fixture.today(date.description, 16))
    }

    private func text(_ code: String, plain: Bool = false) throws -> LogText {
        LogText(log, Streak(log), words: try #require(.embedded(code)), plain: plain)
    }

    @Test("The embedded languages are those of the display")
    func whatTheProgramCarriesIsWhatTheDisplayShows() throws {
        for code in Language.codes {
            let file = Self.root.appending(path: "Resources/display/page/languages/\(code).json")
            let table = try JSON.decode(Language.self, from: Data(contentsOf: file))
            #expect(Language.embedded(code) == table, "\(code): build it again")
        }
        #expect(Language.embedded("xx") == nil)
    }

    @Test("The language tables have the phrases of phrases.json")
    func theTablesHaveWhatTheyAreMadeFrom() throws {
        let file = Self.root.appending(path: "Resources/display/phrases.json")
        let phrases = try JSON.decode([String: Sections].self, from: Data(contentsOf: file))
        #expect(Set(phrases.keys) == Set(Language.codes))
        for code in Language.codes {
            let table = Self.root.appending(path: "Resources/display/page/languages/\(code).json")
            #expect(
                try phrases[code] == JSON.decode(Sections.self, from: Data(contentsOf: table)),
                "\(code): edit phrases.json, then run swift generate.swift in its folder")
        }
    }

    /// Sections that generate.swift takes over as they are.
    private struct Sections: Decodable, Equatable {
        let prayers, phrases, person, remote: [String: String]
    }

    @Test("Every phrase is in the tables, and every state and badge has one")
    func everyPhraseIsInTheTablesAndEveryStateAndBadgeHasOne() {
        #expect(Set(PersonalPhrase.allCases.map(\.rawValue)) == Set(Language.english.person.keys))
        #expect(PrayerState.allCases.allSatisfy { PersonalPhrase($0) != nil })
        #expect(Badge.allCases.allSatisfy { PersonalPhrase($0) != nil })
    }

    @Test("A grid of days is written in its language")
    func gridsSpeakTheLanguage() throws {
        let dates = [date.adding(days: -1), date]
        #expect(
            try text("tr").days(dates, Style(colour: false)) == """
                                      Sabah  Öğle  İkindi  Akşam  Yatsı
                Perşembe  2026-11-19  ✓      ✓     ✓       ✓      ✓
                Cuma      2026-11-20  ~      ✓     ?       ·      ·

                · gelecek   ? şimdi   ✓ vaktinde   ~ geç
                Bugün kılınan: 5 vaktin 2 tanesi, Art arda gün: 1, En iyi: 1, Yedek günler: 0.

                """)
        #expect(
            try text("de", plain: true).days([date], Style(colour: false)) == """
                Freitag 2026-11-20: Fadschr verspätet, Dschumu'a gebetet, Asr jetzt, Maghrib kommt noch, Ischa kommt noch.
                Heute gebetet: 2 von 5, Tage in Folge: 1, Längste Folge: 1, Joker: 0.

                """)
    }

    @Test("Every language has a grid, statistics and status bars")
    func everyLanguageHasAGridFiguresAndBars() throws {
        let statistics = try #require(Statistics(log, timings: []))
        for code in Language.codes {
            let words = try #require(Language.embedded(code))
            for plain in [false, true] {
                let text = LogText(log, Streak(log), words: words, plain: plain)
                let style = Style(colour: false)
                for shown in [
                    text.days([date], style), text.statistics(statistics, style), text.streakText(style),
                ] {
                    #expect(
                        !shown.contains("{") && !shown.contains("-in-") && shown.hasSuffix("\n"), "\(code)")
                }
                #expect(text.days([date], style).contains(try #require(words.prayers["asr"])))
            }
            let chart = Chart.svg(statistics, words: words)
            for plain in [false, true] {
                let text = LogText(log, Streak(log), words: words, plain: plain)
                let badges = text.badges(
                    BadgeProgress.all(log, streak: Streak(log)), Style(colour: false))
                #expect(badges.split(separator: "\n").count == Badge.allCases.count, "\(code)")
                #expect(!badges.contains("{") && !badges.contains("badge-") && !badges.contains("count-"))
                #expect(badges.contains(try #require(words.prayers["fajr"])), "\(code)")
                #expect(code == "en" || !badges.contains("First Prayer"), "\(code)")
            }
            #expect(try text(code).statistics(nil, Style(colour: false)).contains("prayed"))
            #expect(chart.contains(try #require(words.person["made-up"])) && !chart.contains("{"))
        }
    }

    /// Texts about refused, marked and undone prayers: every sentence has every value in every language, and no digits of
    /// two kinds.
    @Test("Answers about marks have every value in every language, in one kind of digits")
    func marksAndRefusalsSpeakEveryLanguage() throws {
        let slot = PrayerSlot(date, .asr)
        let at = Fixture.at(date, 15)
        let refusals: [(MarkRefusal, [String])] = [
            (.noPrayerNamed, ["maghrib"]), (.noFriday(date), ["2026-11-20"]), (.noPrayerNow, ["prayed fajr"]),
            (.notYet(slot, begins: at), ["15:00"]),
            (.notYet(slot, begins: at + 86_400), ["2026-11-21 15:00"]),
            (.dayToCome(date.adding(days: 1), today: date), ["2026-11-21", "2026-11-20"]),
            (.instantToCome(at, now: at - 60), ["15:00", "14:59"]),
        ]
        let change = LogChange(
            kind: .marked,
            slots: [LogChange.Slot(slot, before: nil, after: Fixture.mark(date, .asr, .late, at: at))],
            kept: Fixture.day(date.adding(days: -1)))
        for code in Language.codes {
            let words = try #require(Language.embedded(code))
            for (refusal, values) in refusals {
                let text = words.text(refusal, in: .utc, today: date)
                #expect(values.allSatisfy(text.contains) && !text.contains("{"), "\(code): \(text)")
            }
            let text = words.text(change, in: .utc)
            #expect(text.contains("2026-11-20: \(words.state(.late)) 15:00. "), "\(code): \(text)")
            #expect(text.hasSuffix("5") && !text.contains("{"), "\(code): \(text)")
            #expect(
                words.guessedPlace("Xyz").contains("Xyz") && words.guessedPlace("").contains("adhanctl setup")
            )
            let native = words.person.filter { $0.value.contains { $0.isNumber && !$0.isASCII } }
            #expect(native.isEmpty, "\(code) mixes digits: \(native)")
            for phrase in words.person where code != "en" {
                #expect(
                    Self.blanks(phrase.value) == Self.blanks(Language.english.person[phrase.key] ?? ""),
                    "\(code): \(phrase)")
            }
        }
        #expect(
            Language.english.text(change, in: .utc)
                == "Asr 2026-11-20: late 15:00. Left as they were: 5")
    }

    private static func blanks(_ phrase: String) -> Set<String> {
        Set(phrase.matches(of: /{[a-z]+}/).map { String($0.0) })
    }

    @Test(
        "The language is read from the environment as gettext reads it",
        arguments: [
            (["LANG": "tr_TR.UTF-8"], "tr"), (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR"], "fr"),
            (["LANG": "ar", "LC_ALL": "C.UTF-8"], "en"),
            (["LANG": "nb_NO.UTF-8", "LANGUAGE": "nn:nl"], "nl"),
            (["LANG": "C", "LANGUAGE": "de"], "en"), (["LANG": "zh_CN.UTF-8"], "en"), ([:], "en"),
            (["LANG": "uz@cyrillic", "LC_ALL": ""], "uz"), (["LANG": "POSIX"], "en"),
        ])
    func theEnvironmentSaysWhichLanguage(_ variables: [String: String], _ code: String) {
        #expect(Language.code { variables[$0] } == code)
    }
}
