internal import Languages
internal import Texts

/// The page on which a phone is paired.
extension PageMaker {
    func pair(_ facts: PairFacts) -> [HTML] {
        let acceptsWords = facts.acceptsWords || facts.namesNetwork
        let code = field(
            "code", context.text(acceptsWords ? "code-or-word" : "code"),
            [
                ("inputmode", acceptsWords ? "text" : "numeric"), ("autocomplete", "one-time-code"),
                ("maxlength", "\(acceptsWords ? PairingWord.longest : 6)"),
                ("autocapitalize", "none"), ("dir", "ltr"), ("autofocus", ""),
            ])
        let name = field(
            "name", context.text("phone-name"), value: context.phone?.name ?? facts.suggestedName,
            [("required", ""), ("maxlength", "\(PhoneName.longest)"), ("autocomplete", "off")])
        let form = HTML.element(
            "form", [("method", "post"), ("action", Self.address(of: .enterCode)), ("id", "pair")],
            [
                .element("input", [("type", "hidden"), ("name", "key"), ("value", "")])
            ] + (facts.hasJoined ? [] : [code]) + [name, button(context.text("pair"))])
        let words =
            facts.namesNetwork ? "pair-help-network" : facts.acceptsWords ? "pair-help-words" : "pair-help"
        let help = HTML.element("p", [("id", "pair-help")], [.text(context.text(words))])
        if facts.hasJoined { return [paragraph("claim-help"), form, language(.pair)] }
        // The notice for a phone that was slower already has this sentence.
        let isNoticed = words == "pair-help" && context.notice?.content == .problem(.claimed)
        return (isNoticed ? [] : [help]) + [form] + (facts.isSecure ? [] : [paragraph("shared-wifi")])
    }

    /// A choice of language. It only changes the address, so it needs no act.
    func language(_ page: Route.Name) -> HTML {
        let options = Language.names.map { ($0.code, $0.name) }
        return .element(
            "form", [("method", "get"), ("action", Route.path(of: page))],
            [
                choice("lang", context.text("language"), options, chosen: context.language.code),
                button(context.text("choose")),
            ])
    }
}
