/// The names a calculation method goes by in a configuration.
enum MethodNames {
    /// The name and AlAdhan's number.
    static let all: [(name: String, number: Int)] = [
        ("isna", 2), ("mwl", 3), ("umm-al-qura", 4), ("egyptian", 5), ("karachi", 1), ("tehran", 7),
        ("jafari", 0),
        ("gulf", 8), ("kuwait", 9), ("qatar", 10), ("dubai", 16), ("singapore", 11), ("jakim", 17),
        ("kemenag", 20),
        ("diyanet", 13), ("uoif", 12), ("russia", 14), ("tunisia", 18), ("algeria", 19), ("morocco", 21),
        ("portugal", 22), ("jordan", 23), ("moonsighting", 15), ("custom", 99),
    ]

    static let custom = "custom"

    /// The name for a name or a number.
    static func named(_ text: String) -> String? {
        all.first { $0.name == text || "\($0.number)" == text }?.name
    }
}
