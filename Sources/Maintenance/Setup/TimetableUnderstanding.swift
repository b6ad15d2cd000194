package import Console
import ControlClient
import Host
package import PrayerEngine
import Settings
import Texts
package import Times
import TimetableImport

/// Reads a timetable during a conversation, as `timetable import` does.
package enum TimetableUnderstanding {
    private static let name = "main"

    package static func read(_ path: String, _ site: Site?, _ now: Instant) -> TimetableOutcome {
        guard let site else { return .refused(reason: "the place is not known yet") }
        let file = Directories.absolute(RecordingImport.expanded(path))
        let today = site.zone.civilDate(of: now)
        let (files, result): ([ImportFile], ImportResult)
        do throws(CommandError) {
            files = try TimetableFiles.read([file])
            do throws(ImportRefusal) {
                result = try Importer.run(files, options: ImportOptions(), site: site, today: today)
            } catch {
                return .refused(reason: error.mistake.message)
            }
        } catch {
            return .refused(reason: error.message)
        }
        let document = result.document(named: name)
        let text = TimetableText.render(
            document, table: result.table, site: site, today: today, .plain)
        var table = result.table
        table.label(
            PublishedTimetable.Source(
                id: 1, name: name, file: file, sha256: SHA256.hex(Array(files.map(\.bytes).joined())),
                imported: today.description, format: result.format.rawValue, clock: result.clock.rawValue,
                place: .init(site)))
        return .understood(
            SetupTimetable(
                file: file, table: table,
                lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
                warnings: result.findings.count { $0.severity == .warning }))
    }
}
