/// The numbers, units and directions of a point written by hand.
struct PointTokens {
    private enum Unit: Int {
        case degrees, minutes, seconds
    }

    private enum Token: Equatable {
        case number(Double, isNegative: Bool, isWhole: Bool)
        case unit(Unit)
        /// `N`, `S`, `E` or `W`
        case direction(Character)
        case separator
    }

    private struct PointError: Error {
        let sentence: String
    }

    private var tokens: [Token] = []
    /// Whether a comma may be a decimal comma or a separator of two numbers.
    private var isAmbiguous = false
    /// Whether the text has an `O`: west in French and Spanish, east in German.
    private var hasO = false

    /// Fails for a text with other words.
    init?(_ text: String) {
        let (marked, isAmbiguous) = Self.markDecimals(text)
        self.isAmbiguous = isAmbiguous
        var rest = marked[...]
        while let character = rest.first {
            if character.isASCII,
                character.isWholeNumber || character == "-" || character == "+" || character == "."
            {
                guard let number = Self.number(&rest) else { return nil }
                tokens.append(number)
            } else if character.isLetter {
                let word = rest.prefix { $0.isLetter }
                rest = rest.dropFirst(word.count)
                guard consume(word.lowercased()) else { return nil }
            } else {
                rest = rest.dropFirst()
                switch character {
                case "°": tokens.append(.unit(.degrees))
                case "'": tokens.append(.unit(.minutes))
                case "\"": tokens.append(.unit(.seconds))
                case ",", ";", "/": tokens.append(.separator)
                case " ", ":", "=", "(", ")": break
                default: return nil
                }
            }
        }
        // A single number is a house number or a postal code.
        let numbers = tokens.count { if case .number = $0 { true } else { false } }
        guard numbers > 1 || numbers == 1 && isAmbiguous else { return nil }
    }

    private mutating func consume(_ word: String) -> Bool {
        switch word {
        case "n", "north", "nord", "norte": tokens.append(.direction("N"))
        // After minutes, "s" means seconds unless the text has seconds already.
        case "s" where tokens.count > 1 && tokens.suffix(2).first == .unit(.minutes):
            tokens.append(.unit(.seconds))
        case "s", "south", "süd", "sud", "sur": tokens.append(.direction("S"))
        case "e", "east": tokens.append(.direction("E"))
        case "w", "west": tokens.append(.direction("W"))
        case "o": hasO = true
        case "d", "deg", "degree", "degrees": tokens.append(.unit(.degrees))
        case "m", "min", "minutes": tokens.append(.unit(.minutes))
        case "sec", "seconds": tokens.append(.unit(.seconds))
        case "lat", "latitude", "lon", "long", "lng", "longitude", "and": break
        default: return false
        }
        return true
    }

    /// Replaces decimal commas by points: commas with a digit on both sides, unless the text has points already.
    private static func markDecimals(_ text: String) -> (String, isAmbiguous: Bool) {
        var characters = Array(text)
        guard !characters.contains(".") else { return (text, false) }
        let inside = characters.indices.filter {
            characters[$0] == "," && $0 > 0 && $0 + 1 < characters.count && characters[$0 - 1].isWholeNumber
                && characters[$0 + 1].isWholeNumber
        }
        // 52,5200,13,4050: the first and third commas are decimal.
        let decimal = inside.count == 3 ? [inside[0], inside[2]] : inside
        // 52,13 may be one number or two.
        let groups = text.split { !($0.isWholeNumber || $0 == "," || $0 == "-") }
        if inside.count == 1, groups.count == 1 { return (text, true) }
        for index in decimal { characters[index] = "." }
        return (String(characters), false)
    }

    private static func number(_ rest: inout Substring) -> Token? {
        var digits = ""
        if let sign = rest.first, sign == "-" || sign == "+" { digits.append(rest.removeFirst()) }
        let figures = rest.prefix { $0.isASCII && $0.isWholeNumber || $0 == "." }
        rest = rest.dropFirst(figures.count)
        guard figures.count < 20, let value = Double(digits + figures) else { return nil }
        return .number(abs(value), isNegative: digits == "-", isWhole: !figures.contains("."))
    }

