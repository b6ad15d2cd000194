import Glibc
import Host

/// Another program that is asked something: run by its path, without a shell, in English, for a bounded time.
enum Question {
    /// In bytes. What says more is not listened to any longer.
    private static let longestAnswer = 1 << 20
    private static let directories = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]

    /// What `program` wrote on standard output; `nil` when it is not installed, failed, or took longer than `seconds`.
    static func ask(_ program: String, _ arguments: [String], seconds: Double = 5) -> String? {
        let places = directories.map { "\($0)/\(program)" }
        guard let path = places.first(where: { unsafe access($0, X_OK) == 0 }) else { return nil }
        let environment = ["PATH=" + directories.joined(separator: ":"), "LC_ALL=C.UTF-8", "TERM=dumb"]
        let outcome = try? ChildProcess.run(
            path, arguments, environment: environment, limit: seconds, mostOutput: longestAnswer)
        guard let outcome, outcome.ending == .exited(0) else { return nil }
        return String(decoding: outcome.output, as: UTF8.self)
    }
}
