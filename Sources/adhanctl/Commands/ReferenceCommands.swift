import AdhanCore
import ArgumentParser
import Host
import PrayerEngine

struct Methods: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The calculation methods: angles, offsets, region, source.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let methods = MethodsDocument()
        try global.output.show(methods) { MethodsText.render(methods, $0) }
    }
}

struct Qibla: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The direction of the Ka'bah, and how far it is.")

    @OptionGroup var global: GlobalOptions

    @OptionGroup(title: "Calculation options") var calculation: CalculationArguments

    func run() throws {
        let qibla = QiblaDocument(try calculation.site())
        try global.output.show(qibla) { QiblaText.render(qibla, $0) }
    }
}

struct Hijri: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The Hijri date of a day.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "YYYY-MM-DD, today, tomorrow or yesterday (default: today).", completion: .dates)
    var date: String?

    @OptionGroup(title: "Calculation options") var calculation: CalculationArguments

    func run() throws {
        _ = try Today.day(date, named: "the date", in: .utc)
        let configuration = try LocalConfiguration(file: calculation.config)
        let effective: Config
        do throws(OptionError) {
            effective = try calculation.options.apply(to: configuration.config)
        } catch {
            throw CommandError(error)
        }
        // A date needs no place: without one only the time of Maghrib is left out.
        let site = try? configuration.site(calculation.options)
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
        let document = HijriDocument(
            try Today.day(date, in: zone), calendar: effective.calculation.hijri, site: site)
        try global.output.show(document) { HijriText.render(document, $0) }
    }
}
