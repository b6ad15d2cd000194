import BoxCard
package import CommandKit
import Console
package import Protocol
package import Settings
package import Texts
package import Times

extension ExitStatus {
    /// The name in documents for programs.
    fileprivate func name(isHang: Bool) -> String {
        switch self {
        case .failed, .stoppedItself: "Failed"
        case .usage: "Usage"
        case .invalidInput: "InvalidInput"
        case .tryLater: "TryLater"
        case .unreachable: isHang ? "NoAnswer" : "Unreachable"
        case .notPermitted: "NotPermitted"
        case .interrupted: "Interrupted"
        }
    }
}

/// Why a command was not carried out: one sentence for people, and a status for programs.
package struct CommandError: StatusError, CustomStringConvertible {
    package let status: ExitStatus
    package let message: String
    /// Whether the other side is present but takes too long.
    package var isHang = false
    /// The name for programs, if the status alone does not determine it.
    package var name: String?
    /// The mistake in a configuration file.
    var mistake: ConfigError?
    /// The mistake in a timetable.
    var tableMistake: TimetableError?
    /// The mistake in a file of a card.
    var cardMistake: (file: String, error: ImagerError)?
    /// The system's own text, if it is only a part of the message.
    var cause: String?

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// A configuration that cannot be used.
    package init(_ error: ConfigError) {
        self.init(.invalidInput, error.summary)
        name = "ConfigurationInvalid"
        mistake = error
    }

    /// A file that is not a timetable.
    package init(_ error: TimetableError) {
        self.init(.invalidInput, error.message)
        name = "TimetableInvalid"
        tableMistake = error
    }

    /// Makes the error of a file of Raspberry Pi Imager that a box refuses.
    init(_ error: ImagerError, file: String) {
        self.init(.invalidInput, "\(file), \(error.message)")
        name = "CardFileInvalid"
        cardMistake = (file, error)
    }

    /// Whether the daemon is of another version and lacks the method.
    var isUnknownMethod: Bool { name == "MethodNotFound" }

    /// Whether the daemon does not know a parameter of the request.
    var isUnknownParameter: Bool { name == "InvalidParameter" }

    /// The document with `--json`.
    package var document: ErrorDocument {
        var details = ErrorDocument.Details(
            name: name ?? status.name(isHang: isHang), message: message, exit: status.rawValue)
        if let mistake {
            details = ErrorDocument.Details(
                name: details.name, message: mistake.reason, file: mistake.file, line: mistake.line,
                column: mistake.column, exit: details.exit)
        } else if let tableMistake {
            details = ErrorDocument.Details(
                name: details.name, message: tableMistake.reason, file: tableMistake.file,
                line: tableMistake.line, cell: tableMistake.cell, exit: details.exit)
        } else if let cardMistake {
            details = ErrorDocument.Details(
                name: details.name, message: cardMistake.error.reason, file: cardMistake.file,
                line: cardMistake.error.line, exit: details.exit)
        }
        return ErrorDocument(details)
    }

    package static func usage(_ message: String) -> CommandError { CommandError(.usage, message) }

    package init(_ error: OptionError) {
        self.init(.usage, error.message)
    }

    /// The text that the parser shows for a refusal while it reads the command line.
    package var description: String { message }

    package init(_ error: ControlError) {
        let status: ExitStatus =
            switch error {
            case .notPermitted, .roleNeeded: .notPermitted
            case .quiet: .tryLater
            case .envelopeRefused("clock", _), .envelopeRefused("too-early", _): .tryLater
            case .envelopeRefused: .invalidInput
            case .unknownSetting, .unknownOutput: .usage
            case .settingInvalid, .configurationInvalid, .soundUnusable: .invalidInput
            default: .failed
            }
        self.init(status, error.sentence)
        name = error.name.split(separator: ".").last.map(String.init)
        if case .configurationInvalid(let file, let line, let column, let reason) = error {
            mistake = ConfigError(file: file, line: line, column: column, key: nil, reason: reason)
        }
    }
}
