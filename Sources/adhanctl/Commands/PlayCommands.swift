import ArgumentParser
import CommandKit
import Console
import ControlClient
import Maintenance
import Protocol
import Texts

struct Stop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Fades out what is playing.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        do throws(CommandError) {
            try global.daemon.perform(.stop, on: global.output)
        } catch  where error.name == "NothingPlaying" {
            // Nothing plays, so the request is fulfilled already.
            try global.output.show(ChangeReply(error.message)) { _ in error.message + "\n" }
        } catch {
            throw error
        }
    }
}

/// Options of every command that plays something as a test.
struct QuietOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Also while a quiet window of the configuration silences it or makes it quieter.")
    var despiteQuiet = false

    /// The parameter, omitted by default because an older adhand does not know it.
    var asked: Bool? { despiteQuiet ? true : nil }

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "On this output of [[output]] alone; may be given several times.", valueName: "name"))
    var outputs: [String] = []

    /// The parameter, omitted by default because an older adhand does not know it.
    var names: [String]? { outputs.isEmpty ? nil : outputs }
}

struct TestPlay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-play",
        abstract: "Plays now exactly what a prayer would play.",
        usage: """
            adhanctl test-play <prayer> [--seconds <n>] [--output <name>]...
                               [--despite-quiet]
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(
        help: "fajr, dhuhr, asr, maghrib, isha, jumua; or next: the one that comes next.",
        completion: .prayersOrNext)
    var prayer: String

    @Option(name: .long, help: ArgumentHelp("Fade out after this many seconds, 0.1 to 3600.", valueName: "n"))
    var seconds: Double?

    @OptionGroup var quiet: QuietOptions

    func validate() throws {
        if let seconds, !(0.1...3600).contains(seconds) {
            throw ValidationError("--seconds must be a number from 0.1 to 3600, not \(seconds)")
        }
    }

    func run() throws {
        let name = try prayer.lowercased() == "next" ? nextPrayer() : PrayerName.read(prayer).rawValue
        try global.daemon.perform(
            .testPlay,
            TestPlayParameters(
                prayer: name, seconds: seconds, despiteQuiet: quiet.asked, outputs: quiet.names),
            patienceSeconds: ControlClient.patienceForSoundSeconds,
            on: global.output)
    }

    private func nextPrayer() throws(CommandError) -> String {
        let status = try Status.read(global.daemon)
        // A loudspeaker can be tested before a place is set.
        if status.placeProblem != nil { return Prayer.dhuhr.rawValue }
        guard let next = status.next else {
            throw CommandError(.failed, "no prayer is enabled in the coming 24 hours; name one, such as fajr")
        }
        return next.prayer
    }
}

struct Outputs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outputs",
        abstract: "The outputs, and how each of them stands.",
        discussion: "A configuration without [[output]] has one, named main.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let daemon = global.daemon
        let reply = try daemon.ask(.getOutputs)
        let now = try Status.read(daemon).now
        try global.output.show(reply) { OutputsText.render(reply.outputs, now: now, $0) }
    }
}
