import ArgumentParser
import CommandKit
import Host
import Languages
import LogStore
import PrayerEngine
import PrayerLog
import Settings
import Texts

/// Options that all commands share.
struct CompanionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "adhand's control socket (default: $ADHAND_SOCKET, your own adhand's, or the system's).",
            valueName: "path"),
        completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "Compute the times by this configuration, whatever adhand says.", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    @Flag(help: "Print one JSON document instead of text.")
    var json = false

    var output: Output { Output(json: json) }

    /// - Parameter words: the language in which to report whose times are used if no place is set; the person's own language if
    ///   omitted.
    func person(in words: Language? = nil) throws(Refusal) -> Person {
        let person = try quietPerson()
        person.warnOfPlace(in: words)
        return person
    }

    /// The person, without a report of whose times are used. Commands print that report after they have checked their
    /// arguments, whose errors are in English.
    func quietPerson() throws(Refusal) -> Person { try Person(self) }
}

/// Options for grids and figures.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Sentences instead of grids, as a screen reader reads them well.")
    var plain = false
}

/// The person who runs the program, with their times, log and settings.
struct Person {
    let directory: String
    let times: PlaceTimes
    let settings: CompanionSettings
    let words: Language

    fileprivate init(_ options: CompanionOptions) throws(Refusal) {
        directory = Paths.userData(.process)
        settings = try Self.settings()
        let code = settings.language ?? Language.code { Environment.process.value($0) }
        words = Language.embedded(code) ?? .english
        times = try PlaceTimes.find(
            socket: options.socket, configuration: options.config, directory: directory)
    }

    func warnOfPlace(in other: Language? = nil) {
        if let place = times.guessedPlace { Obstacles.warn((other ?? words).guessedPlace(place)) }
    }

    /// The settings in `companion.toml`, beside the user's configuration of adhand.
    private static func settings() throws(Refusal) -> CompanionSettings {
        let file =
            Directories.parent(of: Paths.userConfiguration(.process)) + "/" + CompanionSettings.fileName
        let source: ConfigSource
        do throws(FileError) {
            source = try ConfigFiles.source(file)
        } catch  where error.isMissing {
            return CompanionSettings()
        } catch {
            throw Refusal(.failed, error.message)
        }
        do throws(ConfigError) {
            return try CompanionSettings.schema.read([source]).settings
        } catch {
            throw Refusal(.invalidInput, error.summary)
        }
    }

    /// The log; `nil` if nothing was logged yet. A log that cannot be written is reported once.
    /// - Parameter isToChange: whether the caller changes the log, and reports a refusal itself.
    func store(isToChange: Bool = false) throws(Refusal) -> LogStore? {
        let store = try logged { () throws(LogRefusal) in try LogStore(directory: directory, create: false) }
        if let obstacle = store?.obstacle, !isToChange {
            Obstacles.warn("\(obstacle); this is what it holds")
        }
        if let store {
            let today = times.today().date
            let lost = try logged { () throws(LogRefusal) in try store.unreadable(today: today) }
            if lost > 0 {
                let file = "\"\(PlainText.visible(store.path))\""
                Obstacles.warn(words.text(.unreadable, ["n": "\(lost)", "file": file]))
            }
        }
        return store
    }

    /// The log, which is created if it does not exist.
    func storeForWriting() throws(Refusal) -> LogStore {
        let store = try logged { () throws(LogRefusal) in try LogStore(directory: directory, create: true) }
        guard let store else { throw Refusal(.failed, "the log in \(directory) cannot be made") }
        return store
    }

    func logbook(_ store: LogStore?, now: Instant = WallClock.now()) throws(Refusal) -> Logbook {
        let packed = try logged { () throws(LogRefusal) in try store?.packed() ?? [] }
        return Logbook(packed: packed, today: times.today(now))
    }

    func streak(_ log: Logbook) -> Streak { Streak(log, goal: settings.goal) }
}
