package import Protocol
internal import Texts

/// `/r/network`: the network that the box is to join, and the reason why it did not.
package struct NetworkFacts: Sendable, Equatable {
    package let network: NetworkDocument
    /// Whether a network may be named here, which only the box's own network allows.
    package let mayJoin: Bool
    /// The address of the page on the network that the box joins.
    package var home: String?
    /// Whether this phone may continue with the set-up, because no place is set yet.
    package var offersSetup = false
    /// Whether that address pairs the phone again.
    var pairsAgain: Bool { home?.contains("#") ?? false }

    package init(_ network: NetworkDocument, mayJoin: Bool) {
        (self.network, self.mayJoin) = (network, mayJoin)
    }

    /// - Parameters:
    ///   - pairing: the page for typing a code, as phones of that network address it.
    ///   - key: pairs this phone there; `nil` for a phone that gets no rights there, although it may already have some.
    package static func home(_ pairing: String, key: String?) -> String {
        guard let key else { return pairing.replacing(Route.path(of: .pair), with: Route.path(of: .now)) }
        return "\(pairing)#\(key)"
    }
}

extension NetworkDocument {
    /// Refuses a request without the password of a network that the box knows to be secured.
    package func refusal(of request: JoinRequest) -> FieldRefusal? {
        let needsPassword = networks.contains { $0.ssid == request.ssid && $0.secured }
        return needsPassword && request.password == nil ? FieldRefusal("password", .missing) : nil
    }
}

extension PageMaker {
    func network(_ facts: NetworkFacts) -> [HTML] {
        let network = facts.network
        let home = facts.home.map { [paragraph("network-then"), address($0)] } ?? []
        let again = facts.pairsAgain ? [paragraph("network-again")] : []
        let isNoticed = context.notice?.content == .done(.trying)
        if facts.mayJoin, isNoticed || network.state == .joining {
            // Showing the form again would look as if it had failed.
            let trying = isNoticed ? [] : [paragraph(PageDone.trying.rawValue)]
            return trying + [paragraph("join-warning")] + home + again + withoutLink(facts)
        }
        var content: [HTML] = []
        if network.state == .joined, network.last == nil { content.append(paragraph("network-joined")) }
        if let words = reason(network) {
            content.append(.element("p", [("class", "problem"), ("role", "alert")], [.text(words)]))
        }
        guard facts.mayJoin else {
            // A network's password is requested only on the box's own network, at the address there.
            return content + (network.state == .hotspot ? [address("http://\(Hotspot.address)\(path)")] : [])
        }
        let before = [paragraph("join-warning"), paragraph("stay-connected")] + home + again
        return content + before + [joinForm(network)] + (facts.offersSetup ? [setupLink] : [])
    }

    private var setupLink: HTML {
        let link = HTML.element("a", [("href", context.link(to: .setup))], [.text(context.text("setup"))])
        return .element("p", [], [link])
    }

    /// The reason why the box is back on its own network. A network named by a phone is later than the one from Imager.
    private func reason(_ network: NetworkDocument) -> String? {
        if let last = network.last {
            return context.text("join-\(last.rawValue)", ["name": network.name ?? ""])
        }
        return network.hasDerivedKey == true ? context.text("join-derived-key") : nil
    }

    /// The alternative to the link, for a phone that is to be paired again on the next network.
    private func withoutLink(_ facts: NetworkFacts) -> [HTML] {
        guard facts.pairsAgain, let home = facts.home else { return [] }
        let host = home.split(separator: "/").dropFirst().first.map(String.init) ?? home
        return [.element("p", [], [phrase(context.text("network-code"), "name", host)])]
    }

    private var path: String { Route.path(of: .network) }

    /// A link to another address of this box. The code behind `#` is hidden, because no one needs to read it.
    private func address(_ url: String) -> HTML {
        let shown = String(url.prefix { $0 != "#" })
        return .element("p", [], [.element("a", [("href", url)], [number(shown)])])
    }

    private func joinForm(_ network: NetworkDocument) -> HTML {
        let names = network.networks.map { HTML.element("option", [("value", $0.ssid)], []) }
        let list = HTML.element("datalist", [("id", "networks")], names)
        let ssid = field(
            "ssid", context.text("network-name"), value: network.name ?? "",
            [
                ("required", ""), ("maxlength", "32"), ("autocomplete", "off"), ("autocapitalize", "none"),
                ("list", "networks"),
            ])
        let password = field(
            "password", context.text("network-password"), type: "password",
            [
                ("maxlength", "64"), ("autocomplete", "off"), ("autocapitalize", "none"),
                ("spellcheck", "false"), ("dir", "ltr"),
            ])
        let country = field(
            "country", context.text("network-country"), value: network.country ?? "",
            [
                ("maxlength", "2"), ("autocapitalize", "characters"), ("autocomplete", "off"), ("dir", "ltr"),
                ("placeholder", "GB"),
            ])
        let hidden = box("hidden", "yes", context.text("network-hidden"))
        let fields = [list, ssid] + seen(network) + [password, showPassword, hidden, country]
        return form(.join, fields, context.text("join"))
    }

    /// A box that shows the password. It is visible only with a script, and never sent.
    private var showPassword: HTML {
        .element(
            "label", [("class", "box"), ("hidden", "")],
            [
                .element("input", [("type", "checkbox"), ("data-shows", "password")]),
                .element("span", [], [.text(context.text("password-show"))]),
            ])
    }

    /// The most networks listed beside the form. The others are suggested while a name is typed.
    private static var mostSeen: Int { 5 }

    /// The networks to tap instead of typing a name. They are visible only with a script.
    private func seen(_ network: NetworkDocument) -> [HTML] {
        guard !network.networks.isEmpty else { return [] }
        let names = network.networks.prefix(Self.mostSeen).map { found in
            HTML.element(
                "button", [("type", "button"), ("data-ssid", ""), ("value", found.ssid), ("hidden", "")],
                [.text(found.ssid)])
        }
        return [.element("div", [("class", "row ways")], names)]
    }
}
