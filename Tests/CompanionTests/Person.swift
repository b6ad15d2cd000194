import Foundation
import LabSupport
import Synchronization

/// Somebody with a home of their own who runs adhan-companion: nothing of the machine's user shows through.
final class Person: Sendable {
    struct Outcome: Equatable {
        var status: Int32
        var output: String
        var error: String
    }

    let home: String
    private let serial = Mutex(0)

    /// $COMPANION_BIN, else the product next to the tests.
    static let program = BuiltProgram.path("adhan-companion", variable: "COMPANION_BIN")

    static let checkout = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let queens = """
        timezone = "America/New_York"
        [location]
        name = "Queens, New York"
        latitude = 40.7282
        longitude = -73.7949

        """

    init(_ configuration: String = queens) throws {
        home = NSTemporaryDirectory() + "companion-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: home + "/config/adhand", withIntermediateDirectories: true)
        try configuration.write(
            toFile: home + "/config/adhand/adhand.toml", atomically: true, encoding: .utf8)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: home)
    }

    var data: String { home + "/data/adhand" }
    var log: String { data + "/prayers.sqlite" }

    var environment: [String: String] {
        [
            "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_DATA_HOME": home + "/data",
            "XDG_RUNTIME_DIR": home, "TZ": "America/New_York", "COLUMNS": "80", "TERM": "xterm",
            "PATH": "/usr/bin:/bin",
            // No adhand of the machine may answer.
            "ADHAND_SOCKET": home + "/nobody.sock",
        ]
    }

    func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: "\(home)/\(name)", atomically: true, encoding: .utf8)
        return "\(home)/\(name)"
    }

    func run(_ arguments: [String], _ variables: [String: String] = [:], program: String = program) throws
        -> Outcome
    {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = environment.merging(TestClock.under(variables)) { $1 }
        let number = serial.withLock { number in
            number += 1
            return number
        }
        // Files take any amount of output without anybody reading along.
        let paths = ["\(home)/output-\(number)", "\(home)/error-\(number)"]
        for path in paths { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: paths[0])
        process.standardError = FileHandle(forWritingAtPath: paths[1])
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationReason == .exit
                ? process.terminationStatus : -process.terminationStatus,
            output: try String(contentsOfFile: paths[0], encoding: .utf8),
            error: try String(contentsOfFile: paths[1], encoding: .utf8))
    }

    func run(_ line: String, _ variables: [String: String] = [:]) throws -> Outcome {
        try run(line.split(separator: " ").map(String.init), variables)
    }

    func document(_ line: String, _ variables: [String: String] = [:]) throws -> [String: Any] {
        let text = try run(line, variables).output
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    /// The place's date, this many days ago.
    func date(_ daysAgo: Int) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "America/New_York") ?? .gmt
        let day = calendar.date(byAdding: .day, value: -daysAgo, to: Date()) ?? Date()
        let parts = calendar.dateComponents([.year, .month, .day], from: day)
        func padded(_ number: Int?) -> String { String("0\(number ?? 0)".suffix(2)) }
        return "\(parts.year ?? 0)-\(padded(parts.month))-\(padded(parts.day))"
    }
}
