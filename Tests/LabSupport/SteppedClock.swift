import Foundation

/// A wall clock that a test sets while a program runs by it (Tests/Lab/clock_ahead.c).
public final class SteppedClock: Sendable {
    private let file: String
    /// For the program.
    public let environment: [String: String]

    private struct Trouble: Error {}

    private static let library: Result<String, any Error> = Result {
        if let clock = TestClock.environment["LD_PRELOAD"] { return clock }
        let path = NSTemporaryDirectory() + "clock_ahead-\(getpid()).so"
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Lab/clock_ahead.c").path
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["gcc", "-shared", "-fPIC", "-O2", "-Wall", source, "-o", path, "-lpthread"]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw Trouble() }
        return path
    }

    public init() throws {
        file = NSTemporaryDirectory() + "clock-\(UUID().uuidString)"
        environment = ["LD_PRELOAD": try Self.library.get(), "CLOCK_AHEAD_FILE": file]
        set(ahead: 0)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: file)
    }

    /// Seconds before the machine's own clock; negative ones behind it.
    public func set(ahead seconds: Int) {
        try? "\(seconds)".write(toFile: file, atomically: true, encoding: .utf8)
    }
}
