import AdhanCore

/// Exit statuses. The numbers are those of <sysexits.h>.
enum ExitStatus: Int32, Sendable {
    case failed = 1
    case usage = 64
    case invalidInput = 65
    case unreachable = 69
    case notPermitted = 77
    /// As a shell reports a program that SIGINT has ended: 128 + 2.
    case interrupted = 130
}

/// Why a command was not carried out: one sentence for a person, and a status for programs.
struct Refusal: Error, CustomStringConvertible {
    let status: ExitStatus
    let message: String
    /// Whether the other side is there but takes too long.
    var isHang = false
    /// What the system said, where that is only a part of the message.
    var cause: String?

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    init(_ error: OptionError) {
        self.init(.usage, error.message)
    }

    /// What the parser shows of a refusal while it reads the command line.
    var description: String { message }

    init(_ error: ControlError) {
        let status: ExitStatus =
            switch error {
            case .notPermitted: .notPermitted
            case .configurationInvalid, .soundUnusable: .invalidInput
            default: .failed
            }
        self.init(status, error.sentence)
    }
}
