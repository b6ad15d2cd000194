import ArgumentParser
import CommandKit
import Console
import Maintenance
import Protocol

struct Log: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "What happened lately.",
        discussion: """
            adhand keeps its last 500 events in memory, since it was started; those before come from the journal, as far as this \
            user may read it. With -f it stays, also while adhand is restarted.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(name: .customShort("n"), help: ArgumentHelp("How many events.", valueName: "n"))
    var count = 50

    @Flag(
        name: .customShort("f"), help: "Stay, and show every event as it happens; with --json one per line.")
    var follow = false

    func validate() throws {
        guard count >= 0 else { throw ValidationError("-n must be 0 or more, not \(count)") }
    }

    func run() throws {
        let output = global.output
        guard follow else {
            let (entries, silence) = try RecentLog(daemon: global.daemon).read(count)
            if let silence { StandardError.write("adhanctl: \(silence.message); this is from the journal") }
            let reply = LogReply(entries: entries)
            return try output.show(reply) { style in
                reply.entries.map { JournalText.line($0, style) }.joined()
            }
        }
        try follow(output)
    }

    private func follow(_ output: Output) throws(CommandError) -> Never {
        let log = RecentLog(daemon: global.daemon)
        var shown: [LogEntry] = []
        var isFirst = true
        try global.daemon.monitor { update throws(CommandError) in
            switch update {
            case .connected:
                // The monitor is already connected, so an event that comes now is in both lists; it is shown once.
                let entries: [LogEntry]
                do throws(CommandError) {
                    entries = isFirst ? try log.read(count).entries : try log.since(shown.last)
                } catch  where error.status == .unreachable && !isFirst {
                    return nil
                } catch {
                    throw error
                }
                for entry in entries where !shown.contains(entry) { try Self.show(entry, output) }
                shown = entries.isEmpty ? shown : entries
                isFirst = false
            case .event(let event):
                if !shown.contains(event) { try Self.show(event, output) }
                // Keep enough events to recognise those already shown when adhand is back.
                shown = shown.suffix(LogReply.capacity) + [event]
            case .waited: break
            }
            return nil
        }
    }

    private static func show(_ entry: LogEntry, _ output: Output) throws(CommandError) {
        if output.json { return try output.write(document: entry, stream: true) }
        try output.write(JournalText.line(entry, output.style))
    }
}

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "What was called, when, how late, and how it ended.")

    @OptionGroup var global: GlobalOptions

    @Option(name: .long, help: ArgumentHelp("How many days back, 1 to 3660.", valueName: "n"))
    var days = 7

    func validate() throws {
        guard HistoryDocument.possibleDays.contains(days) else {
            throw ValidationError("--days must be a whole number from 1 to 3660, not \(days)")
        }
    }

    func run() throws {
        let history = try global.daemon.history(days: days)
        try global.output.show(history) { HistoryText.render(history, $0) }
    }
}
