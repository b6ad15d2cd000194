import CommandKit
import Host
import PictureImport
import Protocol

extension IntakeError {
    init(_ error: CommandError) {
        let kind: IntakeReply.Refusal =
            switch error.status {
            case .invalidInput: .content
            case .usage: .request
            default: .refused
            }
        self.init(IntakeReply(error.message, error: kind))
    }

    init(_ error: PictureRefusal) {
        self.init(IntakeReply(error.message, error: error.code == .tooLarge ? .tooLarge : .content))
    }
}
