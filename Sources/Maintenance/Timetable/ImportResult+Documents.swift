package import Console
import Host
package import PrayerEngine
import Settings
import Texts
package import Times
package import TimetableImport

extension ImportResult {
    /// The answer of the commands that read a timetable.
    package func document(named name: String) -> TimetableDocument {
        let span = table.span
        var document = TimetableDocument(
            name: name, format: format.rawValue, clock: clock.rawValue, hours: hours,
            year: year.map { year in
                switch year {
                case .of(let year): .of(year)
                case .every: .every
                }
            },
            asr: asr?.rawValue, days: days, first: span?.lowerBound, last: span?.upperBound,
            missing: missing, columns: columns, findings: findings, saved: false)
        document.remarks = remarks
        return document
    }

    /// The origin of the table, saved with it.
    package func source(
        named name: String, of files: [ImportFile], _ paths: [String], on today: CivilDate, at site: Site
    ) -> PublishedTimetable.Source {
        PublishedTimetable.Source(
            id: 1, name: name, file: paths.joined(separator: ", "),
            sha256: SHA256.hex(Array(files.map(\.bytes).joined())), imported: today.description,
            format: format.rawValue, clock: clock.rawValue,
            place: .init(site))
    }
}
