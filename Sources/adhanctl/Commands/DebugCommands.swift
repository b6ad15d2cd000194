import ArgumentParser
import CommandKit
import Console
import Maintenance
import Protocol
import Settings
import Texts

struct Debug: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "debug",
        abstract: "Looks at the machinery.",
        subcommands: [Timers.self, Trigger.self, Monitor.self])

    struct Timers: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "timers",
            abstract: "Every timer that is armed.",
            discussion:
                "The prayers and reminders of the coming 24 hours first, then what adhand needs for itself.")

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let reply = try global.daemon.ask(.getTimers)
            try global.output.show(reply) { JournalText.timers(reply, $0) }
        }
    }

    struct Trigger: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trigger",
            abstract: "Simulates a prayer, through the whole path from its timer to the sound.",
            usage: "adhanctl debug trigger <prayer> [--in <duration>]",
            discussion: "Needs \"triggers = true\" under [debug] in the configuration.")

        @OptionGroup var global: GlobalOptions

        @Argument(help: "fajr, dhuhr, asr, maghrib, isha or jumua.", completion: .prayers)
        var prayer: String

        @Option(
            name: .customLong("in"),
            help: ArgumentHelp(
                "How long from now, up to 24h: 20s, 5m (default: at once).", valueName: "duration"))
        var delay: String?

        func validate() throws {
            if let delay, Self.duration(delay).flatMap(DurationText.parse) ?? .infinity > 86_400 {
                throw ValidationError("--in must be a duration up to 24h such as 20s or 5m, not \"\(delay)\"")
            }
        }

        func run() throws {
            let name = try PrayerName.read(prayer).rawValue
            try global.daemon.perform(
                .trigger, TriggerParameters(prayer: name, delay: delay.flatMap(Self.duration)),
                on: global.output)
        }

        /// A duration in words; zero is "at once".
        private static func duration(_ text: String) -> String? {
            Spelling.duration(text) ?? DurationText.parse(text).map { DurationText.format($0) }
        }
    }

    struct Monitor: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "monitor",
            abstract: "Every event as it happens; with --json one per line.")

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let output = global.output
            try global.daemon.monitor { update throws(CommandError) in
                if case .event(let event) = update {
                    if output.json {
                        try output.write(document: event, stream: true)
                    } else {
                        try output.write(JournalText.monitorLine(event, output.style))
                    }
                }
                return nil
            }
        }
    }
}
