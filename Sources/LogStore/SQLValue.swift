/// A value as it lies in the file. A text is its bytes, so that a damaged one is kept as it was.
enum SQLValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }

    init(_ text: String) { self = .text(Array(text.utf8)) }

    var isNull: Bool { self == .null }

    /// A whole number. A damaged file may hold a fraction in its place, which loses what is behind the point.
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
