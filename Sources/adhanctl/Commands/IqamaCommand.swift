import ArgumentParser
import CommandKit
import Console
import Maintenance
import PrayerEngine
import Times

struct Iqama: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "iqama",
        abstract: "When the congregations of your mosque stand up.",
        usage: "adhanctl iqama [<options>]")

    @OptionGroup(title: "Days") var days: DayArguments

    @OptionGroup var global: GlobalOptions

    @OptionGroup var options: TimetablePlaceOptions

    func run() throws {
        try RequestedDays.check(days.selection)
        let place = try TimetablePlace(options.named, global.daemon)
        let dates = try RequestedDays.days(days.selection, in: place.site.zone)
        let decided = OverridesReader(state: place.state, daemon: global.daemon).all()
        let document = IqamaDocument(site: place.site.applying(decided), dates: dates)
        guard !document.isEmpty else {
            throw CommandError(
                .failed,
                "no iqama is known for these days; write rules under [iqama] in the configuration, or import a timetable that has them with \"adhanctl timetable import FILE\""
            )
        }
        try global.output.show(document) { IqamaText.render(document, $0) }
    }
}
