package import Protocol

/// `/r/network`: which network the box is to join, and why it did not.
package struct NetworkFacts: Sendable, Equatable {
    package let network: NetworkDocument
    /// Whether a network may be named here: in the box's own network alone.
    package let mayJoin: Bool

    package init(_ network: NetworkDocument, mayJoin: Bool) {
        (self.network, self.mayJoin) = (network, mayJoin)
    }
}

extension PageMaker {
    func network(_ facts: NetworkFacts) -> [HTML] {
        let network = facts.network
        var content: [HTML] = []
        if network.state == .joined, network.last == nil { content.append(paragraph("network-joined")) }
        if let last = network.last {
            let words = context.write("join-\(last.rawValue)", ["name": network.name ?? ""])
            content.append(.element("p", [("class", "problem"), ("role", "alert")], [.text(words)]))
        }
        guard facts.mayJoin else { return content }
        return content + [paragraph("join-warning"), paragraph("stay-connected"), joinForm(network)]
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
            [("maxlength", "64"), ("autocomplete", "off"), ("dir", "ltr")])
        let country = field(
            "country", context.write("network-country"), value: network.country ?? "",
            [("maxlength", "2"), ("autocapitalize", "characters"), ("autocomplete", "off"), ("dir", "ltr")])
        let hidden = HTML.element(
            "label", [],
            [
                .element("input", [("name", "hidden"), ("type", "checkbox"), ("value", "yes")]),
                .element("span", [], [.text(context.write("network-hidden"))]),
            ])
        return form(.join, [list, ssid, password, hidden, country], context.write("join"))
    }
}
