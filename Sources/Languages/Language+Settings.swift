package import Settings
import Texts

extension Language {
    /// The values that a configuration's key may hold to name a language.
    package static let codeKind = TextKind.Other(
        allowed: "a language's code: " + codes.joined(separator: ", "), plural: "languages"
    ) { text in
        if codes.contains(text) { return nil }
        return TextKind.Fault(hint: NearestName.of(text, among: codes).map { "\"\($0)\"" })
    }
}
