import Texts

/// The shape of a type's JSON: its keys, which of them may be missing or `null`, and their types. It is found by decoding the
/// type from an empty decoder and recording the requests of its initializer, so it is stated in one place.
package indirect enum JSONShape: Sendable, Equatable {
    case bool, int, float, string
    /// One of a list of words.
    case choice([String])
    case list(JSONShape)
    /// An object with free keys.
    case map(JSONShape)
    case object(type: String, [Field])
    /// A value that may be `null`.
    case nullable(JSONShape)

    package struct Field: Sendable, Equatable {
        package let name: String
        package let isOptional: Bool
        package let shape: JSONShape

        package init(name: String, isOptional: Bool, shape: JSONShape) {
            (self.name, self.isOptional, self.shape) = (name, isOptional, shape)
        }
    }

    /// A type without a shape: it has a custom decoder.
    package struct UnknownError: Error {
        package let type: String
    }

    package init<Value: Decodable>(of type: Value.Type) throws(UnknownError) {
        do {
            self = try Probe.read(type).shape
        } catch let error as UnknownError {
            throw error
        } catch {
            throw UnknownError(type: "\(type): \(error)")
        }
    }

    /// The fields of an object; empty for anything else.
    package var fields: [Field] {
        if case .object(_, let fields) = self { fields } else { [] }
    }
}

/// Decodes empty values: false, 0, "", no elements, the first word of a list.
private struct Probe: Decoder {
    final class Record {
        var fields: [JSONShape.Field] = []
        /// Keys whose presence the initializer asked for.
        var optional: Set<String> = []
    }

    let type: String
    let record = Record()
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func read<Value: Decodable>(_ type: Value.Type) throws -> (value: Value, shape: JSONShape) {
        if let value = false as? Value { return (value, .bool) }
        if let value = 0 as? Value { return (value, .int) }
        if let value = 0.0 as? Value { return (value, .float) }
        if let value = "" as? Value { return (value, .string) }
        if let type = type as? any Shaped.Type {
            let (value, shape) = try type.probed()
            if let value = value as? Value { return (value, shape) }
        }
        if let type = type as? any (CaseIterable & RawRepresentable).Type {
            let (value, shape) = try choice(type)
            if let value = value as? Value { return (value, shape) }
        }
        let probe = Probe(type: "\(type)")
        let value = try Value(from: probe)
        return (value, .object(type: "\(type)", probe.record.fields))
    }

    private static func choice<Words: CaseIterable & RawRepresentable>(
        _ type: Words.Type
    ) throws -> (value: Any, shape: JSONShape) {
        let words = type.allCases.compactMap { $0.rawValue as? String }
        guard let first = type.allCases.first, words.count == type.allCases.count else {
            throw JSONShape.UnknownError(type: "\(type)")
        }
        return (first, .choice(words))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keys(record: record))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw JSONShape.UnknownError(type: type)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw JSONShape.UnknownError(type: type)
    }
}

/// Records the keys that a type reads of an object.
private struct Keys<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let record: Probe.Record
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        record.optional.insert(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let (value, shape) = try Probe.read(type)
        var (isOptional, plain) = (record.optional.contains(key.stringValue), shape)
        // A field may be `null` or left out: both are optional.
        if case .nullable(let inner) = shape { (isOptional, plain) = (true, inner) }
        record.fields.append(.init(name: key.stringValue, isOptional: isOptional, shape: plain))
        return value
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw unknown(key) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw unknown(key) }
    func superDecoder() throws -> any Decoder { throw JSONShape.UnknownError(type: "super") }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw unknown(key) }

    private func unknown(_ key: Key) -> JSONShape.UnknownError { .init(type: key.stringValue) }
}

/// Containers that hold values of another shape.
private protocol Shaped {
    static func probed() throws -> (value: Any, shape: JSONShape)
}

extension Array: Shaped where Element: Decodable {
    static func probed() throws -> (value: Any, shape: JSONShape) {
        ([Element](), .list(try Probe.read(Element.self).shape))
    }
}

extension Dictionary: Shaped where Key == String, Value: Decodable {
    static func probed() throws -> (value: Any, shape: JSONShape) {
        ([String: Value](), .map(try Probe.read(Value.self).shape))
    }
}

extension Nullable: Shaped {
    static func probed() throws -> (value: Any, shape: JSONShape) {
        (Nullable(wrappedValue: nil), .nullable(try Probe.read(Value.self).shape))
    }
}
