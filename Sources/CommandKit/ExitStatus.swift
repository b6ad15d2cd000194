/// Exit statuses of the programs that are typed. The numbers are those of <sysexits.h>.
package enum ExitStatus: Int32, Sendable {
    case failed = 1
    case usage = 64
    case invalidInput = 65
    case unreachable = 69
    case notPermitted = 77
    /// As a shell reports a program that SIGINT has ended: 128 + 2.
    case interrupted = 130
}

/// Why a command was not carried out: a program's own error, which can be made of a status and a sentence.
package protocol CommandFailure: Error {
    var status: ExitStatus { get }
    var message: String { get }

    init(_ status: ExitStatus, _ message: String)
}
