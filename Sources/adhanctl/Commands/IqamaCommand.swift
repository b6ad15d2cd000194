import AdhanCore
import ArgumentParser
import PrayerEngine

struct Iqama: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "When the congregations of your mosque stand up, as its timetable says.",
        usage: "adhanctl iqama [<options>]")

    @OptionGroup(title: "Days") var days: DayArguments

    @OptionGroup var global: GlobalOptions

    @OptionGroup var options: TimetablePlaceOptions

    func run() throws {
        try Today.check(days.selection)
        let place = try TimetablePlace(options, global.daemon)
        let dates = try Today.days(days.selection, in: place.site.zone)
        let table = try TimetableStore.read(in: place.stateDirectory)
        let calendar = IqamaCalendar(
            IqamaSettings(), table: table, site: place.site, years: Array(Set(dates.map(\.year))))
        let document = IqamaDocument(calendar, table: table, site: place.site, dates: dates)
        guard !document.isEmpty else {
            throw CommandError(
                .failed,
                "no iqama is published for these days; \"adhanctl timetable import FILE\" reads a table that has them"
            )
        }
        try global.output.show(document) { IqamaText.render(document, $0) }
    }
}
