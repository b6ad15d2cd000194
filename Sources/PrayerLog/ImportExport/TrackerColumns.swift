import Settings
import Texts

/// The meaning of a table's columns. Trackers write a row for each prayer (`date,prayer,status`), or a row for each day with a
/// column for each prayer (`date,fajr,dhuhr,asr,maghrib,isha`).
struct TrackerColumns {
    private enum Shape {
        case long(prayer: Int, status: Int)
        case wide([(prayer: String, column: Int)])
    }

    private let date: Int
    private let shape: Shape
    /// Our own further columns.
    private let own: [String: Int]

    private static let dateWords: Set<String> = ["date", "day", "datum", "tarih", "tanggal", "tarikh"]
    private static let prayerWords: Set<String> = [
        "prayer", "salah", "salat", "namaz", "prayername", "salahname", "name",
    ]
    private static let statusWords: Set<String> = [
        "status", "state", "completed", "done", "prayed", "type", "value", "result",
    ]

    init(_ headers: [String]) throws(LogRefusal) {
        let words = headers.map(\.folded)
        func column(_ wanted: Set<String>) -> Int? { words.firstIndex(where: wanted.contains) }
        guard let date = column(Self.dateWords) else {
            throw LogRefusal(
                "the header names no date; expected are date,prayer,status or date,fajr,dhuhr,asr,maghrib,isha"
            )
        }
        self.date = date
        let prayers = headers.enumerated().compactMap { index, header in
            Spelling.prayer(header).map { (prayer: $0.rawValue, column: index) }
        }
        if let prayer = column(Self.prayerWords), let status = column(Self.statusWords) {
            shape = .long(prayer: prayer, status: status)
        } else if !prayers.isEmpty {
            shape = .wide(prayers)
        } else {
            throw LogRefusal(
                "the header names neither a prayer and a status nor the five prayers; expected are "
                    + "date,prayer,status or date,fajr,dhuhr,asr,maghrib,isha")
        }
        var own: [String: Int] = [:]
        for name in MarkDocument.columns.dropFirst(3) { own[name] = words.firstIndex(of: name) }
        self.own = own
    }

    /// The entries of a row. An empty cell, or one that states that nothing is known, yields no entry.
    func documents(_ cells: [String]) -> [MarkDocument] {
        func cell(_ index: Int?) -> String {
            index.flatMap { cells.indices.contains($0) ? cells[$0] : nil } ?? ""
        }
        switch shape {
        case .long(let prayer, let status):
            var document = MarkDocument(date: cell(date), prayer: cell(prayer), status: cell(status))
            document.at = cell(own["at"])
            document.source = cell(own["source"])
            document.marked = cell(own["marked"])
            document.starts = cell(own["starts"])
            document.ends = cell(own["ends"])
            return [document]
        case .wide(let prayers):
            return prayers.compactMap { prayer, column in
                let status = cell(column)
                guard !StatusWords.isNothing(status) else { return nil }
                return MarkDocument(date: cell(date), prayer: prayer, status: status)
            }
        }
    }
}

/// Other trackers' words for the five states.
enum StatusWords {
    private static let words: [MarkStatus: Set<String>] = [
        .prayed: [
            "prayed", "ontime", "intime", "done", "yes", "y", "true", "1", "x", "completed", "complete",
            "ada", "alone",
            "congregation", "incongregation", "mosque", "inmosque", "atmosque", "prayedalone", "prayedontime",
        ],
        .late: ["late", "delayed", "prayedlate"],
        .madeUp: ["madeup", "madeuplater", "qada", "qadha", "qadaa", "qaza", "kaza", "makeup"],
        .missed: ["missed", "no", "n", "false", "0", "notprayed", "skipped"],
        .excused: [
            "excused", "exempt", "exempted", "menses", "menstruation", "period", "hayd", "haid", "travel",
            "travelling",
            "ill", "illness", "sick",
        ],
    ]

    /// `jamaah`, `In Jama'at`, `with jamah`, `Prayed in Jamaah`.
    private static func isCongregation(_ word: String) -> Bool {
        var rest = word[...]
        for prefix in ["prayed", "in", "with"] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
        }
        return ["jamaah", "jamaat", "jamat", "jamah", "jamaa", "jama", "cemaat", "berjamaah", "berjemaah"]
            .contains(rest)
    }

    static func status(_ text: String) -> MarkStatus? {
        if ["✓", "✔", "✅", "☑"].contains(text.trimmed) { return .prayed }
        if ["✗", "✘", "❌"].contains(text.trimmed) { return .missed }
        let word = text.folded
        return isCongregation(word) ? .prayed : words.first { $0.value.contains(word) }?.key
    }

    static func isNothing(_ text: String) -> Bool {
        ["", "-", "–", "—", "?", "null", "none", "n/a", "na"].contains(text.trimmed.lowercased())
    }
}
