import AdhanCore

/// A time of day as it is printed.
struct ClockReading: Equatable {
    enum Half { case morning, afternoon }

    var hour: Int
    var minute: Int
    /// What is printed beside it; nil where nothing is.
    var half: Half?

    /// Reads `5:44`, `05:44:00`, `5.44`, `5 44`, `0544`, `5:44 PM`, `٠٥.٤٤ م`.
    init?(_ text: some StringProtocol) {
        var (numbers, widths) = ([Int](), [Int]())
        var isNumber = false
        var letters = ""
        for scalar in Folding.folded(text).unicodeScalars {
            let value = scalar.value
            if value &- 0x30 < 10 {
                // What follows am or pm is no time any more.
                guard letters.isEmpty else { return nil }
                if !isNumber {
                    numbers.append(0)
                    widths.append(0)
                }
                guard widths[widths.count - 1] < 4 else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(value - 0x30)
                widths[widths.count - 1] += 1
                isNumber = true
            } else {
                isNumber = false
                switch scalar {
                case ":", ".", " ", "\t", "h", "\u{FF1A}", "\u{066B}", ",": continue
                default: letters.unicodeScalars.append(scalar)
                }
            }
        }
        guard let half = Self.half(letters) else { return nil }
        self.half = half.0
        if numbers.count == 1, widths[0] >= 3 {
            (hour, minute) = (numbers[0] / 100, numbers[0] % 100)
        } else {
            guard (2...3).contains(numbers.count), widths[0] <= 2, widths.dropFirst().allSatisfy({ $0 == 2 }),
                numbers.count == 2 || numbers[2] < 60
            else { return nil }
            (hour, minute) = (numbers[0], numbers[1])
        }
        guard hour < 24, minute < 60 else { return nil }
    }

    private static func half(_ letters: String) -> (Half?, Void)? {
        switch letters {
        case "": (nil, ())
        case "am", "a", "a.m.", "ص", "صباحا", "oo": (.morning, ())
        case "pm", "p", "p.m.", "م", "مساء": (.afternoon, ())
        default: nil
        }
    }

    /// Minutes after midnight by what is printed, with am and pm where they are.
    var minutes: Int {
        switch half {
        case .morning: (hour == 12 ? 0 : hour) * 60 + minute
        // `0:35 PM` is what a clock of 0 to 11 makes of half past noon.
        case .afternoon: (hour < 12 ? hour + 12 : hour) * 60 + minute
        case nil: hour * 60 + minute
        }
    }
}

/// What stands in a cell of a congregation.
enum IqamaReading: Equatable {
    case clock(ClockReading)
    /// Minutes after its adhan.
    case after(Int)

    /// Nil in `congregations` never happens: what is not understood is refused by `reason`.
    static func read(_ text: String) -> Result<[IqamaReading], Reason> {
        let cell = Folding.folded(text)
        for separator in ["/", "&", " and "] where cell.contains(separator) {
            let parts = cell.split(separator: separator).map { String($0.trimmed) }
            let readings = parts.compactMap { one($0) }
            guard readings.count == parts.count, (1...TableColumn.slots.upperBound).contains(parts.count)
            else {
                return .failure(.unreadable)
            }
            return .success(readings)
        }
        if isRange(cell) { return .failure(.range) }
        if let reading = one(cell) { return .success([reading]) }
        return .failure(.unreadable)
    }

    enum Reason: Error { case range, unreadable }

    private static func isRange(_ cell: String) -> Bool {
        for separator in ["-", "–", "—", " to "] {
            let parts = cell.split(separator: separator)
            if parts.count == 2, parts.allSatisfy({ ClockReading($0) != nil }) { return true }
        }
        return false
    }

    private static let atOnce: Set<String> = [
        "sunset", "adhan", "athan", "azan", "begins", "maghrib", "immediately",
    ]
    private static let aroundMinutes: Set<String> = [
        "min", "mins", "minute", "minutes", "m", "after", "adhan", "athan", "azan", "the", "sunset",
        "maghrib", "isha",
        "fajr", "dhuhr", "zuhr", "asr", "begins",
    ]

    private static func one(_ cell: String) -> IqamaReading? {
        let words = Folding.words(cell)
        let isSigned = cell.hasPrefix("+")
        if !isSigned, let clock = ClockReading(cell), clock.minute >= 0, cell.utf8.count > 2 {
            return .clock(clock)
        }
        let numbers = words.compactMap { Int($0) }
        let others = words.filter { Int($0) == nil }
        if numbers.isEmpty {
            let isNow =
                others.contains { atOnce.contains($0) }
                && others.allSatisfy {
                    atOnce.contains($0) || ["straight", "right", "after", "at", "the"].contains($0)
                }
            return isNow ? .after(0) : nil
        }
        guard numbers.count == 1, (0...240).contains(numbers[0]), !cell.contains("-"),
            isSigned || !others.isEmpty, others.allSatisfy(aroundMinutes.contains)
        else { return nil }
        return .after(numbers[0])
    }
}

enum EmptyCell {
    /// `-`, `-----`, `*****`, `--:--`, nothing.
    static func isEmpty(_ text: String) -> Bool {
        text.utf8.isEmpty || text.unicodeScalars.allSatisfy { "-*–—:. xX_/".unicodeScalars.contains($0) }
            || ["n/a", "na", "null", "none", "nil", "tba"].contains(text.lowercased())
    }
}
