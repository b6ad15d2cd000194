package import Languages

/// `stats --chart FILE`: the figures as a picture, one bar for each prayer. It has a title and a description for people who do
/// not see it, and every part of a bar has its number beside its pattern.
package enum Chart {
    private static let width = 640
    private static let barHeight = 28
    private static let gap = 18
    private static let left = 110
    private static let room = 500

    private static let parts:
        [(name: PersonalPhrase, colour: String, count: @Sendable (Statistics.Counts) -> Int)] =
            [
                (.onTime, "#2b6e4f", { $0.prayed }), (.late, "#8fb996", { $0.late }),
                (.madeUp, "#c9a227", { $0.madeUp }), (.missed, "#8c2f39", { $0.missed }),
            ]

    package static func svg(_ statistics: Statistics, words: Language) -> String {
        let height = 110 + DailyPrayer.allCases.count * (barHeight + gap)
        var body = ""
        for prayer in DailyPrayer.allCases {
            body += bar(
                statistics.prayers[prayer.rawValue], words.title(prayer),
                top: 70 + prayer.rawValue * (barHeight + gap))
        }
        let range = "\(statistics.first) – \(statistics.last)"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" role="img" \
            aria-labelledby="title description" font-family="Georgia, serif" font-size="14">
            <title id="title">adhand \(range)</title>
            <desc id="description">\(description(statistics, words))</desc>
            <rect width="\(width)" height="\(height)" fill="#fbf9f4"/>
            <text x="20" y="34" font-size="20" fill="#222">\(range)</text>
            \(body)\(legend(words, y: height - 22))</svg>

            """
    }

    private static func bar(_ counts: Statistics.Counts, _ title: String, top: Int) -> String {
        var svg = "<text x=\"20\" y=\"\(top + 19)\" fill=\"#222\">\(escaped(title))</text>\n"
        guard counts.owed > 0 else { return svg }
        var (before, x) = (0, left)
        for part in parts {
            let count = part.count(counts)
            guard count > 0 else { continue }
            before += count
            // The ends are computed from sums, so that the rounded parts meet and all bars have the same length.
            let end = left + room * before / counts.owed
            svg +=
                "<rect x=\"\(x)\" y=\"\(top)\" width=\"\(end - x)\" height=\"\(barHeight)\" fill=\"\(part.colour)\"/>\n"
            if end - x >= 34 {
                let ink = part.name == .late || part.name == .madeUp ? "#222" : "#fff"
                svg +=
                    "<text x=\"\((x + end) / 2)\" y=\"\(top + 19)\" text-anchor=\"middle\" fill=\"\(ink)\">\(count)</text>\n"
            }
            x = end
        }
        return svg
    }

    private static func legend(_ words: Language, y: Int) -> String {
        parts.enumerated().map { index, part in
            let x = left + index * 120
            return "<rect x=\"\(x)\" y=\"\(y - 11)\" width=\"12\" height=\"12\" fill=\"\(part.colour)\"/>"
                + "<text x=\"\(x + 18)\" y=\"\(y)\" fill=\"#222\">\(escaped(words.text(part.name)))</text>\n"
        }.joined()
    }

    private static func description(_ statistics: Statistics, _ words: Language) -> String {
        DailyPrayer.allCases.map { prayer in
            let counts = statistics.prayers[prayer.rawValue]
            let parts = parts.map { "\(words.text($0.name)) \($0.count(counts))" }.joined(separator: ", ")
            return escaped("\(words.title(prayer)): \(parts).")
        }.joined(separator: " ")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
