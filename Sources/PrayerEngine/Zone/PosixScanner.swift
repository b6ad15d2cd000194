/// Reads the text of a POSIX TZ rule. Every method returns `nil` for text that does not match.
struct PosixScanner {
    private let text: [UInt8]
    private var position = 0

    init(_ text: String) {
        self.text = Array(text.utf8)
    }

    mutating func rule() -> PosixRule? {
        guard let standardName = name(), let west = time(hours: 0...24) else { return nil }
        let standard = LocalTimeKind(offset: -west, isDaylight: false, abbreviation: standardName)
        if isAtEnd { return PosixRule(standard: standard) }
        guard let daylightName = name() else { return nil }
        var daylightOffset = standard.offset + 3600
        if !isAtEnd, !next(is: ",") {
            guard let west = time(hours: 0...24) else { return nil }
            daylightOffset = -west
        }
        let kind = LocalTimeKind(offset: daylightOffset, isDaylight: true, abbreviation: daylightName)
        if isAtEnd {
            // Without dates, use those of the United States since 2007, as every implementation does.
            let start = YearlyMoment(day: .weekday(month: 3, week: 2, weekday: 0), second: 7200)
            let end = YearlyMoment(day: .weekday(month: 11, week: 1, weekday: 0), second: 7200)
            return PosixRule(standard: standard, daylight: .init(kind: kind, start: start, end: end))
        }
        guard skip(","), let start = moment(), skip(","), let end = moment(), isAtEnd else { return nil }
        return PosixRule(standard: standard, daylight: .init(kind: kind, start: start, end: end))
    }

    private var isAtEnd: Bool { position == text.count }

    private func next(is character: Unicode.Scalar) -> Bool {
        position < text.count && text[position] == UInt8(ascii: character)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next(is: character) else { return false }
        position += 1
        return true
    }

    /// Reads `EST`, or a name in angle brackets made of letters, digits and signs: `<+0545>`.
    private mutating func name() -> String? {
        let quoted = skip("<")
        let start = position
        while position < text.count, isNamePart(text[position], quoted: quoted) { position += 1 }
        let name = text[start..<position]
        guard name.count >= 3, !quoted || skip(">") else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    private func isNamePart(_ byte: UInt8, quoted: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): quoted
        default: false
        }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
        var value = 0
        let start = position
        while position < text.count, position - start < 4, (0x30...0x39).contains(text[position]) {
            value = value * 10 + Int(text[position] - 0x30)
            position += 1
        }
        return position > start && range.contains(value) ? value : nil
    }

    /// Reads `[+-]hh[:mm[:ss]]`; returns seconds.
    private mutating func time(hours: ClosedRange<Int>) -> Int? {
        let negative = skip("-")
        if !negative { _ = skip("+") }
        guard let hour = number(hours) else { return nil }
        var seconds = hour * 3600
        for unit in [60, 1] where skip(":") {
            guard let value = number(0...59) else { return nil }
            seconds += value * unit
        }
        return negative ? -seconds : seconds
    }

    private mutating func moment() -> YearlyMoment? {
        let day: YearlyMoment.Day
        if skip("M") {
            guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
                let weekday = number(0...6)
            else { return nil }
            day = .weekday(month: month, week: week, weekday: weekday)
        } else if skip("J") {
            guard let number = number(1...365) else { return nil }
            day = .julianWithoutLeapDay(number)
        } else {
            guard let number = number(0...365) else { return nil }
            day = .dayOfYear(number)
        }
        guard skip("/") else { return YearlyMoment(day: day, second: 7200) }
        return time(hours: 0...167).map { YearlyMoment(day: day, second: $0) }
    }
}
