internal import CommandKit

typealias Output = CommandKit.Output<BridgeError>

/// Why the program or a command of it ends: sentences, and a status for programs.
struct BridgeError: StatusError {
    let status: ExitStatus
    /// The sentences, one each line.
    let sentences: [String]

    var message: String { sentences.joined(separator: "\n") }

    init(_ status: ExitStatus, _ message: String) { self.init(status, sentences: [message]) }

    init(_ status: ExitStatus, sentences: [String]) {
        self.status = status
        self.sentences = sentences
    }
}
