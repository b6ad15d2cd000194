internal import CommandKit

typealias Output = CommandKit.Output<HooksError>

/// The reasons why a command or the program ends, with an exit status.
struct HooksError: StatusError {
    let status: ExitStatus
    /// The sentences, one per line.
    let sentences: [String]

    var message: String { sentences.joined(separator: "\n") }

    init(_ status: ExitStatus, _ message: String) { self.init(status, sentences: [message]) }

    init(_ status: ExitStatus, sentences: [String]) {
        self.status = status
        self.sentences = sentences
    }
}
