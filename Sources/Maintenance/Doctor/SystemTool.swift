import Glibc
import Host

/// Runs another program for its output: by its path, without a shell, in English, for a limited time.
package enum SystemTool {
    /// Bytes of output that are read; the rest is ignored.
    private static let longestAnswerBytes = 1 << 20
    private static let directories = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]

    package struct Outcome {
        package let status: Int32
        let output: String
    }

    /// The standard output of `program`; `nil` when it is not installed, failed, or took longer than `seconds`.
    package static func output(_ program: String, _ arguments: [String], seconds: Double = 5) -> String? {
        guard let outcome = run(program, arguments, seconds: seconds), outcome.status == 0 else { return nil }
        return outcome.output
    }

    /// The output with the exit status, whatever that is. A `program` with a slash in it is a path.
    package static func run(
        _ program: String, _ arguments: [String], environment: [String]? = nil, seconds: Double
    ) -> Outcome? {
        let places = program.contains("/") ? [program] : directories.map { "\($0)/\(program)" }
        guard let path = places.first(where: { unsafe access($0, X_OK) == 0 }) else { return nil }
        let outcome = try? ChildProcess.run(
            path, arguments, environment: environment ?? plain, limitSeconds: seconds,
            mostOutput: longestAnswerBytes
        )
        guard let outcome, case .exited(let status) = outcome.ending else { return nil }
        return Outcome(status: status, output: String(decoding: outcome.output, as: UTF8.self))
    }

    private static var plain: [String] {
        ["PATH=" + directories.joined(separator: ":"), "LC_ALL=C.UTF-8", "TERM=dumb"]
    }
}
