import ArgumentParser
import CommandKit
import Console
import Glibc
import Host
import Maintenance
import PrayerEngine
import Texts
import Times
import TimetableImport

struct TimetableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timetable",
        abstract: "The times that your mosque publishes: imports, shows and checks them.",
        subcommands: [Import.self, Show.self, Check.self, Export.self, Remove.self, Undo.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract:
                "Shows what is in force: where it comes from, and a week of it beside the computed times.",
            usage: "adhanctl timetable show [<name>] [<options>]")

        @OptionGroup var global: GlobalOptions

        @OptionGroup var options: TimetablePlaceOptions

        @Argument(help: "Only what was imported under this name.") var name: String?

        func run() throws {
            let place = try TimetablePlace(options.named, global.daemon)
            let table = try TimetableCommand.table(named: name, in: place)
            let findings = TimetableCheck.dateFindings(
                table, today: place.today, missing: place.site.times.mosque.missing)
            let document = TimetableDocument(table, name: name, findings: findings)
            try global.output.show(document) {
                TimetableText.render(
                    document, table: table, site: place.site, today: place.today, isChecked: false, $0)
            }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Holds what is in force against the sun.",
            usage: "adhanctl timetable check [<name>] [<options>]")

        @OptionGroup var global: GlobalOptions

        @OptionGroup var options: TimetablePlaceOptions

        @Argument(help: "Only what was imported under this name.") var name: String?

        func run() throws {
            let place = try TimetablePlace(options.named, global.daemon)
            let table = try TimetableCommand.table(named: name, in: place)
            let findings = TimetableCheck.findings(table, site: place.site, today: place.today)
            try global.output.show(TimetableDocument(table, name: name, findings: findings)) {
                String(TimetableText.findings(findings, $0).drop { $0 == "\n" })
            }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes the table as CSV, to be read, edited and imported again.",
            usage: "adhanctl timetable export [--year <year>] [<options>]",
            discussion: """
                Without --year: what was imported, or, where nothing was, this year as it is computed. With it: the whole \
                year, computed where nothing is published.
                """)

        @OptionGroup var global: GlobalOptions

        @OptionGroup var options: TimetablePlaceOptions

        @Option(parsing: .unconditional, help: ArgumentHelp("A whole year.", valueName: "year"))
        var year: String?

        func run() throws {
            let place = try TimetablePlace(options.named, global.daemon)
            let table = try place.table()
            var number: Int?
            if let year {
                guard let value = Int(year), CivilDate.years.contains(value) else {
                    throw CommandError(.usage, "--year must be a year such as 2027, not \"\(year)\"")
                }
                number = value
            } else if table.isEmpty {
                number = place.today.year
            }
            guard let number else { return try global.output.write(table.csv()) }
            try global.output.write(ComputedYear.table(number, published: table, site: place.site).csv())
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Takes the published times away; from then on times are computed.",
            usage: "adhanctl timetable remove [<name>] [<options>]",
            discussion: "\"adhanctl timetable undo\" brings them back.")

        @OptionGroup var global: GlobalOptions

        @OptionGroup var options: TimetablePlaceOptions

        @Argument(help: "Only what was imported under this name.") var name: String?

        func run() throws {
            let place = try TimetablePlace(options.named, global.daemon)
            let removed = try remove(place)
            var document = TimetableDocument(removed ?? PublishedTimetable(), name: name, findings: [])
            document.saved = false
            let (reloaded, message) = TimetableEffect(global.daemon, place.stateDirectory).apply()
            document.reloaded = reloaded
            let done =
                removed == nil
                ? "the timetable was lost or damaged already; from now on there is none, and times are computed; "
                    + "\"adhanctl timetable undo\" brings back the one before it"
                : "removed \(CountText.of(document.days, "day")); \"adhanctl timetable undo\" brings them back"
            try global.output.show(document) { _ in "\(done)\n\(message)\n" }
        }

        /// Removes the timetable and returns it; `nil` if it could not be read.
        private func remove(_ place: TimetablePlace) throws(CommandError) -> PublishedTimetable? {
            let store = try TimetableStore.open(in: place.state)
            guard let name else {
                // A timetable that cannot be read can be removed as well.
                if let table = try? place.table(), table.isEmpty { throw TimetableCommand.nothing }
                return try store.clear()
            }
            let removed = try TimetableCommand.table(named: name, in: place)
            try store.change { $0.remove(named: name) }
            return removed
        }
    }

    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo",
            abstract: "Takes the last import or removal back; done twice, it is as it was.",
            usage: "adhanctl timetable undo [<options>]")

        @OptionGroup var global: GlobalOptions

        @OptionGroup var options: TimetablePlaceOptions

        func run() throws {
            let place = try TimetablePlace(options.named, global.daemon)
            let table = try TimetableStore.open(in: place.state).undo()
            var document = TimetableDocument(table, name: nil, findings: [])
            let (reloaded, message) = TimetableEffect(global.daemon, place.stateDirectory).apply()
            document.reloaded = reloaded
            try global.output.show(document) { _ in
                (table.isEmpty
                    ? "nothing is published any more; times are computed\n"
                    : "\(CountText.of(document.days, "day")) \(document.days == 1 ? "is" : "are") published again\n")
                    + message + "\n"
            }
        }
    }

    private static let nothing = CommandError(
        .failed,
        "no timetable was imported; \"adhanctl timetable import FILE\" does, and until then times are computed"
    )

    /// The timetable in force, or the part of it with a name; refused if there is none.
    static func table(named name: String?, in place: TimetablePlace) throws(CommandError)
        -> PublishedTimetable
    {
        let table = try place.table()
        guard !table.isEmpty else {
            throw nothing
        }
        guard let name else { return table }
        let part = table.only(named: name)
        guard !part.isEmpty else {
            let names = Set(table.sources.map(\.name)).sorted().joined(separator: ", ")
            throw CommandError(.failed, "nothing was imported under the name \"\(name)\"; there is \(names)")
        }
        return part
    }
}

/// The directory and the configuration for a timetable.
struct TimetablePlaceOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The state directory with the timetable.", valueName: "directory"),
        completion: .directory)
    var stateDir: String?

    @Option(
        name: .long, help: ArgumentHelp("The configuration with the place.", valueName: "file"),
        completion: .configurations)
    var config: String?

    var named: NamedPlaces { NamedPlaces(state: stateDir, configuration: config) }
}
