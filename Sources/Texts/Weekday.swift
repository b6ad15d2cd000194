/// The typed names of the days of the week.
package enum Weekday {
    /// The names from Monday on, which is 1.
    package static let names = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// `monday`, `mon`: 1; `nil` for any other word.
    package static func number(_ text: String) -> Int? {
        let word = text.lowercased()
        return names.firstIndex { word == $0 || word.count == 3 && $0.hasPrefix(word) }.map { $0 + 1 }
    }
}
