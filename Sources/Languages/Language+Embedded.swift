import CLanguages
import Texts

extension Language {
    /// The table of a language in this program; `nil` for a language without one.
    package static func embedded(_ code: String) -> Language? {
        embeddedBytes(code).flatMap { try? JSON.decode(Language.self, from: $0) }
    }

    private static func embeddedBytes(_ code: String) -> [UInt8]? {
        let bytes = unsafe UnsafeRawBufferPointer(start: adhand_languages(), count: adhand_languages_count())
        var parts = unsafe bytes.split(separator: 0, omittingEmptySubsequences: false).makeIterator()
        while let name = unsafe parts.next(), let table = unsafe parts.next() {
            if unsafe name.elementsEqual(code.utf8) {
                return unsafe Array(table)
            }
        }
        return nil
    }

    private struct Name: Decodable { let name: String }

    /// Every language by its own name.
    package static let names: [(code: String, name: String)] = codes.compactMap { code in
        let bytes = embeddedBytes(code)
        let found = bytes.flatMap { try? JSON.decode(Name.self, from: $0) }
        return found.map { (code, $0.name) }
    }

    package static let english =
        embedded("en")
        ?? Language(
            code: "en", name: "", direction: "ltr", digits: "latin", months: [], weekdays: [],
            hijriMonths: [],
            date: "", hijriDate: "", prayers: [:], phrases: [:], person: [:], remote: [:])

    /// The first language of a person's environment that has a table, by the rules of setlocale(3) and gettext(3).
    package static func code(in variable: (String) -> String?) -> String {
        let locale =
            ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? "C"
        // These locales request untranslated messages.
        guard !["C", "POSIX"].contains(locale.prefix { $0 != "." }) else { return "en" }
        let wanted = (variable("LANGUAGE") ?? "").split(separator: ":").map(String.init) + [locale]
        return wanted.lazy.map { String($0.prefix { $0 != "_" && $0 != "." && $0 != "@" && $0 != "-" }) }
            .first(where: codes.contains) ?? "en"
    }
}
