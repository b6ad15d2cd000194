/// Exit statuses of the commands. The numbers come from <sysexits.h>.
package enum ExitStatus: Int32, Sendable {
    case failed = 1
    /// The roll-out that the command concerns has stopped itself, or makes no progress.
    case stoppedItself = 3
    case usage = 64
    case invalidInput = 65
    case unreachable = 69
    /// The command cannot succeed now, but may later.
    case tryLater = 75
    case notPermitted = 77
    /// The status that a shell reports for a program ended by SIGINT: 128 + 2.
    case interrupted = 130
}

/// Why a command was not carried out: a program's own error, made of an exit status and a sentence.
package protocol StatusError: Error {
    var status: ExitStatus { get }
    var message: String { get }

    init(_ status: ExitStatus, _ message: String)
}
