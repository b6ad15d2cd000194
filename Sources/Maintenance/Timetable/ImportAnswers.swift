import CommandKit
import PrayerEngine
import Settings
import Texts
import Times
package import TimetableImport

/// A person's answers about facts that a timetable leaves open, as command line options.
package struct ImportAnswers {
    var format: String?
    var clock: String?
    var year: String?
    var hours: String?
    var dates: String?
    var asr: String?
    /// Columns as `event=header`.
    var columns: [String] = []
    var name: String?

    package init(
        format: String? = nil, clock: String? = nil, year: String? = nil, hours: String? = nil,
        dates: String? = nil, asr: String? = nil, columns: [String] = [], name: String? = nil
    ) {
        self.format = format
        self.clock = clock
        self.year = year
        self.hours = hours
        self.dates = dates
        self.asr = asr
        self.columns = columns
        self.name = name
    }

    package func options() throws(CommandError) -> ImportOptions {
        var chosen = ImportOptions()
        chosen.format = try value(format, "--format", FileFormat.allCases)
        chosen.clock = try value(clock, "--clock", TimetableClock.allCases)
        chosen.dates = try value(dates, "--dates", DateOrder.allCases)
        chosen.asr = try value(asr, "--asr", AsrSchool.allCases)
        if let hours {
            guard let number = Int(hours), number == 12 || number == 24 else {
                throw CommandError(.usage, "--hours must be 24 or 12, not \"\(hours)\"")
            }
            chosen.hours = number
        }
        if let year {
            if year == "every" {
                chosen.year = .every
            } else if let number = Int(year), (1900...2200).contains(number) {
                chosen.year = .of(number)
            } else {
                throw CommandError(
                    .usage, "--year must be a year such as 2027, or every, not \"\(year)\"")
            }
        }
        for text in columns {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            let names = ["date", "day", "month", "year"]
            guard parts.count == 2 else {
                throw CommandError(
                    .usage,
                    "--column must be written EVENT=HEADER such as fajr=FajarBegins, not \"\(text)\"")
            }
            let event = parts[0].lowercased()
            guard names.contains(event) || TimetableColumn(name: event) != nil else {
                let known =
                    names + TimetableColumn.events.map(\.rawValue)
                    + TimetableColumn.prayers.map { "\($0.rawValue)_iqama" }
                let near = NearestName.of(event, among: known).map { "; did you mean \($0)?" } ?? ""
                throw CommandError(
                    .usage,
                    "--column knows \(known.joined(separator: ", ")), jumua and jumua_iqama, not \"\(event)\"\(near)"
                )
            }
            chosen.columns[event] = parts[1]
        }
        chosen.name = name ?? "main"
        guard (1...60).contains(chosen.name.count),
            chosen.name.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
        else {
            throw CommandError(.usage, "--name must have 1 to 60 characters")
        }
        return chosen
    }

    private func value<Value: RawRepresentable>(
        _ text: String?, _ option: String, _ allowed: [Value]
    ) throws(CommandError) -> Value? where Value.RawValue == String {
        guard let text else { return nil }
        if let value = Value(rawValue: text.lowercased()) { return value }
        let names = allowed.map(\.rawValue)
        let near = NearestName.of(text, among: names).map { "; did you mean \($0)?" } ?? ""
        throw CommandError(
            .usage, "\(option) must be one of \(names.joined(separator: ", ")), not \"\(text)\"\(near)")
    }
}
