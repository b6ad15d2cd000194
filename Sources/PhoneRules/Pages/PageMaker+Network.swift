package import Protocol
internal import Texts

/// `/r/network`: which network the box is to join, and why it did not.
package struct NetworkFacts: Sendable, Equatable {
    package let network: NetworkDocument
    /// Whether a network may be named here: in the box's own network alone.
    package let mayJoin: Bool
    /// The address of the page on the network that the box joins.
    package var home: String?
    /// Whether this phone may go on with the set-up, as no place is named yet.
    package var offersSetup = false
    /// Whether that address pairs the phone once more.
    var pairsAgain: Bool { home?.contains("#") ?? false }

    package init(_ network: NetworkDocument, mayJoin: Bool) {
        (self.network, self.mayJoin) = (network, mayJoin)
    }

    /// - Parameters:
    ///   - pairing: the page on which a code is typed, as phones of that network call it.
    ///   - key: pairs this phone there; `nil` for a phone that gets no rights there, and may have some of its own.
    package static func home(_ pairing: String, key: String?) -> String {
        guard let key else { return pairing.replacing(Route.path(of: .pair), with: Route.path(of: .now)) }
        return "\(pairing)#\(key)"
    }
}

extension NetworkDocument {
    /// The field without which nothing comes of a network that the box has seen.
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
            // The form once more would look as if nothing had come of it.
            let trying = isNoticed ? [] : [paragraph(PageDone.trying.rawValue)]
            return trying + [paragraph("join-warning")] + home + again + withoutLink(facts)
        }
        var content: [HTML] = []
        if network.state == .joined, network.last == nil { content.append(paragraph("network-joined")) }
        if let words = reason(network) {
            content.append(.element("p", [("class", "problem"), ("role", "alert")], [.text(words)]))
        }
        guard facts.mayJoin else {
            // The password of a network is asked for in the box's own one alone, at that network's address.
            return content + (network.state == .hotspot ? [address("http://\(Hotspot.address)\(path)")] : [])
        }
        let before = [paragraph("join-warning"), paragraph("stay-connected")] + home + again
        return content + before + [joinForm(network)] + (facts.offersSetup ? [setupLink] : [])
    }

    private var setupLink: HTML {
        let link = HTML.element("a", [("href", context.link(to: .setup))], [.text(context.write("setup"))])
        return .element("p", [], [link])
    }

    /// Why the box is back in its own network. What a phone has named is later than what Imager wrote.
    private func reason(_ network: NetworkDocument) -> String? {
        if let last = network.last {
            return context.write("join-\(last.rawValue)", ["name": network.name ?? ""])
        }
        return network.hasDerivedKey == true ? context.write("join-derived-key") : nil
    }

    /// The other way in on the next network, for a phone that is to be paired once more there.
    private func withoutLink(_ facts: NetworkFacts) -> [HTML] {
        guard facts.pairsAgain, let home = facts.home else { return [] }
        let host = home.split(separator: "/").dropFirst().first.map(String.init) ?? home
        return [.element("p", [], [phrase(context.write("network-code"), "name", host)])]
    }

    private var path: String { Route.path(of: .network) }

    /// A link to another address of this box. The word behind `#` is nothing to read.
    private func address(_ url: String) -> HTML {
        let shown = String(url.prefix { $0 != "#" })
        return .element("p", [], [.element("a", [("href", url)], [number(shown)])])
    }

    private func joinForm(_ network: NetworkDocument) -> HTML {
        let names = network.networks.map { HTML.element("option", [("value", $0.ssid)], []) }
        let list = HTML.element("datalist", [("id", "networks")], names)
        let ssid = field(
            "ssid", context.write("network-name"), value: network.name ?? "",
            [
                ("required", ""), ("maxlength", "32"), ("autocomplete", "off"), ("autocapitalize", "none"),
                ("list", "networks"),
            ])
        let password = field(
            "password", context.write("network-password"), type: "password",
            [
                ("maxlength", "64"), ("autocomplete", "off"), ("autocapitalize", "none"),
                ("spellcheck", "false"), ("dir", "ltr"),
            ])
        let country = field(
            "country", context.write("network-country"), value: network.country ?? "",
            [
                ("maxlength", "2"), ("autocapitalize", "characters"), ("autocomplete", "off"), ("dir", "ltr"),
                ("placeholder", "GB"),
            ])
        let hidden = box("hidden", "yes", context.write("network-hidden"))
        let fields = [list, ssid] + seen(network) + [password, showPassword, hidden, country]
        return form(.join, fields, context.write("join"))
    }

    /// Letters in place of dots; shown where a script runs, and never sent.
    private var showPassword: HTML {
        .element(
            "label", [("class", "box"), ("hidden", "")],
            [
                .element("input", [("type", "checkbox"), ("data-shows", "password")]),
                .element("span", [], [.text(context.write("password-show"))]),
            ])
    }

    /// The most networks beside the form. The others are proposed while their names are typed.
    private static var mostSeen: Int { 5 }

    /// A tap in place of a name that is typed; shown where a script runs.
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
