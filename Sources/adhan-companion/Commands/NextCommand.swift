import ArgumentParser
import CommandKit
import ControlClient
import Glibc
import Host
import LogStore
import PrayerEngine
import PrayerLog
import Protocol
import Texts

extension WidgetFormat: ExpressibleByArgument {}

struct Next: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "The coming prayers on one line, for status bars.",
        discussion: """
            With --follow it stays and prints a line whenever something changes: for bars that read along, which is cheaper \
            than being run every second.
            """)

    @OptionGroup var global: CompanionOptions

    @Option(help: "text, waybar, polybar, i3blocks, tmux, conky or json.")
    var format: WidgetFormat?

    @Option(help: ArgumentHelp("How many prayers, 1 to 5.", valueName: "n"))
    var count = 1

    @Flag(help: "Stay, and print a line whenever something changes.")
    var follow = false

    func validate() throws {
        guard (1...5).contains(count) else {
            throw ValidationError("--count must be a whole number from 1 to 5, not \(count)")
        }
    }

    func run() throws {
        let format = format ?? (global.json ? .json : .text)
        guard follow else {
            var person = try global.person()
            return try global.output.write(
                try Self.widget(&person, try person.store(), global, count).rendered(format) + "\n")
        }
        try follow(format)
    }

    private static func widget(
        _ person: inout Person, _ store: LogStore?, _ global: CompanionOptions, _ count: Int
    ) throws(Refusal) -> Widget {
        let log = try person.logbook(store)
        var status: StatusDocument?
        if person.times.origin == .adhand {
            let client = ControlClient(socket: Paths.clientSocket(option: global.socket, in: .process))
            status = try? client.call(.getStatus, patienceSeconds: 2).status
        }
        return Widget(
            log, streak: person.streak(log), count: count, zone: person.times.zone, words: person.words,
            guessedPlace: person.times.guessedPlace,
            isPlaying: status?.playback.state == .playing && status?.playback.prayer != nil,
            isMuted: { coming in
                let id = AnnouncementID.adhan(
                    coming.slot.prayer.prayer(on: coming.slot.date), on: coming.slot.date)
                return status?.isMuted(
                    id.description, at: InstantText.rfc3339(coming.at, in: person.times.zone)) ?? false
            })
    }

    /// Checks every second, so that a change of the log, of a mute or of the minute is shown at once. The times are requested
    /// again every minute.
    private func follow(_ format: WidgetFormat) throws(Refusal) -> Never {
        var (last, complaint) = ("", "")
        var person = try global.person()
        var asked = MonotonicClock.now()
        while true {
            if MonotonicClock.now() - asked > 60 {
                asked = MonotonicClock.now()
                // If the log cannot be read now, the last one is kept.
                if let fresh = try? global.person() { person = fresh }
            }
            let text: String
            do throws(Refusal) {
                text = try Self.widget(&person, try person.store(), global, count).rendered(
                    format, following: true)
                complaint = ""
            } catch {
                // A status bar does not restart this program, so the old text stays until there is a new one.
                if error.message != complaint { StandardError.write("adhan-companion: \(error.message)") }
                complaint = error.message
                sleep(1)
                continue
            }
            if text != last { try global.output.write(text + "\n") }
            last = text
            sleep(1)
        }
    }
}
