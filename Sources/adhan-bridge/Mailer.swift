internal import Host

/// Mail by the machine's own `sendmail`, which knows how mail leaves it.
enum Mailer {
    enum MailError: Error, Sendable, Equatable {
        /// The program cannot be run; the system's words.
        case notStarted(String)
        case timedOut
        /// It ended with a status other than 0, or by a signal; the end of what it wrote.
        case refused(status: Int32, text: String)
    }

    /// Seconds for handing one message over.
    static let limitSeconds = 30.0

    /// Hands a message over: header lines, an empty line, the text.
    static func send(
        _ message: [UInt8], by program: String, arguments: [String]
    ) throws(MailError) {
        let outcome: ChildProcess.Outcome
        do throws(FileError) {
            outcome = try ChildProcess.run(
                program, arguments,
                environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"], input: message,
                limitSeconds: limitSeconds)
        } catch {
            throw .notStarted(error.message)
        }
        switch outcome.ending {
        case .exited(0): return
        case .exited(let status): throw .refused(status: status, text: outcome.errorText)
        case .killed(let signal): throw .refused(status: 128 + signal, text: outcome.errorText)
        case .timedOut: throw .timedOut
        }
    }
}
