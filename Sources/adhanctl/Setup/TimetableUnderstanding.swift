import AdhanCore
import ControlClient
import Host
import PrayerEngine
import TimetableImport

/// A timetable in the middle of a conversation, as `timetable import` understands it.
enum TimetableUnderstanding {
    private static let name = "main"

    static func read(_ path: String, _ draft: SetupDraft) -> TimetableOutcome {
        guard let site = draft.site else { return .refused(reason: "the place is not known yet") }
        let file = Directories.absolute(RecordingImport.expanded(path))
        let today = site.zone.civilDate(of: draft.world.now)
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
        let document = TimetableCommand.Import.document(of: result, name: name)
        let text = TimetableText.render(
            document, table: result.table, site: site, today: today, .plain)
        var table = result.table
        table.label(
            PublishedTable.Source(
                id: 1, name: name, file: file, sha256: SHA256.hex(Array(files.map(\.bytes).joined())),
                imported: today.description, format: result.format.rawValue, clock: result.clock.rawValue))
        return .understood(
            SetupTimetable(
                file: file, table: table,
                lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
                warnings: result.findings.count { $0.severity == .warning }))
    }
}

/// Where the state of the daemon is that adhanctl talks to.
struct StatePlace {
    let directory: String

    /// Seconds that the daemon has to answer: it can be done without.
    private static let patience = 2.0

    init(_ daemon: ControlClient) {
        self.init(try? daemon.ask("GetStatus", for: StatusReply.self, patience: Self.patience).status)
    }

    init(_ status: StatusDocument?) {
        let environment = Environment.process
        // Root writes where the answer leads, so the answer must lead to a daemon's directory.
        let told = status?.stateDirectory.flatMap {
            environment.userID != 0 || environment.exists($0 + "/adhand.lock") ? $0 : nil
        }
        directory = told ?? Paths.clientState(option: nil, in: environment)
    }
}
