import Settings
import TOML

/// `fleet.toml`: the fleet to which the box belongs. adhand's part of it becomes a drop-in of adhand.toml; the rest is for the program
/// that connects the box to its fleet.
package struct CardFleet: Sendable, Equatable {
    /// The drop-in.
    package let text: [UInt8]
    /// Lines of the report.
    package let lines: [String]

    private static let keys = ["org", "signing-key", "recovery-key", "groups"]

    /// The drop-in of a box that belongs to no fleet any more. It has words, so that the loss of the keys is meant.
    package static let left = Array("# fleet.toml on the card is empty: this box belongs to no fleet.\n".utf8)

    package init(_ text: [UInt8]) throws(CardRefusal) {
        let document = TOMLDocument(text)
        if let fault = document.faults.first {
            let line = text[..<min(fault.offset, text.count)].count { $0 == UInt8(ascii: "\n") } + 1
            throw CardRefusal(
                "line \(line): this is not TOML: a key, \"=\" and a value such as \"noor\" in a line")
        }
        var found: [String: String] = [:]
        var others: [String] = []
        for (index, node) in document.nodes.enumerated() {
            guard let path = document.path(of: index), path.count == 2, path[0] == "fleet" else {
                if let path = document.path(of: index), path.count == 1, path[0] != "fleet" {
                    others.append(path[0])
                }
                continue
            }
            if Self.keys.contains(path[1]) {
                found[path[1]] = String(decoding: text[node.range], as: UTF8.self)
            } else {
                others.append(path[1])
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
        let groups = fleet.groups.isEmpty ? "" : ", groups \(fleet.groups.joined(separator: ", "))"
        let rest = others.isEmpty ? [] : ["not for adhand: \(others.joined(separator: ", "))"]
        lines = ["the fleet \(fleet.org)\(groups)"] + rest
    }
}
