package import Protocol
package import Settings

/// The language of the screen on the wall. A set-up by phone sets it to the page's language, unless a file, a command or a pin
/// has already named languages.
package struct ScreenLanguage: Sendable, Equatable {
    package static let key = "display.languages"

    /// The default languages in force; `nil` if languages were named.
    private let unnamed: [String]?

    package init(_ reply: SettingsReply) {
        let key = reply.keys.first { $0.key == Self.key }
        let isMade = reply.settings.contains { $0.key == Self.key }
        let isNamed = isMade || key?.file != nil || key?.pinned != nil
        unnamed = isNamed ? nil : key?.inForce.map(PlainValue.texts)
    }

    /// The change for a set-up in this language; `nil` if the screen already uses it, or must not be changed.
    package func change(to code: String) -> SettingChange? {
        guard let unnamed, unnamed != [code] else { return nil }
        return SettingChange(key: Self.key, value: "[\(TOMLEscapes.quote(code))]")
    }
}
