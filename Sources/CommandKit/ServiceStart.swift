package import ArgumentParser
internal import Glibc
internal import Host

/// Starts a program that is a service and also has a few commands.
package enum ServiceStart {
    /// Runs the command of the command line. Messages go to standard error, each as a line of the program.
    ///
    /// - Parameter arrange: puts the words of the command line in the order that the parser expects.
    package static func run<Command: ParsableCommand, Failure: StatusError>(
        _ root: Command.Type, failing: Failure.Type, arrange: ([String]) throws -> [String] = { $0 }
    ) {
        StandardDescriptors.reserve()
        let name = root._commandName
        guard let arguments = CommandLineWords.arguments else {
            StandardError.write("\(name): \(CommandLineWords.complaint)")
            Glibc.exit(EXIT_FAILURE)
        }
        do {
            var command = try root.parseAsRoot(try arrange(arguments))
            try command.run()
        } catch let error as Failure {
            end(name, error.message, error.status)
        } catch {
            // Help and the version are answers; all other output of the parser is wrong usage.
            guard root.exitCode(for: error) != .success else {
                try? Output<Failure>(json: false).write(root.fullMessage(for: error) + "\n")
                Glibc.exit(0)
            }
            let message = root.message(for: error)
            end(name, message.hasSuffix(".") ? String(message.dropLast()) : message, .usage)
        }
    }

    private static func end(_ name: String, _ message: String, _ status: ExitStatus) -> Never {
        for sentence in message.split(separator: "\n") { StandardError.write("\(name): \(sentence)") }
        Glibc.exit(status.rawValue)
    }
}
