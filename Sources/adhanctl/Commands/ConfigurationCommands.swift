import ArgumentParser
import CommandKit
import Console
import DisplayFeed
import Glibc
import Host
import Maintenance
import Protocol
import ScreenPlan
import Texts

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Makes adhand read its configuration again.",
        discussion: """
            A file with a mistake is refused, and what was in force stays in force. Sounds that adhand cannot read are named.
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(
        help:
            "Nobody reads the output: what else is lost, as a timetable, is reported again and not confirmed."
    )
    var unattended = false

    func run() throws {
        let asked = ReloadParameters(unattended: unattended ? true : nil)
        try global.daemon.perform(.reload, asked, on: global.output)
    }
}

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Tells whether adhand can use a configuration file.",
        discussion: """
            The running adhand looks itself: it reads the file, decodes every sound to its end and opens every device, \
            without a sound. When it does not run, root looks as its user in its sandbox. Otherwise only the text is looked at. \
            The screen's display.toml, where it is there, is checked as well, as root in the sandbox of the screen's service.

            Exit status: 0 when it can be used, 65 when the text is wrong, 1 when it is right and this box cannot use it.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The file (default: the one that adhand would read).", completion: .configurations)
    var file: String?

    @Flag(help: "The file is a display.toml, whatever it is called.")
    var display = false

    /// Whether to check the screen's file, which this name means as well.
    private var isDisplay: Bool { display || file?.split(separator: "/").last == "display.toml" }

    func run() throws {
        if isDisplay { return try checkDisplay() }
        let found = try CheckRunner(daemon: global.daemon, file: file).document()
        let screen = file == nil ? DisplayCheckRunner(file: nil).document() : nil
        let output = global.output
        if output.json {
            try output.write(document: CheckAnswer(found, screen))
        } else {
            try output.write(CheckText.render(found, output.style))
            try output.write(screen.map { DisplayCheckText.render($0, output.style) } ?? "")
            report(found.problems + (screen?.problems ?? []))
        }
        let status = CheckAnswer(found, screen).exitStatus
        if status != 0 { Glibc.exit(status) }
    }

    private func checkDisplay() throws {
        guard let found = DisplayCheckRunner(file: file ?? DisplayConfig.systemFile).document() else {
            return
        }
        try global.output.show(found) { DisplayCheckText.render(found, $0) }
        if !global.json { report(found.problems) }
        if found.exitStatus != 0 { Glibc.exit(found.exitStatus) }
    }

    private func report(_ problems: [CheckProblem]) {
        for problem in problems { StandardError.write("adhanctl: \(CheckText.sentence(problem))") }
    }
}

/// `check --json`: the findings; if they are a failure, together with the error of every failing command.
private struct CheckAnswer: Encodable {
    let found: CheckDocument
    /// The check of the screen's file, if that exists.
    let display: DisplayCheck?

    private enum Key: String, CodingKey {
        case error, display
    }

    init(_ found: CheckDocument, _ display: DisplayCheck?) {
        self.found = found
        self.display = display
    }

    /// Whether the display's error is reported first. An invalid text precedes a missing device; of two equal errors adhand's
    /// is first.
    private var isDisplayFirst: Bool {
        guard let display, display.exitStatus != 0 else { return false }
        return found.exitStatus == 0 || found.valid && !display.valid
    }

    var exitStatus: Int32 { isDisplayFirst ? display?.exitStatus ?? 0 : found.exitStatus }

    func encode(to encoder: any Encoder) throws {
        try found.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(display, forKey: .display)
        let (valid, status) = (isDisplayFirst ? display?.valid ?? true : found.valid, exitStatus)
        let wrong = isDisplayFirst ? display?.problems ?? [] : found.problems
        guard status != 0, let problem = wrong.first(where: { $0.severity == .problem }) else { return }
        try container.encode(
            ErrorDocument.Details(
                name: valid ? "NotUsable" : "ConfigurationInvalid", message: problem.message,
                file: problem.file,
                line: problem.line, column: problem.column, exit: status), forKey: .error)
    }
}
