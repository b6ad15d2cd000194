import AdhanCore
import ArgumentParser
import Glibc
import Host

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes adhand read its configuration again.",
        discussion: """
            A file with a mistake is refused, and what was in force stays in force. Sounds that adhand cannot read are named.
            """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.daemon.tell("Reload", on: global.output)
    }
}

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tells whether adhand can use a configuration file.",
        discussion: """
            The running adhand looks itself: it reads the file, decodes every sound to its end and opens every device, \
            without a sound. When it does not run, root looks as its user in its sandbox. Otherwise only the text is looked at.

            Exit status: 0 when it can be used, 65 when the text is wrong, 1 when it is right and this box cannot use it.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The file (default: the one that adhand would read).", completion: .configurations)
    var file: String?

    func run() throws {
        let found = try Examination(daemon: global.daemon, file: file).document()
        let output = global.output
        if output.json {
            try output.write(document: CheckAnswer(found))
        } else {
            try output.write(CheckText.render(found, output.style))
            for problem in found.problems { StandardError.say("adhanctl: \(CheckText.sentence(problem))") }
        }
        if found.exitStatus != 0 { Glibc.exit(found.exitStatus) }
    }
}

/// `check --json`: what was found; where that is a failure, beside what every failing command says.
private struct CheckAnswer: Encodable {
    let found: CheckDocument

    private enum Key: String, CodingKey {
        case error
    }

    init(_ found: CheckDocument) {
        self.found = found
    }

    func encode(to encoder: any Encoder) throws {
        try found.encode(to: encoder)
        guard found.exitStatus != 0, let problem = found.problems.first(where: { $0.severity == .problem })
        else { return }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(
            ErrorDocument.Details(
                name: found.valid ? "NotUsable" : "ConfigurationInvalid", message: problem.message,
                file: problem.file,
                line: problem.line, column: problem.column, exit: found.exitStatus), forKey: .error)
    }
}
