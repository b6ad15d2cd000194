import Foundation
import Testing

@Suite("The sounds in Resources/audio")
struct ShippedSoundsTests {
    /// `Resources/audio` of the checkout this file is compiled from.
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Resources/audio", directoryHint: .isDirectory)

    static let announcements = ["standard", "standard-ar"].flatMap { sound in
        ["fajr", "dhuhr", "asr", "maghrib", "isha", "jumua"].map { "\(sound)/\($0).mp3" }
    }

    /// Paths below the folder, as SHA256SUMS writes them.
    static func shipped() throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.filter { $0.hasSuffix(".mp3") }.sorted()
    }

    @Test("The signal and a file for every prayer in both languages exist, and no other")
    func complete() throws {
        #expect(try Self.shipped() == (Self.announcements + ["signal.mp3"]).sorted())
    }

    @Test("SHA256SUMS names every file once, with a whole checksum")
    func sumsNameEveryFile() throws {
        let text = try String(contentsOf: Self.folder.appending(path: "SHA256SUMS"), encoding: .utf8)
        let lines = text.split(separator: "\n")
        let names = lines.map { String($0.dropFirst(66)) }
        #expect(names.sorted() == (try Self.shipped()))
        for line in lines {
            #expect(line.prefix(64).allSatisfy { $0.isHexDigit }, "\(line)")
            #expect(line.dropFirst(64).prefix(2) == "  ", "\(line)")
        }
    }

    @Test("The files are those whose checksums are committed")
    func sumsHold() throws {
        let check = Process()
        check.executableURL = URL(filePath: "/usr/bin/sha256sum")
        check.arguments = ["--check", "--strict", "--quiet", "SHA256SUMS"]
        check.currentDirectoryURL = Self.folder
        try check.run()
        check.waitUntilExit()
        #expect(check.terminationStatus == 0)
    }

    @Test("Together they stay small enough to ship: under 700 kB")
    func small() throws {
        let bytes = try Self.shipped().reduce(0) { sum, path in
            sum + (try Data(contentsOf: Self.folder.appending(path: path)).count)
        }
        #expect(bytes > 100_000)
        #expect(bytes < 700_000)
    }

    @Test("Every file carries the tag that tells a player where the sound begins", arguments: announcements)
    func gaplessTag(path: String) throws {
        let head = try Data(contentsOf: Self.folder.appending(path: path)).prefix(2_000)
        #expect(head.firstRange(of: Data("LAME3".utf8)) != nil)
    }
}
