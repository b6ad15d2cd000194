import Foundation
import LabSupport
import Protocol
import Testing
import Texts

@testable import Host

@Suite("Where sounds are") struct SoundFoldersTests {
    @Test("An added sound stands before a shipped one, and within each the prayer's own file first")
    func order() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let folders = SoundFolders(
            stateDirectory: scratch.file("state"), audioDirectory: scratch.file("audio"))
        for file in ["audio/a/fajr.mp3", "audio/a/asr.mp3", "state/sounds/a/adhan.mp3", "audio/b.mp3"] {
            try scratch.write(file, [1])
        }
        // A general recording that somebody added is meant, not the shipped one for the prayer.
        #expect(folders.find("a", for: .fajr) == .file(scratch.file("state/sounds/a/adhan.mp3")))
        #expect(folders.find("b", for: .isha) == .file(scratch.file("audio/b.mp3")))
        #expect(
            folders.find(scratch.file("audio/a"), for: .asr) == .file(scratch.file("audio/a/asr.mp3")))
        #expect(
            folders.find("c", for: .isha)
                == .missing(
                    searched: ["state/sounds", "audio"].flatMap { folder in
                        ["c/isha.mp3", "c/adhan.mp3", "c.mp3"].map { scratch.file("\(folder)/\($0)") }
                    }))
        #expect(folders.find("../audio/b", for: .isha) == .missing(searched: []))
    }

    @Test("A measurement holds for the file it was made of, among the added sounds only")
    func measurement() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let folders = SoundFolders(stateDirectory: scratch.path, audioDirectory: scratch.file("audio"))
        for (file, isTrusted) in [("sounds/a/adhan.mp3", true), ("audio/a/adhan.mp3", false)] {
            try scratch.write(file, [1, 2, 3])
            let path = scratch.file(file)
            let measured = SoundMeasurement(
                stamp: try #require(SoundFolders.stamp(of: path)), rate: 8000, channels: 1, frames: 8000,
                loudnessLufs: -20, truePeakDb: -3)
            try scratch.write(SoundMeasurement.path(of: file), try measured.fileBytes())
            #expect(folders.measurement(of: path) == (isTrusted ? measured : nil))
            try scratch.write(file, [1, 2, 3, 4])
            #expect(folders.measurement(of: path) == nil)
        }
        #expect(folders.measurement(of: scratch.file("sounds/b/adhan.mp3")) == nil)
    }

    @Test("Without a daemon adhanctl takes the state of the user's own, unless the system's is what there is")
    func clientState() {
        func state(_ variables: [String: String], having existing: Set<String> = []) -> String {
            Paths.clientState(
                option: nil,
                in: Environment(
                    variables: variables, userID: 1000, executable: "/x/adhanctl",
                    exists: { existing.contains($0) }))
        }
        let own = ["XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/r"]
        #expect(state(own) == "/s/adhand")
        #expect(state(own, having: ["/var/lib/adhand"]) == "/var/lib/adhand")
        #expect(state(own, having: ["/usr/share/adhand/audio"]) == "/var/lib/adhand")
        #expect(state(own, having: ["/var/lib/adhand", "/r/adhand/control.sock"]) == "/s/adhand")
        #expect(state(["STATE_DIRECTORY": "/d:/e"], having: ["/var/lib/adhand"]) == "/d")
        #expect(
            Paths.clientState(option: "/o", in: Environment(variables: own, userID: 0, exists: { _ in true }))
                == "/o")
    }
}
