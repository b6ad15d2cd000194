import Texts

/// The languages that there are tables of, by their codes. The tables are a module of their own, which holds them against this
/// list.
package enum LanguageCode {
    package static let all = [
        "ar", "bn", "bs", "de", "en", "es", "fa", "fr", "ha", "id", "it", "ms", "nl", "pt", "ru", "so", "sq",
        "sw",
        "tr", "ur", "uz",
    ]

    /// The values that a configuration's key may hold to name a language.
    package static let kind = TextKind.Other(
        allowed: "a language's code: " + all.joined(separator: ", "), plural: "languages"
    ) { text in
        if all.contains(text) { return nil }
        return TextKind.Fault(hint: NearestName.of(text, among: all).map { "\"\($0)\"" })
    }
}
