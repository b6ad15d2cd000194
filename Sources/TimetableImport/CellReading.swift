import PrayerEngine
import Settings
import Texts

/// A time of day as printed.
struct PrintedTime: Equatable {
    enum Half { case morning, afternoon }

    var hour: Int
    var minute: Int
    /// The am or pm printed beside the time; nil if there is none.
    var half: Half?

    /// Reads `5:44`, `05:44:00`, `5.44`, `5 44`, `0544`, `5:44 PM`, `٠٥.٤٤ م`.
    init?(_ text: some StringProtocol) {
        var (numbers, widths) = ([Int](), [Int]())
        var isNumber = false
        var letters = ""
        for scalar in TextFolding.folded(text).unicodeScalars {
            let value = scalar.value
            if value &- 0x30 < 10 {
                // A text with more after am or pm is not a time.
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

    /// Whether the time may be before or after noon.
    var isOpen: Bool { half == nil && hour <= 12 }

    /// Minutes after midnight, if an ambiguous time is before noon.
    var morning: Int { hour % 12 * 60 + minute }

    /// Minutes after midnight as printed, with am and pm applied if present.
    var minutes: Int {
        switch half {
        case .morning: (hour == 12 ? 0 : hour) * 60 + minute
        // A clock that counts from 0 to 11 prints half past noon as `0:35 PM`.
        case .afternoon: (hour < 12 ? hour + 12 : hour) * 60 + minute
        case nil: hour * 60 + minute
        }
    }
}

/// The content of a congregation's cell.
enum IqamaCell: Equatable {
    case clock(PrintedTime)
    /// Minutes after an event, negative before it; without an event, minutes after the congregation's own adhan.
    case after(DayEvent?, Int)

    /// Reads one congregation, or several in one cell. `event` is the column's event.
    static func read(_ text: String, of event: DayEvent) -> Result<[IqamaCell], CellError> {
        var cell = TextFolding.folded(text)
        // 10' means minutes. Folding removes apostrophes, so check before it.
        if let last = Substring(text).trimmed.last, "'’′".contains(last), cell.contains(where: \.isNumber) {
            cell += " min"
        }
        for separator in ["/", "&", " and "] where cell.contains(separator) {
            let parts = cell.split(separator: separator).map { String($0.trimmed) }
            let readings = parts.compactMap { one($0, of: event) }
            guard readings.count == parts.count, (1...TimetableColumn.slots.upperBound).contains(parts.count)
            else {
                return .failure(.unreadable)
            }
            return .success(readings)
        }
        if isRange(cell) { return .failure(.range) }
        if let reading = one(cell, of: event) { return .success([reading]) }
        return .failure(.unreadable)
    }

    enum CellError: Error {
        case range, unreadable
        /// A time at which the congregation cannot begin.
        case impossibleTime
    }

    private static func isRange(_ cell: String) -> Bool {
        for separator in ["-", "–", "—", " to "] {
            let parts = cell.split(separator: separator)
            if parts.count == 2, parts.allSatisfy({ PrintedTime($0) != nil }) { return true }
        }
        return false
    }

    private static func one(_ cell: String, of event: DayEvent) -> IqamaCell? {
        if !cell.hasPrefix("+"), let clock = PrintedTime(cell), cell.utf8.count > 2 {
            return .clock(clock)
        }
        return IqamaWords.read(cell, own: event)
    }
}

/// Recognises a cell without a time.
enum EmptyCell {
    /// Whether a cell is blank: `-`, `-----`, `*****`, `--:--`, nothing.
    static func isEmpty(_ text: String) -> Bool {
        text.utf8.isEmpty || text.unicodeScalars.allSatisfy { "-*–—:. xX_/".unicodeScalars.contains($0) }
            || ["n/a", "na", "null", "none", "nil", "tba"].contains(text.lowercased())
    }
}
