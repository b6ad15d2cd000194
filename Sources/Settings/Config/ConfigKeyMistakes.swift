import TOML
import Texts

/// Sentences about a key or its value.
extension ConfigText {
    func check(
        _ value: WrittenValue, _ rule: ValueRule, _ path: [String], _ node: Int
    ) throws(ConfigError) -> ConfigValue {
        do throws(ValueRule.ValueError) {
            return try rule.check(value)
        } catch {
            let key = path.joined(separator: ".")
            let reason = error.sentence(key, rule, because: swapped(value, path))
            throw self.error(at: offset(of: error.element, in: node), key: key, reason)
        }
    }

    /// The hint at a latitude that can only be a longitude.
    private func swapped(_ value: WrittenValue, _ path: [String]) -> String? {
        guard path == ["location", "latitude"], let latitude = value.number, abs(latitude) <= 180,
            let other = document.node(["location", "longitude"]),
            let longitude = WrittenValue(other, in: document).number, abs(longitude) <= 90
        else { return nil }
        return "latitude and longitude seem to be swapped"
    }

    func unknown(_ path: [String], at offset: Int) -> ConfigError {
        for length in path.indices.dropFirst() {
            let outer = Array(path.prefix(length))
            switch index[outer] {
            case .table, .shorthand: continue
            case .key(let rule) where rule.isCompound: continue
            // In "no.such" the table is unknown, not the key.
            case nil: return unknown(outer, at: offset)
            case .key:
                let name = outer.joined(separator: ".")
                return error(
                    at: offset, key: path.joined(separator: "."), "\(name) is a value and holds no keys")
            }
        }
        let table = Array(path.dropLast())
        let name = path[path.count - 1]
        let allowed = index.names(in: table)
        let key = path.map(TOMLEscapes.key).joined(separator: ".")
        var reason = "unknown key \(key); allowed "
        reason += table.isEmpty ? "here" : "in [\(table.joined(separator: "."))]"
        reason += ": \(allowed.joined(separator: ", "))"
        if let near = CommonSpelling.of(name, among: allowed) ?? NearestName.of(name, among: allowed) {
            reason += "; did you mean \(near)?"
        } else if let home = index.home(of: name) {
            reason +=
                home.isEmpty
                ? "; \(name) stands before the first [table]"
                : "; \(name) belongs in [\(home.joined(separator: "."))]"
        }
        return error(at: offset, key: key, reason)
    }

    private func offset(of element: Int?, in node: Int) -> Int {
        guard let element, case .list(let elements) = document.nodes[node].value,
            elements.indices.contains(element)
        else { return document.nodes[node].range.lowerBound }
        return document.nodes[elements[element]].range.lowerBound
    }
}
