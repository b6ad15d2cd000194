import ArgumentParser
import CommandKit
import Console
import Glibc
import Host
import Maintenance
import PrayerEngine
import Texts

struct Feedback: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedback",
        abstract: "Writes a text with what you want to tell those who make adhand.",
        usage: "adhanctl feedback [--kind <kind>] [--text <text>] [--output <file>]",
        discussion: """
            Asks what it is about and for a few sentences, shows what goes along (the diagnostics and the last hundred \
            events, without names and with rounded coordinates), and writes one file. Nothing is sent: that is for you to do. \
            Without a terminal --kind and --text are needed.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(
        name: .long, help: ArgumentHelp("wrong-time, no-sound or idea.", valueName: "kind"),
        completion: .names(of: FeedbackText.Kind.self))
    var kind: String?

    @Option(name: .long, help: ArgumentHelp("What you want to say.", valueName: "text"))
    var text: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The file (default: adhand-feedback-<date>.txt here).", valueName: "file"),
        completion: .file())
    var output: String?

    func run() throws {
        let person = isatty(STDIN_FILENO) == 1 && !global.json ? Questioner(toStandardError: true) : nil
        let kind = try chosenKind(person)
        let words = try sentences(about: kind, person)
        let facts = DoctorCollector.facts(global.daemon)
        let redaction = Identity.redaction(
            .process, coordinates: DiagnosticsReport.coordinates(facts), rounding: true)
        let report = DiagnosticsReport(daemon: global.daemon, exactLocation: false).text(facts)
        let log = (try? RecentLog(daemon: global.daemon).read(FeedbackText.events).entries) ?? []
        let lines = log.map { redaction.applied(to: JournalText.line($0, .plain)) }
            .map { String($0.dropLast($0.hasSuffix("\n") ? 1 : 0)) }
        let parts = FeedbackText.Parts(
            kind: kind, words: redaction.applied(to: words), diagnostics: report.text, log: lines)
        try show(parts, person)
        try write(FeedbackText.render(parts, date: today))
    }

    private var today: String {
        let zone = (try? ZoneFiles(in: .process).systemZone()) ?? .utc
        return "\(zone.civilDate(of: WallClock.now()))"
    }

    private func chosenKind(_ person: Questioner?) throws(CommandError) -> FeedbackText.Kind {
        let kinds = FeedbackText.Kind.allCases
        let names = kinds.map(\.rawValue).joined(separator: ", ")
        if let kind {
            guard let known = FeedbackText.Kind(rawValue: kind.lowercased()) else {
                throw CommandError.usage("--kind must be one of \(names), not \"\(kind)\"")
            }
            return known
        }
        guard let person else {
            throw CommandError.usage("without a terminal, say with --kind what it is about: \(names)")
        }
        person.show(["What is it about?"] + kinds.enumerated().map { "  \($0 + 1)  \($1.title)" })
        while true {
            let answer = try Self.line(person.ask("1 to \(kinds.count): "))
            if answer == "?" {
                person.show(
                    kinds.enumerated().map { "  \($0 + 1)  \($1.explanation)" } + [
                        "Ctrl-C leaves; nothing is written."
                    ])
                continue
            }
            if let number = Int(answer), (1...kinds.count).contains(number) { return kinds[number - 1] }
            if let kind = FeedbackText.Kind(rawValue: answer.lowercased()) { return kind }
            person.show(["Please answer with a number from 1 to \(kinds.count), or Ctrl-C to leave."])
        }
    }

    private func sentences(about kind: FeedbackText.Kind, _ person: Questioner?) throws(CommandError)
        -> String
    {
        if let text {
            guard !text.allSatisfy(\.isWhitespace) else { throw CommandError.usage("--text is empty") }
            return text
        }
        guard let person else {
            throw CommandError.usage("without a terminal, say with --text what you want to tell")
        }
        person.show(["", kind.question, "A few sentences; an empty line ends them."])
        var lines: [String] = []
        while true {
            let line = try Self.line(person.ask("> "))
            if line == "?" {
                person.show(["Say what you did, what happened and what you expected; an empty line ends it."])
            } else if !line.isEmpty {
                lines.append(line)
            } else if !lines.isEmpty {
                return lines.joined(separator: "\n")
            }
        }
    }

    /// Shows the report's content before anything is written.
    private func show(_ parts: FeedbackText.Parts, _ person: Questioner?) throws(CommandError) {
        guard let person else { return }
        let text = FeedbackText.attachments(parts)
        person.show(["", "This goes along:", ""])
        person.show(
            text.split(separator: "\n", omittingEmptySubsequences: false).map {
                "  \(PlainText.visible(String($0)))"
            })
        while true {
            switch try Self.line(person.ask("Write it to a file? [Y/n] ")).lowercased() {
            case "", "y", "yes": return
            case "n", "no": throw CommandError(.failed, "nothing was written")
            default: person.show(["y writes the file here and sends nothing; n writes nothing."])
            }
        }
    }

    private func write(_ text: String) throws(CommandError) {
        let path = try create(Array(text.utf8))
        try global.output.show(["file": path]) { _ in FeedbackText.afterwards(path) }
    }

    /// Writes a new file and returns its path. An existing file with that name stays.
    private func create(_ bytes: [UInt8]) throws(CommandError) -> String {
        if let output {
            guard try create(bytes, at: output) else {
                let path = Directories.absolute(output)
                throw CommandError(.failed, "\"\(path)\" is there already; name another file with --output")
            }
            return Directories.absolute(output)
        }
        let names = [""] + (2...Self.mostOnOneDay).map { "-\($0)" }
        for serial in names {
            let name = "adhand-feedback-\(today)\(serial).txt"
            if try create(bytes, at: name) { return Directories.absolute(name) }
        }
        throw CommandError(
            .failed,
            "there are \(Self.mostOnOneDay) files adhand-feedback-\(today)-….txt here already; remove some, or name another "
                + "file with --output")
    }

    private static let mostOnOneDay = 100

    /// Creates the file; `false` if one exists. The name is relative to the directory in which this program runs, because a full
    /// path might lead elsewhere by now.
    private func create(_ bytes: [UInt8], at path: String) throws(CommandError) -> Bool {
        do throws(FileError) {
            try OutputFile.create(bytes, at: path)
            return true
        } catch  where error.code == EEXIST {
            return false
        } catch {
            throw CommandError(.failed, error.message)
        }
    }

    private static func line(_ answer: Questioner.Answer) throws(CommandError) -> String {
        switch answer {
        case .line(let text):
            return text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        case .ended: throw CommandError(.failed, "the terminal has gone; nothing was written")
        case .interrupted: throw CommandError(.interrupted, "interrupted; nothing was written")
        }
    }
}
