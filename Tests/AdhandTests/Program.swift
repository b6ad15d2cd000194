import Foundation
import LabSupport
import Testing

/// The program under test as a process, with what it says on standard error.
final class Program: Sendable {
    let process: Process
    let output: URL

    /// `$ADHAND_BIN`, or what was built beside the tests.
    static let path = BuiltProgram.path("adhand", variable: "ADHAND_BIN")

    /// `$ADHANCTL_BIN`, or what is beside adhand.
    static let adhanctl =
        ProcessInfo.processInfo.environment["ADHANCTL_BIN"] ?? BuiltProgram.path("adhanctl", beside: path)

    /// The options of a sanitizer that is built into it (`make sanitize`); empty when there is none.
    static let sanitizer = ProcessInfo.processInfo.environment.filter {
        ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains($0.key)
    }

    static let checkout = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Starts `executable`, by default adhand itself; a launcher that ends by becoming adhand keeps its
    /// process id.
    init(
        _ arguments: [String], in directory: URL, environment: [String: String],
        launcher: (executable: String, arguments: [String])? = nil
    ) throws {
        output = directory.appending(path: "log-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        process = Process()
        process.executableURL = URL(filePath: launcher?.executable ?? Self.path)
        process.arguments = (launcher?.arguments ?? []) + arguments
        // Nothing of the machine's own service manager or zone may leak in.
        process.environment = ["PATH": "/usr/bin:/bin"].merging(Self.sanitizer) { $1 }
            .merging(TestClock.under(environment)) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: output)
        process.currentDirectoryURL = directory
        try process.run()
    }

    deinit {
        guard !process.isRunning else {
            kill(process.processIdentifier, SIGKILL)
            return
        }
        // Whatever the test was about: a program that crashes is news, and its last words are.
        let signal = process.terminationStatus
        if process.terminationReason == .uncaughtSignal, signal != SIGKILL, signal != SIGTERM {
            Issue.record("signal \(signal) ended \(process.arguments ?? []):\n\(text.suffix(20_000))")
        }
    }

    var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// The exit status, once it has ended by itself; `nil` when it has not within `seconds`, or was killed.
    func exitStatus(within seconds: Double = 10) async throws -> Int32? {
        guard try await eventually(within: seconds, { !process.isRunning }) else { return nil }
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}

/// Looks every 20 ms whether something has come true; whether it has within `seconds`.
func eventually(within seconds: Double = 10, _ condition: () throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
        if try condition() { return true }
        try await Task.sleep(for: .milliseconds(20))
    }
    return try condition()
}
