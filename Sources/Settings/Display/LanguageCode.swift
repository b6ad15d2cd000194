import Texts

/// The available languages by their codes. Their tables are in a separate module, which is checked against this list.
package enum LanguageCode {
    package static let all = [
        "ar", "bn", "bs", "de", "en", "es", "fa", "fr", "ha", "id", "it", "ms", "nl", "pt", "ru", "so", "sq",
        "sw",
        "tr", "ur", "uz",
    ]

    /// The values of a configuration's key that selects a language.
    package static let kind = TextKind.Other(
        allowed: "a language's code: " + all.joined(separator: ", "), plural: "languages"
    ) { text in
        if all.contains(text) { return nil }
        return TextKind.Fault(hint: NearestName.of(text, among: all).map { "\"\($0)\"" })
    }
}
