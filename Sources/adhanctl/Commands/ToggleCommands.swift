import ArgumentParser
import CommandKit
import Maintenance
import Protocol
import Settings
import Texts

struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Switches prayers on.", discussion: ToggleArguments.discussion)

    @OptionGroup var global: GlobalOptions

    @OptionGroup var toggle: ToggleArguments

    func run() throws {
        try global.daemon.perform(.enablePrayers, toggle.parameters(), on: global.output)
    }
}

struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Switches prayers off: they are not called.", discussion: ToggleArguments.discussion)

    @OptionGroup var global: GlobalOptions

    @OptionGroup var toggle: ToggleArguments

    func run() throws {
        try global.daemon.perform(.disablePrayers, toggle.parameters(), on: global.output)
    }
}

/// The prayers to switch.
struct ToggleArguments: ParsableArguments {
    static let discussion =
        "It holds until switched again, restarts included, over what the configuration says."

    @Argument(
        help: ArgumentHelp("fajr, dhuhr, asr, maghrib, isha, jumua or all.", valueName: "prayer"),
        completion: .prayers)
    var prayers: [String]

    func parameters() throws(CommandError) -> PrayersParameters {
        var names: [String] = []
        if prayers.map({ $0.lowercased() }) == ["all"] {
            return PrayersParameters(prayers: Prayer.allCases.map(\.rawValue))
        }
        for prayer in prayers { names.append(try PrayerName.read(prayer).rawValue) }
        return PrayersParameters(prayers: names)
    }
}
