import ArgumentParser
import CommandKit
import Console
import Glibc
import Host
import Maintenance
import PrayerEngine
import Settings
import Texts
import Times
import TimetableImport

extension TimetableCommand {
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Reads a timetable, shows what was understood, and keeps it.",
            usage: "adhanctl timetable import <path> ... [<options>]",
            discussion: """
                CSV, TSV and JSON as mosques, authorities and their programs publish them: one file, the twelve of a year, a \
                folder or a zip. The times are held against the sun before anything is saved. Without a terminal it needs \
                --yes or --dry-run.
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "Files, folders or zip archives.", completion: .file()) var paths: [String]

        @Option(
            help: ArgumentHelp("What form it has (default: told by the file).", valueName: "name"),
            completion: .list(FileFormat.allCases.map(\.rawValue)))
        var format: String?

        @Option(
            help: ArgumentHelp(
                "local, winter or summer: the clock that it is by (default: told by the sun).",
                valueName: "clock"), completion: .list(TimetableClock.allCases.map(\.rawValue)))
        var clock: String?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The year of a table that names none, or every.", valueName: "year"))
        var year: String?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("24 or 12, for times without am and pm.", valueName: "hours"))
        var hours: String?

        @Option(
            help: ArgumentHelp("day-month or month-day, for dates such as 1/2/2027.", valueName: "order"),
            completion: .list(DateOrder.allCases.map(\.rawValue)))
        var dates: String?

        @Option(
            help: ArgumentHelp(
                "standard or hanafi, where a table has both (default: as configured).", valueName: "school"),
            completion: .names(of: AsrSchool.self))
        var asr: String?

        @Option(
            parsing: .unconditionalSingleValue,
            help: ArgumentHelp(
                "Which column is what, such as fajr=FajarBegins; repeatable.", valueName: "event=header"))
        var column: [String] = []

        @Option(help: ArgumentHelp("What to call it (default: main).", valueName: "name")) var name: String?

        @Flag(help: "Replace the whole timetable in force, with its days and columns that these files lack.")
        var replace = false

        @Flag(help: "Save without a question.") var yes = false

        @Flag(help: "Show only; save nothing.") var dryRun = false

        @OptionGroup var options: TimetablePlaceOptions

        func run() throws {
            var chosen = try ImportAnswers(
                format: format, clock: clock, year: year, hours: hours, dates: dates, asr: asr,
                columns: column,
                name: name
            ).options()
            let isTerminal = isatty(STDIN_FILENO) == 1
            // Report a missing file first, because that is more useful than the missing terminal.
            let files = try TimetableFiles.read(paths)
            guard yes || dryRun || isTerminal else {
                throw CommandError(
                    .usage, "there is no terminal to ask at; say --yes to save, or --dry-run to look only")
            }
            let place = try TimetablePlace(options.named, global.daemon)
            let asks = isTerminal && !yes && !dryRun
            let result = try understand(files, &chosen, place, asks: asks)
            var document = result.document(named: chosen.name)
            let source = result.source(
                named: chosen.name, of: files, paths, on: place.today, at: place.site)
            if asks || !global.json {
                let text = TimetableText.render(
                    document, table: result.table, site: place.site, today: place.today, global.output.style)
                if global.json { StandardError.write(text) } else { try global.output.write(text) }
            }
            if asks { try confirm(result) }
            var message = ""
            if !dryRun {
                var table = result.table
                table.label(source)
                let store = try TimetableStore.open(in: place.state)
                if replace { try store.replace(with: table) } else { try store.change { $0.merge(table) } }
                document.saved = true
                document.sources = table.sources
                let (reloaded, sentence) = TimetableEffect(global.daemon, place.stateDirectory).apply()
                (document.reloaded, message) = (reloaded, sentence)
            }
            if global.json { return try global.output.write(document: document) }
            try global.output.write(
                dryRun
                    ? "\nnothing was saved\n"
                    : "\nsaved \(CountText.of(document.days, "day")) as \"\(chosen.name)\"\(replace ? " in place of the timetable before" : ""); \"adhanctl timetable undo\" undoes it\n\(message)\n"
            )
        }

        /// Reads the files. An ambiguous file leads to a question if a person is present, and is refused otherwise.
        private func understand(
            _ files: [ImportFile], _ chosen: inout ImportOptions, _ place: TimetablePlace, asks: Bool
        ) throws(CommandError) -> ImportResult {
            while true {
                do throws(ImportRefusal) {
                    return try Importer.run(files, options: chosen, site: place.site, today: place.today)
                } catch {
                    guard asks, error.question == .dates, chosen.dates == nil else {
                        throw CommandError(error.mistake)
                    }
                    let questioner = Questioner(toStandardError: global.json)
                    questioner.show([error.mistake.message])
                    switch try answer("Does the day come first, or the month? [day/month]", questioner) {
                    case "day", "d", "day-month": chosen.dates = .dayFirst
                    case "month", "m", "month-day": chosen.dates = .monthFirst
                    default: throw CommandError(error.mistake)
                    }
                }
            }
        }

        private func confirm(_ result: ImportResult) throws(CommandError) {
            let warnings = result.findings.count { $0.severity == .warning }
            let questioner = Questioner(toStandardError: global.json)
            let prompt =
                warnings == 0
                ? "Are these your mosque's times? [yes/no]"
                : "There \(warnings == 1 ? "is 1 warning" : "are \(warnings) warnings"). Save these times all the same? [yes/no]"
            guard ["yes", "y"].contains(try answer(prompt, questioner)) else {
                throw CommandError(.failed, "nothing was saved")
            }
        }

        private func answer(_ prompt: String, _ questioner: Questioner) throws(CommandError) -> String {
            switch questioner.ask(prompt + ": ") {
            case .line(let line): return line.lowercased().filter { $0 != " " && $0 != "\r" }
            case .ended: return ""
            case .interrupted: throw CommandError(.interrupted, "interrupted; nothing was saved")
            }
        }
    }
}
