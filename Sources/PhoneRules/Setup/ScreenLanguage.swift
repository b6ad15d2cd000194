package import Protocol
package import Settings

/// The language of the screen on the wall. A set-up by phone sets it to the language of the page, unless somebody has named
/// languages: a file, a command, or a pin that keeps them.
package struct ScreenLanguage: Sendable, Equatable {
    package static let key = "display.languages"

    /// The languages in force, which nobody has named; `nil` where somebody has.
    private let unnamed: [String]?

    package init(_ reply: SettingsReply) {
        let key = reply.keys.first { $0.key == Self.key }
        let isMade = reply.settings.contains { $0.key == Self.key }
        let isNamed = isMade || key?.file != nil || key?.pinned != nil
        unnamed = isNamed ? nil : key?.inForce.map(PlainValue.texts)
    }

    /// The change that a set-up in a language makes; `nil` where the screen speaks it already, or is not to be changed.
    package func change(to code: String) -> SettingChange? {
        guard let unnamed, unnamed != [code] else { return nil }
        return SettingChange(key: Self.key, value: "[\(TOMLEscapes.quote(code))]")
    }
}
