internal import Host

/// Sends mail with the machine's own `sendmail`, which is configured for outgoing mail.
enum Mailer {
    enum MailError: Error, Sendable, Equatable {
        /// The program cannot be started; contains the system's message.
        case notStarted(String)
        case timedOut
        /// The program ended with a status other than 0, or by a signal; contains the end of its output.
        case refused(status: Int32, text: String)
    }

    /// Seconds for passing on one message.
    static let limitSeconds = 30.0

    /// Passes on a message: header lines, an empty line and the text.
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
