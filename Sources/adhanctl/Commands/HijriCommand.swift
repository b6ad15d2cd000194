import ArgumentParser
import CommandKit
import Console
import ControlClient
import Host
import Maintenance
import PrayerEngine
import Protocol
import Settings
import Texts
import Times

struct Hijri: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hijri",
        abstract: "The Hijri date of a day, and when its months begin.",
        usage: """
            adhanctl hijri [<date>] [<options>]
            adhanctl hijri sighted [<date>]
            adhanctl hijri complete [<date>]
            adhanctl hijri pins [remove <month>]
            """,
        discussion: "\"adhanctl hijri day --help\" lists the options of a date.",
        subcommands: [Day.self, Sighted.self, Complete.self, Pins.self], defaultSubcommand: Day.self)

    struct Day: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "day",
            abstract: "The Hijri date of a day.", usage: "adhanctl hijri [<date>] [<options>]")

        @OptionGroup var global: GlobalOptions

        @Argument(help: "YYYY-MM-DD, today, tomorrow or yesterday (default: today).", completion: .dates)
        var date: String?

        @OptionGroup(title: "Calculation options") var calculation: CalculationArguments

        @OptionGroup var state: StateOption

        func run() throws {
            _ = try RequestedDays.day(date, named: "the date", in: .utc)
            let place = calculation.statePlace(state.stateDir, global.daemon)
            let configuration = try calculation.configuration(place)
            let effective: Config
            do throws(OptionError) {
                effective = try calculation.options.apply(to: configuration.config)
            } catch {
                throw CommandError(error)
            }
            // A date needs no place: without one, only the time of Maghrib is omitted.
            let site =
                calculation.city == nil
                ? try? configuration.site(calculation.options)
                : try configuration.site(calculation.options, city: calculation.city)
            let zone: Zone
            if let site {
                zone = site.zone
            } else {
                do throws(SiteError) {
                    zone = try SiteReader.zone(of: effective, ZoneFiles(in: .process))
                } catch {
                    throw CommandError(calculation.timezone == nil ? .failed : .usage, error.message)
                }
            }
            let decided = calculation.decided(place, global.daemon)
            let rule = site?.calculation.hijri.rule ?? effective.calculation.hijriRule ?? .ummAlQura
            var calendar = effective.calculation.hijri(by: rule)
            _ = calendar.add(decided?.pins ?? [:])
            let document = HijriDocument(
                try RequestedDays.day(date, in: zone), calendar: calendar,
                site: decided.flatMap { site?.applying($0) } ?? site)
            try global.output.show(document) { HijriText.render(document, $0) }
        }
    }

    struct Sighted: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sighted",
            abstract: "The crescent was seen this evening: the month begins with it.",
            usage: "adhanctl hijri sighted [<date>]",
            discussion: "Before Fajr the evening of the day before is meant.")

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The day on whose evening it was seen.", completion: .dates) var date: String?

        func run() throws { try Hijri.perform(.hijriSighted, date, global) }
    }

    struct Complete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "complete",
            abstract: "This month has thirty days.",
            usage: "adhanctl hijri complete [<date>]",
            discussion: """
                From the evening of the 29th on. On the first two days of a month the one before is meant.
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The 29th or 30th day of the month.", completion: .dates) var date: String?

        func run() throws { try Hijri.perform(.hijriComplete, date, global) }
    }

    private static func perform(
        _ method: MethodSignature<HijriDayParameters, ChangeReply>, _ date: String?, _ global: GlobalOptions
    ) throws {
        let day = try date.map { text throws(CommandError) in
            try DaemonDay.read(text, "the date", global.daemon)
        }
        try global.daemon.perform(method, HijriDayParameters(date: day), on: global.output)
    }

    struct Pins: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pins",
            abstract: "The months whose beginning was decided, by the configuration or by command.",
            usage: """
                adhanctl hijri pins
                adhanctl hijri pins remove <month>
                """,
            subcommands: [List.self, Remove.self], defaultSubcommand: List.self)

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list",
                abstract: "Lists them.", usage: "adhanctl hijri pins")

            @OptionGroup var global: GlobalOptions

            func run() throws {
                let reply = try global.daemon.ask(.getHijriPins)
                try global.output.show(reply) { MosqueText.pins(reply, $0) }
            }
        }

        struct Remove: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "remove",
                abstract: "Takes one back that was decided by command.")

            @OptionGroup var global: GlobalOptions

            @Argument(help: "Such as 1448-09.") var month: String

            func run() throws {
                guard let month = HijriMonth(month) else {
                    throw CommandError.usage("the month must be written as in 1448-09, not \"\(month)\"")
                }
                try global.daemon.perform(
                    .removeHijriPin, HijriMonthParameters(month: month.description), on: global.output)
            }
        }
    }
}
