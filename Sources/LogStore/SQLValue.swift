/// A value in the file. A text is kept as bytes, so that damaged bytes stay unchanged.
enum SQLValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }

    init(_ text: String) { self = .text(Array(text.utf8)) }

    var isNull: Bool { self == .null }

    /// A whole number. A fraction, as a damaged file may have, is truncated.
    var integer: Int? {
        switch self {
        case .integer(let number): Int(number)
        case .real(let number): Int(exactly: number.rounded(.towardZero))
        case .null, .text, .blob: nil
        }
    }

    var string: String? {
        switch self {
        case .text(let bytes), .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        case .null, .integer, .real: nil
        }
    }
}