    // MARK: - Reading

    func reading(of text: String, isPoint: Bool) -> PointText {
        if isAmbiguous, !isPoint {
            return .fault(
                "\"\(text)\" may be one number or two; write both with a point and a space between, as in 52.52 13.405"
            )
        }
        if hasO { return .fault("O is the west in one language and the east in another; write W or E") }
        do throws(PointError) {
            let (first, second) = try halves()
            let (one, other) = (try Self.angle(first), try Self.angle(second))
            let isEastFirst =
                one.direction.map { "EW".contains($0) } ?? other.direction.map { "NS".contains($0) } ?? false
            let (north, east) = isEastFirst ? (other, one) : (one, other)
            guard north.direction.map({ "NS".contains($0) }) ?? true,
                east.direction.map({ "EW".contains($0) }) ?? true
            else {
                throw PointError(sentence: "one of the two has to be north or south, the other east or west")
            }
            return .checked(north.degrees, east.degrees)
        } catch {
            return .fault(error.sentence)
        }
    }

    /// The tokens of the two coordinates, in the order of the text.
    private func halves() throws(PointError) -> (ArraySlice<Token>, ArraySlice<Token>) {
        let separators = tokens.indices.filter { tokens[$0] == .separator }
        if separators.count == 1 { return (tokens[..<separators[0]], tokens[(separators[0] + 1)...]) }
        let directions = tokens.indices.filter { if case .direction = tokens[$0] { true } else { false } }
        if separators.isEmpty, directions.count == 2 {
            let split = directions[0] == 0 ? directions[1] : directions[0] + 1
            return (tokens[..<split], tokens[split...])
        }
        let numbers = tokens.indices.filter { if case .number = tokens[$0] { true } else { false } }
        if separators.isEmpty, numbers.count.isMultiple(of: 2) {
            let split = numbers[numbers.count / 2]
            return (tokens[..<split], tokens[split...])
        }
        throw PointError(
            sentence: "a latitude and a longitude are needed, as in 40.7282, -73.7949 or 52°31'N 13°24'E")
    }

    private static func angle(_ tokens: ArraySlice<Token>) throws(PointError) -> (
        degrees: Double, direction: Character?
    ) {
        var (degrees, next, isNegative, isOver) = (0.0, 0, false, false)
        var direction: Character?
        for (index, token) in zip(tokens.indices, tokens) {
            switch token {
            case .number(let value, let negative, let isWhole):
                let following = tokens.index(after: index) < tokens.endIndex ? tokens[index + 1] : .separator
                var unit = Unit(rawValue: next)
                if case .unit(let written) = following { unit = written }
                guard let unit, unit.rawValue >= next, !isOver, unit == .degrees || !negative,
                    unit == .degrees || value < 60
                else {
                    throw PointError(
                        sentence:
                            "degrees, minutes and seconds are written one after another, minutes and seconds below 60"
                    )
                }
                if unit == .degrees { isNegative = negative }
                degrees += value / [1, 60, 3600][unit.rawValue]
                (next, isOver) = (unit.rawValue + 1, !isWhole)
            case .direction(let letter):
                guard direction == nil else {
                    throw PointError(
                        sentence: "one of the two has to be north or south, the other east or west")
                }
                direction = letter
            case .unit, .separator: break
            }
        }
        guard next > 0 else {
            throw PointError(sentence: "a latitude and a longitude are needed, as in 40.7282, -73.7949")
        }
        if isNegative, direction != nil {
            throw PointError(sentence: "a minus sign and a letter say the same twice; leave one of them out")
        }
        return (isNegative || direction == "S" || direction == "W" ? -degrees : degrees, direction)
    }
}
