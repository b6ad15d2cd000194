package import Settings

extension Language {
    /// The values that a configuration's key may hold to name a language.
    package static let codeKind = LanguageCode.kind
}
