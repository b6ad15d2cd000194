package import Texts

/// `box.txt`: settings of the box that are not adhand's.
package struct CardSettings: Codable, Sendable, Equatable {
    package enum Switch: String, Codable, CaseIterable, Sendable { case on, off }
    package enum Hotspot: String, Codable, CaseIterable, Sendable { case auto, off }

    package static let fileName = "box.txt"

    /// Whether the box upgrades adhand's own packages. Debian's updates go on either way.
    package private(set) var upgradesAdhand = Switch.on
    /// Whether the box makes a network of its own: where it has none, and after three power cycles.
    package private(set) var hotspot = Hotspot.auto
    /// Whether the phone page is on; `nil` where the file leaves it to the keeper.
    @Nullable package private(set) var phone: Switch?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case upgradesAdhand = "adhand-upgrades"
        case hotspot, phone
    }

    package init(_ text: [UInt8]) throws(CardRefusal) {
        var known: Set<CodingKeys> = []
        for (index, line) in CardText.lines(text).enumerated() where !CardText.isRemark(line) {
            do throws(CardRefusal) {
                let key = try read(line)
                guard known.insert(key).inserted else {
                    throw CardRefusal("\(key.rawValue) is written twice")
                }
            } catch {
                throw CardRefusal(error.lines.map { "line \(index + 1): \($0)" })
            }
        }
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>) throws(CardRefusal) -> CodingKeys {
        guard let whole = String(validating: bytes, as: UTF8.self) else {
            throw CardRefusal("a letter here is in no UTF-8: save the file with the encoding UTF-8")
        }
        let line = whole.prefix { $0 != "#" }
        guard let equals = line.firstIndex(of: "=") else { throw CardRefusal("is not KEY = VALUE") }
        let value = CardNetworks.trimmed(line[line.index(after: equals)...]).lowercased()
        guard let key = CodingKeys(rawValue: CardNetworks.trimmed(line[..<equals]).lowercased()) else {
            let names = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")
            throw CardRefusal("only these are known here: \(names)")
        }
        switch key {
        case .upgradesAdhand: upgradesAdhand = try Self.choice(value, of: key)
        case .hotspot: hotspot = try Self.choice(value, of: key)
        case .phone: phone = try Self.choice(value, of: key)
        }
        return key
    }

    private static func choice<Value: RawRepresentable & CaseIterable>(
        _ text: String, of key: CodingKeys
    ) throws(CardRefusal) -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: text) else {
            let allowed = Value.allCases.map(\.rawValue).joined(separator: " or ")
            throw CardRefusal("\(key.rawValue) is \(allowed)")
        }
        return value
    }

    /// The settings for people: each as it is written in the file.
    package var summary: [(name: String, text: String)] {
        [
            ("adhand-upgrades", upgradesAdhand.rawValue), ("hotspot", hotspot.rawValue),
            ("phone", phone?.rawValue ?? "as the keeper chose"),
        ]
    }
}
