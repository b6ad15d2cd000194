package import PrayerEngine

/// The days on which a slide is shown, from a file's name or a text's first line: `from 2026-11-20 until 2026-11-29`, in either
/// order, one of them alone, with spaces, `-`, `_` or `:` between the words.
package struct SlideDates: Sendable, Equatable {
    package var from: CivilDate?
    package var until: CivilDate?

    package init(from: CivilDate? = nil, until: CivilDate? = nil) {
        self.from = from
        self.until = until
    }

    /// Whether there is a day on which it is shown.
    package var isPossible: Bool {
        if let from, let until { from <= until } else { true }
    }

    package enum Reading: Sendable, Equatable {
        /// The text's content, and whether it has nothing else.
        case dates(SlideDates, alone: Bool)
        /// A keyword is followed by a day that does not exist, or the dates contradict each other.
        case wrong
    }

    /// Reads dates anywhere in a name, or in a line.
    package static func read(_ text: some StringProtocol) -> Reading {
        var words = text.lowercased().split { " \t_:.,;()[]".contains($0) }[...]
        var dates = SlideDates()
        var isAlone = true
        while let word = words.popFirst() {
            // `until-2026-11-29-poster` is one word.
            guard let (key, rest) = keyword(word) else {
                isAlone = false
                continue
            }
            guard let day = rest.isEmpty ? words.first : rest, looksLikeDate(day) else {
                isAlone = false
                continue
            }
            if rest.isEmpty { words.removeFirst() }
            let after = day.dropFirst(10)
            guard after.isEmpty || after.first == "-", let date = CivilDate(day.prefix(10)),
                dates[keyPath: key] == nil
            else { return .wrong }
            dates[keyPath: key] = date
            if after.count > 1 { words = [after.dropFirst()] + words }
        }
        guard dates.isPossible else { return .wrong }
        return .dates(dates, alone: isAlone && dates != SlideDates())
    }

    private static func keyword(
        _ word: Substring
    ) -> (key: WritableKeyPath<SlideDates, CivilDate?>, rest: Substring)? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard let index = parts.firstIndex(where: { $0 == "from" || $0 == "until" }) else { return nil }
        let rest = parts[(index + 1)...].joined(separator: "-")
        return (parts[index] == "from" ? \.from : \.until, Substring(rest))
    }

    /// `2026-…`
    private static func looksLikeDate(_ text: Substring) -> Bool {
        text.prefix(4).allSatisfy { $0.isASCII && $0.isNumber } && text.count > 4
            && text.dropFirst(4).first == "-"
    }
}
