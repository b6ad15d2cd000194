import Foundation
import LabSupport
import Protocol
import Texts

/// A state directory for sounds, recordings to put there, and an ffmpeg that a test decides.
struct SoundRoom {
    var program: Adhanctl
    var path: String { program.home.path }
    var state: String { path + "/state" }
    var sounds: String { state + "/sounds" }

    /// The recordings that the decoder is tried on.
    static func fixture(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../PlaybackTests/Fixtures/\(name)").standardized.path
    }

    private static let realShipped = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Resources/audio").standardized.path

    /// Laid out as the shipped sounds, but shorter, so that measuring is quick.
    var shipped: String { path + "/audio" }

    /// `configuration` is what the user's own file says. No ffmpeg is to be found unless a test brings one.
    init(_ configuration: String = "") throws {
        program = Adhanctl()
        program.socket = program.home.path + "/no-daemon"
        program.variables["PATH"] = program.home.path + "/bin"
        try program.configure(configuration)
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: path + "/bin", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            atPath: shipped + "/standard", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Self.realShipped + "/signal.mp3", toPath: shipped + "/signal.mp3")
        for prayer in Prayer.allCases {
            try FileManager.default.copyItem(
                atPath: Self.fixture("short_half_second.mp3"),
                toPath: "\(shipped)/standard/\(prayer.rawValue).mp3")
        }
    }

    private static let placed = ["add", "list", "remove"]

    func run(_ arguments: String...) throws -> Adhanctl.Outcome {
        try program.run(self.arguments(arguments))
    }

    func arguments(_ arguments: [String]) -> [String] {
        ["sound"] + arguments + (Self.placed.contains(arguments[0]) ? place : [])
    }

    private var place: [String] { ["--state-dir", state, "--audio-dir", shipped] }

    func add(_ fixture: String, _ more: String...) throws -> AddedSoundDocument {
        let outcome = try program.run(arguments(["add", Self.fixture(fixture), "--json"] + more))
        guard outcome.status == 0 else { throw Refused(sentence: outcome.error) }
        return try JSON.decode(AddedSoundDocument.self, from: outcome.output.utf8)
    }

    struct Refused: Error {
        let sentence: String
    }

    func list() throws -> [SoundsDocument.Sound] {
        let output = try run("list", "--json").output
        return try JSON.decode(SoundsDocument.self, from: output.utf8).sounds
    }

    /// Everything below the added sounds, in order.
    var files: [String] {
        (FileManager.default.subpaths(atPath: sounds) ?? []).sorted()
    }

    /// A script that is found as ffmpeg. `$out` is what it is to write, `$in` what it is to read.
    func install(ffmpeg script: String) throws {
        let head = "#!/bin/sh\nPATH=/usr/bin:/bin\nin=/proc/self/fd/3 out=/proc/self/fd/4\n"
        let file = path + "/bin/ffmpeg"
        try (head + script + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }

    /// The program in the background, with its standard error in a file.
    func start(_ arguments: String..., launcher: [String] = [], binary: String = Adhanctl.path) throws -> (
        process: Process, error: HomeFolder.File
    ) {
        let words = launcher + [binary, "--socket", program.socket ?? ""] + self.arguments(arguments)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = [
            "HOME": path, "XDG_CONFIG_HOME": path + "/config", "XDG_RUNTIME_DIR": path, "PATH": path + "/bin",
        ].merging(TestClock.environment) { $1 }
        let error = try program.home.file("error")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = error.handle
        try process.run()
        return (process, error)
    }
}

/// Looks every 10 ms whether something has come true; whether it has within ten seconds.
func soon(_ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<1000 {
        if try condition() { return true }
        usleep(10_000)
    }
    return try condition()
}
