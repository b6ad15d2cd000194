import AdhanCore
import ArgumentParser

struct Log: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What happened lately.",
        discussion: "adhand keeps its last 500 events in memory; \"journalctl -u adhand\" has the older ones."
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
            let reply = try read()
            return try output.show(reply) { style in reply.entries.map { LogText.line($0, style) }.joined() }
        }
        try follow(output)
    }

    private func read() throws(Refusal) -> LogReply {
        try global.daemon.ask("GetLog", LogParameters(limit: count), for: LogReply.self)
    }

    private func follow(_ output: Output) throws(Refusal) -> Never {
        var shown: [LogEntry]?
        try global.daemon.monitor { event throws(Refusal) in
            guard let already = shown else {
                // The monitor listens already: what happens in between is in both, and shown once.
                let entries = try read().entries
                for entry in entries { try Self.show(entry, output) }
                shown = entries
                return nil
            }
            if let event, !already.contains(event) { try Self.show(event, output) }
            return nil
        }
    }

    private static func show(_ entry: LogEntry, _ output: Output) throws(Refusal) {
        if output.json { return try output.write(document: entry, stream: true) }
        try output.write(LogText.line(entry, output.style))
    }
}

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What was called, when, how late, and how it ended.")

    @OptionGroup var global: GlobalOptions

    @Option(name: .long, help: ArgumentHelp("How many days back, 1 to 3660.", valueName: "n"))
    var days = 7

    func validate() throws {
        guard (1...3660).contains(days) else {
            throw ValidationError("--days must be a whole number from 1 to 3660, not \(days)")
        }
    }

    func run() throws {
        let history = try global.daemon.history(days: days)
        try global.output.show(history) { HistoryText.render(history, $0) }
    }
}
