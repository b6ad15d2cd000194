import ArgumentParser
import CommandKit
import Console
import ControlClient
import Glibc
import Host
import Maintenance
import Protocol
import Texts

struct Sound: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sound",
        abstract: "Adds, lists, chooses, removes and plays sounds.",
        subcommands: [List.self, Add.self, Use.self, Remove.self, Play.self])

    struct Play: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "play",
            abstract: "Plays a sound now, at the volume of dhuhr or of the prayer given.",
            usage: """
                adhanctl sound play <name> [--prayer <prayer>] [--output <name>]...
                                    [--despite-quiet]
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "A name such as standard, or the absolute path of an MP3 file.", completion: .sounds)
        var name: String

        @Option(
            name: .long, help: ArgumentHelp("As this prayer would play it.", valueName: "prayer"),
            completion: .prayers)
        var prayer: String?

        @OptionGroup var quiet: QuietOptions

        func run() throws {
            let prayer = try prayer.map { try PrayerName.read($0).rawValue }
            try global.daemon.perform(
                .playSound,
                SoundParameters(
                    name: name, prayer: prayer, despiteQuiet: quiet.asked, outputs: quiet.names),
                patienceSeconds: ControlClient.patienceForSoundSeconds,
                on: global.output
            )
        }
    }
}

/// The places of sounds, if the daemon's are not used.
struct SoundPlaceOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The state directory with the added sounds.", valueName: "directory"),
        completion: .directory)
    var stateDir: String?

    @Option(
        name: .long, help: ArgumentHelp("The shipped sounds.", valueName: "directory"), completion: .directory
    )
    var audioDir: String?

    @Option(
        name: .long, help: ArgumentHelp("The configuration that uses them.", valueName: "file"),
        completion: .configurations)
    var config: String?

    var named: NamedPlaces { NamedPlaces(state: stateDir, audio: audioDir, configuration: config) }
}

extension Sound {
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds a recording.",
            usage: "adhanctl sound add <file> [--name <name>] [--prayer <prayer>] [<options>]",
            discussion: """
                The file is decoded to its end and measured, so that it is played as loud as every other \
                sound. What is not MP3 is converted if ffmpeg is installed. For the system's adhand this needs root (sudo).
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The recording.", completion: .file())
        var file: String

        @Option(name: .long, help: ArgumentHelp("Its name (default: the file's).", valueName: "name"))
        var name: String?

        @Option(
            name: .long,
            help: ArgumentHelp(
                "For one prayer: fajr, dhuhr, asr, maghrib, isha, jumua.", valueName: "prayer"),
            completion: .prayers)
        var prayer: String?

        @Flag(name: .long, help: "Put it in the place of a sound of that name.")
        var replace = false

        @Flag(name: .long, help: "Add it even if it is too short, too damaged or too loud to be a recording.")
        var force = false

        @OptionGroup var options: SoundPlaceOptions

        func run() throws {
            let prayer = try prayer.map { try PrayerName.read($0) }
            let name = try chosenName()
            let place = try SoundPlace(options.named, global.daemon)
            let store = try SoundStore.open(in: place.state)
            Interruption.watch(directory: store.directory.raw)
            let target = SoundFilePlace(name.text, for: prayer)
            let added = try SoundImport(
                source: file, place: target, replace: replace, force: force, folders: place.folders
            ).run(in: store)
            if !global.json {
                for warning in added.warnings { StandardError.write("adhanctl: note: \(warning)") }
            }
            let inUse = !place.users(of: added.file).isEmpty
            try global.output.show(added) {
                SoundText.added(
                    added, for: prayer, configuration: place.configurationFile, inUse: inUse, $0)
            }
        }

        private func chosenName() throws(CommandError) -> AddedName {
            guard let name else {
                if let suggested = AddedName.suggested(by: file) { return suggested }
                throw CommandError(
                    .usage, "\"\(file)\" suggests no name for the sound; give it one with --name")
            }
            do throws(AddedNameError) {
                return try AddedName(name)
            } catch {
                throw CommandError(.usage, error.message)
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "The sounds: for whom, how long, how loud, and what uses them.",
            usage: "adhanctl sound list [<options>]")

        @OptionGroup var global: GlobalOptions

        @OptionGroup var options: SoundPlaceOptions

        func run() throws {
            let place = try SoundPlace(options.named, global.daemon)
            let (sounds, refusal) = SoundListing(place: place, daemon: global.daemon).document()
            try global.output.show(sounds) { SoundText.list(sounds, $0) }
            // Fail with one document, so that an incomplete list is not mistaken for a complete one.
            if let refusal {
                StandardError.write("adhanctl: the added sounds are not shown: \(refusal.message)")
                Glibc.exit(refusal.status.rawValue)
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes an added sound that the configuration does not use.",
            usage: "adhanctl sound remove <name> [--prayer <prayer>] [<options>]")

        @OptionGroup var global: GlobalOptions

        @Argument(help: "Its name, as \"adhanctl sound list\" shows it.", completion: .sounds)
        var name: String

        @Option(
            name: .long, help: ArgumentHelp("Only the recording for one prayer.", valueName: "prayer"),
            completion: .prayers)
        var prayer: String?

        @OptionGroup var options: SoundPlaceOptions

        func run() throws {
            let prayer = try prayer.map { try PrayerName.read($0) }
            let place = try SoundPlace(options.named, global.daemon)
            let removed = try SoundRemoval(name: name, prayer: prayer, place: place).run()
            try global.output.show(removed) { _ in
                removed.files.map { "removed \"\(removed.name)\": \($0)\n" }.joined()
            }
        }
    }
}
