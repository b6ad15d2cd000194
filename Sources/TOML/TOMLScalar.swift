/// Numbers, booleans and dates, by TOML's grammar.
enum TOMLScalar {
    static func read(_ word: [UInt8]) throws(TOMLError.ScalarError) -> TOMLDocument.Value {
        switch String(decoding: word, as: UTF8.self) {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "inf", "+inf": return .number(.infinity)
        case "-inf": return .number(-.infinity)
        case "nan", "+nan", "-nan": return .number(.nan)
        default: break
        }
        if word.count >= 10, word[4] == TOMLParser.minus, word[7] == TOMLParser.minus {
            guard DateCheck(word).isValid else { throw .init(.badDate) }
            return .date(String(decoding: word, as: UTF8.self))
        }
        if word.count > 2, word[2] == UInt8(ascii: ":") {
            guard DateCheck(word).isTimeAlone else { throw .init(.badDate) }
            return .date(String(decoding: word, as: UTF8.self))
        }
        return try number(word)
    }

    private static func number(_ word: [UInt8]) throws(TOMLError.ScalarError) -> TOMLDocument.Value {
        let isSigned = word[0] == TOMLParser.minus || word[0] == UInt8(ascii: "+")
        let body = isSigned ? word.dropFirst() : word[...]
        guard let first = body.first, TOMLParser.isDigit(first) else { throw .init(.unknownValue) }
        if first == UInt8(ascii: "0"), body.count > 1, let radix = radixes[body[body.startIndex + 1]] {
            guard !isSigned, let digits = digits(body.dropFirst(2), radix: radix) else {
                throw .init(.unknownValue)
            }
            guard let value = Int(digits, radix: radix) else { throw .init(.tooLarge) }
            return .integer(value)
        }
        let exponent = body.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = body[..<(exponent ?? body.endIndex)]
        let parts = mantissa.split(separator: TOMLParser.dot, maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = digits(parts[0], radix: 10) else { throw .init(.unknownValue) }
        var text = (word[0] == TOMLParser.minus ? "-" : "") + whole
        if parts.count > 1 {
            guard let fraction = digits(parts[1], radix: 10) else { throw .init(.unknownValue) }
            text += "." + fraction
        }
        if let exponent {
            var power = body[(exponent + 1)...]
            let sign = power.first
            if sign == TOMLParser.minus || sign == UInt8(ascii: "+") { power.removeFirst() }
            guard let digits = digits(power, radix: 10) else { throw .init(.unknownValue) }
            text += (sign == TOMLParser.minus ? "e-" : "e") + digits
        }
        if whole.count > 1, first == UInt8(ascii: "0") { throw .init(.leadingZero) }
        if parts.count == 1, exponent == nil {
            guard let value = Int(text) else { throw .init(.tooLarge) }
            return .integer(value)
        }
        guard let value = Double(text) else { throw .init(.unknownValue) }
        return .number(value)
    }

    private static let radixes: [UInt8: Int] = [
        UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2,
    ]

    /// The digits without underscores, which are valid only between two digits.
    private static func digits(_ bytes: ArraySlice<UInt8>, radix: Int) -> String? {
        var result: [UInt8] = []
        var mayPause = false
        for byte in bytes {
            if byte == UInt8(ascii: "_") {
                guard mayPause else { return nil }
                mayPause = false
            } else {
                guard digit(byte, radix: radix) != nil else { return nil }
                result.append(byte)
                mayPause = true
            }
        }
        return mayPause ? String(decoding: result, as: UTF8.self) : nil
    }

    static func digit(_ byte: UInt8, radix: Int) -> Int? {
        let value: Int
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): value = Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): value = Int(byte - UInt8(ascii: "A")) + 10
        default: return nil
        }
        return value < radix ? value : nil
    }
}

extension TOMLError {
    /// A fault whose position only the caller knows.
    struct ScalarError: Error {
        let kind: Kind

        init(_ kind: Kind) { self.kind = kind }
    }
}

/// Whether a date or time exists (RFC 3339, with the parts that TOML permits to be omitted).
private struct DateCheck {
    private var rest: ArraySlice<UInt8>

    init(_ word: [UInt8]) { rest = word[...] }

    /// A date, or a date with a time, or with a time and an offset.
    var isValid: Bool {
        var check = self
        guard check.consumeDate() else { return false }
        if check.rest.isEmpty { return true }
        guard let mark = check.rest.popFirst(), mark | 0x20 == UInt8(ascii: "t") || mark == TOMLParser.space,
            check.consumeTime()
        else { return false }
        return check.rest.isEmpty || check.consumeOffset() && check.rest.isEmpty
    }

    var isTimeAlone: Bool {
        var check = self
        return check.consumeTime() && check.rest.isEmpty
    }

    private mutating func consumeDate() -> Bool {
        guard let year = consume(4), consume("-"), let month = consume(2), consume("-"), let day = consume(2),
            (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day)
    }

    private mutating func consumeTime() -> Bool {
        guard let hour = consume(2), consume(":"), let minute = consume(2), consume(":"),
            let second = consume(2),
            hour < 24, minute < 60, second <= 60
        else { return false }
        guard consume(".") else { return true }
        let fraction = rest.prefix { TOMLParser.isDigit($0) }
        rest = rest.dropFirst(fraction.count)
        return !fraction.isEmpty
    }

    private mutating func consumeOffset() -> Bool {
        if consume("Z") || consume("z") { return true }
        guard consume("+") || consume("-"), let hour = consume(2), consume(":"), let minute = consume(2)
        else {
            return false
        }
        return hour < 24 && minute < 60
    }

    private mutating func consume(_ letter: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func consume(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(TOMLParser.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
