import ArgumentParser
import CommandKit
import Console
import ControlClient
import Maintenance
import PrayerEngine
import Protocol
import Settings
import Texts

struct ExceptionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exception",
        abstract: "Sets one prayer of one day by hand.",
        usage: """
            adhanctl exception <date> <prayer> [<time>] [--iqama <time>]
            adhanctl exception list
            adhanctl exception remove <date> <prayer>
            """,
        discussion: """
            It goes before the timetable and the computation, for that day alone, and is forgotten \
            when the day is past.
            """,
        subcommands: [Set.self, List.self, Remove.self], defaultSubcommand: Set.self)

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Sets when a prayer is called, when its congregation stands up, or both.",
            usage: "adhanctl exception <date> <prayer> [<time>] [<options>]")

        @OptionGroup var global: GlobalOptions

        @OptionGroup var which: ExceptionDay

        @Argument(help: "When it is called, such as 18:31; of jumua, when the khutba is.") var time: String?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("When the congregation stands up.", valueName: "time"))
        var iqama: String?

        @Option(parsing: .unconditional, help: ArgumentHelp("Why, for whoever asks.", valueName: "text"))
        var reason: String?

        func run() throws {
            guard time != nil || iqama != nil else {
                throw CommandError.usage("give a time such as 18:31, or --iqama with one")
            }
            let prayer = try which.named
            var asked = ExceptionParameters(
                date: try which.day(global.daemon), prayer: prayer.rawValue, reason: reason)
            asked.adhan = try time.map { text throws(CommandError) in try Self.clock(text, "the time") }
            asked.iqama = try iqama.map { text throws(CommandError) in try Self.clock(text, "--iqama") }
            try global.daemon.perform(.setException, asked, on: global.output)
        }

        private static func clock(_ text: String, _ name: String) throws(CommandError) -> String {
            guard let time = Spelling.timeOfDay(text), ClockText.parse(time) != nil else {
                throw CommandError.usage("\(name) must be a time of day such as 18:31, not \"\(text)\"")
            }
            return time
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "What is set by hand.")

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let reply = try global.daemon.ask(.getExceptions)
            try global.output.show(reply) { MosqueText.exceptions(reply, $0) }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "remove", abstract: "Takes one back.")

        @OptionGroup var global: GlobalOptions

        @OptionGroup var which: ExceptionDay

        func run() throws {
            let prayer = try which.named
            try global.daemon.perform(
                .removeException,
                ExceptionNameParameters(date: try which.day(global.daemon), prayer: prayer.rawValue),
                on: global.output)
        }
    }
}

/// The prayer and the day of an exception.
struct ExceptionDay: ParsableArguments {
    @Argument(help: "YYYY-MM-DD, today or tomorrow.", completion: .dates) var date: String

    @Argument(help: "fajr, dhuhr, asr, maghrib, isha or jumua.", completion: .prayers) var prayer: String

    var named: Prayer { get throws(CommandError) { try PrayerName.read(prayer) } }

    /// The day; "today" is the daemon's.
    func day(_ daemon: ControlClient) throws(CommandError) -> String {
        try DaemonDay.read(date, "the date", daemon)
    }
}

/// Resolves a date argument of a command that the daemon performs.
enum DaemonDay {
    static func read(_ text: String, _ name: String, _ daemon: ControlClient) throws(CommandError) -> String {
        do throws(OptionError) {
            if let date = CivilDate(text) { return date.description }
            let anyDay = CivilDate(dayNumber: 0)
            _ = try DateSelection.day(text, name, today: anyDay)
        } catch {
            throw CommandError(error)
        }
        let status = try daemon.ask(.getStatus).status
        try check(status, text)
        let now = status.now
        do throws(OptionError) {
            guard let today = CivilDate(now.prefix(10)) else { return text }
            return try DateSelection.day(text, name, today: today).description
        } catch {
            throw CommandError(error)
        }
    }

    /// Refuses "today" while adhand does not trust the clock, which determines the date.
    static func check(_ status: StatusDocument, _ day: String) throws(CommandError) {
        guard !status.clock.trusted else { return }
        throw CommandError(
            .failed,
            "the clock is not set, so it is unknown which day \"\(day)\" is; give the date as YYYY-MM-DD, or set the "
                + "clock first: \(ClockDoubt(now: status.now, seen: status.clock.seen).remedy)")
    }
}
