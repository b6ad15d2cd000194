import Settings
import TOML
import Texts

/// `fleet.toml`: the fleet to which the box belongs. `[fleet]` becomes a drop-in of adhand.toml, `[enrol]` one of bridge.toml, by which
/// the box asks for its place.
package struct CardFleet: Sendable, Equatable {
    /// The way into the fleet.
    package struct Enrolment: Sendable, Equatable {
        package let brokers: [String]
        /// The word with which the box may ask.
        package let token: String
        /// The PEM of the brokers' authority; `nil`: the usual authorities.
        package let authority: String?

        /// The drop-in of bridge.toml.
        package func bridge(tokenFile: String, authorityFile: String) -> [UInt8] {
            var lines = [
                "# By fleet.toml of the card, which is written over this file.", "[fleet]",
                "broker = [\(brokers.map(TOMLEscapes.quote).joined(separator: ", "))]",
                "token-file = \(TOMLEscapes.quote(tokenFile))",
            ]
            if authority != nil { lines.append("ca-file = \(TOMLEscapes.quote(authorityFile))") }
            return Array((lines.joined(separator: "\n") + "\n").utf8)
        }
    }

    /// The drop-in.
    package let text: [UInt8]
    package let enrolment: Enrolment?
    /// Lines of the report.
    package let lines: [String]

    private static let keys = ["org", "signing-key", "recovery-key", "groups"]
    private static let enrolKeys = ["broker", "token", "ca"]

    /// The drop-in of a box that belongs to no fleet any more. It has words, so that the loss of the keys is meant.
    package static let left = Array("# fleet.toml on the card is empty: this box belongs to no fleet.\n".utf8)

    package init(_ text: [UInt8]) throws(CardRefusal) {
        let document = TOMLDocument(text)
        if let fault = document.faults.first {
            let line = text[..<min(fault.offset, text.count)].count { $0 == UInt8(ascii: "\n") } + 1
            throw CardRefusal(
                "line \(line): this is not TOML: a key, \"=\" and a value such as \"noor\" in a line")
        }
        var (found, enrol): ([String: String], [String: [String]]) = ([:], [:])
        var others: [String] = []
        for (index, node) in document.nodes.enumerated() {
            guard let path = document.path(of: index) else { continue }
            switch (path.first, path.count) {
            case ("fleet", 1), ("enrol", 1): break
            case ("fleet", 2) where Self.keys.contains(path[1]):
                found[path[1]] = String(decoding: text[node.range], as: UTF8.self)
            case ("enrol", 2) where Self.enrolKeys.contains(path[1]):
                enrol[path[1]] = document.texts(of: index)
            case (_, 1): others.append(path[0])
            case ("fleet", 2), ("enrol", 2): others.append(path[1])
            default: break
            }
        }
        let written = Self.keys.compactMap { key in found[key].map { "\(key) = \($0)\n" } }
        let whole =
            "# By fleet.toml of the card, which is written over this file.\n[fleet]\n" + written.joined()
        self.text = Array(whole.utf8)
        let fleet: FleetSettings?
        do throws(ConfigError) {
            fleet = try ConfigLoader.load([ConfigSource(file: "fleet.toml", text: self.text)]).config.fleet
        } catch {
            throw CardRefusal(error.all.map(\.reason))
        }
        guard let fleet else {
            throw CardRefusal("it names no fleet: under [fleet] write org and signing-key")
        }
        enrolment = enrol.isEmpty ? nil : try Self.enrolment(enrol)
        let groups = fleet.groups.isEmpty ? "" : ", groups \(fleet.groups.joined(separator: ", "))"
        let asks = enrolment.map { "the box asks for its place at \($0.brokers.joined(separator: ", "))" }
        let rest = others.isEmpty ? nil : "not for adhand: \(others.joined(separator: ", "))"
        lines = ["the fleet \(fleet.org)\(groups)"] + [asks, rest].compactMap(\.self)
    }

    private static func enrolment(_ values: [String: [String]]) throws(CardRefusal) -> Enrolment {
        let brokers = values["broker"] ?? []
        guard !brokers.isEmpty, brokers.allSatisfy({ BrokerAddress($0) != nil }) else {
            throw CardRefusal(
                "under [enrol] there is no broker such as [\"mqtts://fleet.example.org:8883\"]: copy the file again as \"adhan-fleet enrol new\" wrote it"
            )
        }
        // A secret, so that it is not repeated.
        guard let token = values["token"]?.first, (16...256).contains(token.utf8.count),
            token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw CardRefusal(
                "the token under [enrol] is missing or not whole: copy the file again as \"adhan-fleet enrol new\" wrote it"
            )
        }
        let authority = values["ca"]?.first
        guard authority?.contains("-----BEGIN CERTIFICATE-----") ?? true else {
            throw CardRefusal(
                "the ca under [enrol] is no certificate (PEM): copy the file again as \"adhan-fleet enrol new\" wrote it"
            )
        }
        return Enrolment(brokers: brokers, token: token, authority: authority)
    }
}

extension TOMLDocument {
    /// A text, or the texts of a list; empty for whatever else.
    fileprivate func texts(of index: Int) -> [String] {
        switch nodes[index].value {
        case .text(let text): [text]
        case .list(let elements):
            elements.compactMap { if case .text(let text) = nodes[$0].value { text } else { nil } }
        default: []
        }
    }
}
