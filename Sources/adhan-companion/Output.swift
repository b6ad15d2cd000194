import CommandKit
import Glibc
import Host
import PrayerLog
import Synchronization
import Texts

typealias Output = CommandKit.Output<Refusal>

/// The reason why a command failed, as a sentence with an exit status.
struct Refusal: StatusError, CustomStringConvertible {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The document that `--json` prints.
    var document: ErrorDocument {
        let name =
            switch status {
            case .failed: "Failed"
            case .usage: "Usage"
            case .invalidInput: "InvalidInput"
            case .unreachable, .notPermitted, .tryLater, .interrupted, .stoppedItself: "Failed"
            }
        return ErrorDocument(ErrorDocument.Details(name: name, message: message, exit: status.rawValue))
    }

    /// The text that the parser shows for a refusal while it reads the command line.
    var description: String { message }
}

/// Asks the person at the terminal.
enum Question {
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    static func confirm(_ question: String) -> Bool {
        _ = OwnedDescriptor.write(Array("\(PlainText.printable(question)) [y/N] ".utf8), to: STDERR_FILENO)
        guard let answer = readLine() else { return false }
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// The index of the answer that the person chose by its number; `nil` for any other input.
    static func choose(_ question: String, _ answers: [String]) -> Int? {
        let list = answers.enumerated().map { "\($0 + 1) for \($1)" }.joined(separator: ", ")
        _ = OwnedDescriptor.write(Array("\(PlainText.printable(question)) \(list): ".utf8), to: STDERR_FILENO)
        guard let number = readLine().flatMap({ Int($0) }), answers.indices.contains(number - 1) else {
            return nil
        }
        return number - 1
    }
}

/// Runs work on the log, and turns its refusals into sentences.
func logged<Value>(_ status: ExitStatus = .failed, _ body: () throws(LogRefusal) -> Value) throws(Refusal)
    -> Value
{
    do throws(LogRefusal) {
        return try body()
    } catch {
        throw Refusal(status, error.message)
    }
}

/// Problems of the log or the times that do not prevent an answer. A program that keeps running reports each once.
enum Obstacles {
    private static let warned = Mutex<Set<String>>([])

    static func warn(_ obstacle: String) {
        let isNews = warned.withLock { warned in
            warned.insert(obstacle).inserted
        }
        if isNews { StandardError.write("adhan-companion: \(obstacle)") }
    }
}
