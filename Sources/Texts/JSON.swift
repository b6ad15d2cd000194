import FoundationEssentials

/// JSON for output: keys in a stable order, slashes unescaped, no number that JSON lacks, no character that a terminal would
/// obey.
package enum JSON {
    package static func encode(_ value: some Encodable, pretty: Bool = false) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return PlainText.printable(json: [UInt8](try encoder.encode(value)))
    }

    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws
        -> Value
    {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
