import CommandKit
import Host
import PictureImport
import Protocol

/// Why an act came to nothing, as the caller learns it.
struct IntakeError: Error {
    let reply: IntakeReply

    init(_ reply: IntakeReply) {
        self.reply = reply
    }

    init(_ error: FileError) {
        reply = IntakeReply("it could not be kept: \(error.reason)", error: .notSaved)
    }

    init(_ error: CommandError) {
        let kind: IntakeReply.Refusal =
            switch error.status {
            case .invalidInput: .content
            case .usage: .request
            default: .refused
            }
        reply = IntakeReply(error.message, error: kind)
    }

    init(_ error: PictureRefusal) {
        reply = IntakeReply(error.message, error: error.code == .tooLarge ? .tooLarge : .content)
    }
}
