import Foundation
import LabSupport
import Synchronization

/// The built program, run as a user would run it, in surroundings that a test decides.
struct Adhanctl {
    struct Outcome: Equatable {
        var status: Int32
        var output: String
        var error: String
    }

    /// A directory that the run sees as home; nothing of the machine's user shows through.
    let home: HomeFolder
    var variables: [String: String] = [:]
    var socket: String?
    /// Where it is run; the test's own directory unless a test says otherwise.
    var directory: String?
    /// The file that is run, where it is not ``path`` itself.
    var executable = Adhanctl.path

    /// $ADHANCTL_BIN, else the product next to the test bundle.
    static let path = BuiltProgram.path("adhanctl", variable: "ADHANCTL_BIN")

    /// Seconds after which a run is ended by force.
    private static let limit = 60.0

    init(home: HomeFolder = HomeFolder()) {
        self.home = home
    }

    /// A place and a zone of its own, so that no test depends on the machine's.
    static func inQueens(_ extra: String = "") throws -> Adhanctl {
        let program = Adhanctl()
        try program.configure(
            """
            timezone = "America/New_York"
            [location]
            name = "Queens, New York"
            latitude = 40.7282
            longitude = -73.7949
            \(extra)
            """)
        return program
    }

    var configurationFile: String { home.path + "/config/adhand/adhand.toml" }

    func configure(_ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: home.path + "/config/adhand", withIntermediateDirectories: true)
        try text.write(toFile: configurationFile, atomically: true, encoding: .utf8)
    }

    /// `standardOutput`: a file descriptor instead of what is captured.
    func run(_ arguments: [String], standardOutput: Int32? = nil) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = (socket.map { ["--socket", $0] } ?? []) + arguments
        if let directory { process.currentDirectoryURL = URL(filePath: directory) }
        process.environment = [
            "HOME": home.path, "XDG_CONFIG_HOME": home.path + "/config", "XDG_RUNTIME_DIR": home.path,
            // Never the adhand that this machine may have.
            "ADHAND_SOCKET": home.path + "/adhand/control.sock", "TZ": "America/New_York", "COLUMNS": "80",
            "TERM": "xterm", "PATH": "/usr/bin:/bin",
        ].merging(TestClock.under(variables)) { $1 }
        // Files take any amount of output without anybody reading along.
        let (output, error) = (try home.file("output"), try home.file("error"))
        process.standardInput = FileHandle.nullDevice
        process.standardOutput =
            standardOutput.map { FileHandle(fileDescriptor: $0, closeOnDealloc: false) } ?? output.handle
        process.standardError = error.handle
        let done = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in done.signal() }
        try process.run()
        if done.wait(timeout: .now() + Self.limit) == .timedOut { process.terminate() }
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: try output.text(), error: try error.text())
    }

    func run(_ line: String) throws -> Outcome {
        try run(line.split(separator: " ").map(String.init))
    }
}

/// A home for runs of adhanctl, removed with its last owner.
final class HomeFolder: Sendable {
    let path: String
    private let serial = Mutex(0)

    init() {
        path = NSTemporaryDirectory() + "adhanctl-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    struct File {
        let path: String
        let handle: FileHandle

        func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
    }

    /// A new empty file, open for writing.
    func file(_ name: String) throws -> File {
        let number = serial.withLock { number in
            number += 1
            return number
        }
        let path = "\(path)/\(name)-\(number)"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        return File(path: path, handle: try FileHandle(forWritingTo: URL(fileURLWithPath: path)))
    }
}
