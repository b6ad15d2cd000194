import AdhanCore
import ArgumentParser

struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switches prayers on.",
        discussion: "It holds until switched again, restarts included, over what the configuration says.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("fajr, dhuhr, asr, maghrib, isha or jumua.", valueName: "prayer"))
    var prayers: [String]

    func run() throws {
        let names = try prayers.map { try PrayerName.read($0).rawValue }
        try global.daemon.tell("EnablePrayers", PrayersParameters(prayers: names), on: global.output)
    }
}

struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switches prayers off: they are not called.",
        discussion: "It holds until switched again, restarts included, over what the configuration says.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("fajr, dhuhr, asr, maghrib, isha or jumua.", valueName: "prayer"))
    var prayers: [String]

    func run() throws {
        let names = try prayers.map { try PrayerName.read($0).rawValue }
        try global.daemon.tell("DisablePrayers", PrayersParameters(prayers: names), on: global.output)
    }
}

/// A prayer's name on the command line.
enum PrayerName {
    static func read(_ text: String) throws(Refusal) -> Prayer {
        if let prayer = Prayer(rawValue: text.lowercased()) { return prayer }
        let near =
            NearestName.of(text, among: Prayer.allCases.map(\.rawValue)).map { "; did you mean \($0)?" } ?? ""
        throw Refusal(.usage, ControlError.unknownPrayer(prayer: text).sentence + near)
    }
}
