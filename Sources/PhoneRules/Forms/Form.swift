/// The fields of a form (`application/x-www-form-urlencoded`) in their order. Parsing takes time in proportion to the number of
/// bytes, and the result is not larger than they are.
package struct Form: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package enum UnreadableError: Error, Sendable, Equatable, CaseIterable {
        /// More than 256 fields.
        case tooMany
        /// A name that is empty or longer than 200 bytes.
        case name
        /// `%` without two hexadecimal digits after it.
        case escape
        /// Bytes that are not valid text, or a NUL.
        case text
    }

    package static let mostFields = 256
    package static let longestName = 200

    package let fields: [Field]

    package init(fields: [Field]) { self.fields = fields }

    package init(_ bytes: some Sequence<UInt8>) throws(UnreadableError) {
        var fields: [Field] = []
        for part in Array(bytes).split(separator: UInt8(ascii: "&")) {
            guard fields.count < Self.mostFields else { throw .tooMany }
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            let name = try Self.text(part[..<(equals ?? part.endIndex)])
            guard !name.isEmpty, name.utf8.count <= Self.longestName else { throw .name }
            fields.append(
                Field(
                    name,
                    try equals.map { index throws(UnreadableError) in
                        try Self.text(part[(index + 1)...])
                    } ?? ""))
        }
        self.fields = fields
    }

    /// The value of a field that occurs once; `nil` if it is missing or repeated.
    package subscript(_ name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    /// The values of a field that may be repeated.
    package func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(UnreadableError) -> String {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "+"): plain.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]),
                    let low = digit(bytes[index + 2])
                else { throw .escape }
                plain.append(high << 4 | low)
                index += 2
            case let byte: plain.append(byte)
            }
            index += 1
        }
        guard !plain.contains(0), let text = String(validating: plain, as: UTF8.self) else { throw .text }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
