import Foundation
import Host
import LabSupport
import PrayerEngine
import Testing
import Times

@Suite("A state directory that an answer names")
struct StateDirectoryTests {
    /// A directory of `owner` with an `adhand.lock` of `locker`.
    private static func directory(_ scratch: Scratch, _ name: String, owner: uid_t, locker: uid_t) throws {
        try scratch.write("\(name)/adhand.lock", [])
        unsafe chown(scratch.file("\(name)/adhand.lock"), locker, locker)
        unsafe chown(scratch.file(name), owner, owner)
    }

    private static func refusal(_ path: String, by server: uid_t?) -> FileError? {
        do throws(FileError) {
            _ = try StateDirectory.open(reported: path, by: server)
            return nil
        } catch {
            return error
        }
    }

    @Test("It holds a lock of its own owner; a link, a directory or nothing in its place is no lock")
    func lock() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let own = geteuid()
        try Self.directory(scratch, "mine", owner: own, locker: own)
        #expect(Self.refusal(scratch.file("mine"), by: own) == nil)
        try FileManager.default.createDirectory(
            atPath: scratch.file("folder/adhand.lock"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            atPath: scratch.file("linked"), withIntermediateDirectories: true)
        try scratch.link("linked/adhand.lock", to: scratch.file("mine/adhand.lock"))
        try FileManager.default.createDirectory(
            atPath: scratch.file("empty"), withIntermediateDirectories: true)
        for name in ["folder", "linked", "empty"] {
            #expect(
                Self.refusal(scratch.file(name), by: own)?.reason
                    == "it is not the state directory of an adhand", "\(name)")
        }
        #expect(Self.refusal(scratch.file("nowhere"), by: own)?.code == ENOENT)
    }

    @Test("Our own directory is believed of our own daemon alone")
    func ownDirectory() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let own = geteuid()
        try Self.directory(scratch, "mine", owner: own, locker: own)
        #expect(
            Self.refusal(scratch.file("mine"), by: own + 1)?.reason
                == "it is yours, and the adhand that names it is another user's")
        #expect(Self.refusal(scratch.file("mine"), by: nil) != nil)
    }

    @Test(
        "root works in a daemon's directory, and not in one whose lock is somebody else's",
        .enabled(if: geteuid() == 0))
    func root() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try Self.directory(scratch, "daemon", owner: 12345, locker: 12345)
        try Self.directory(scratch, "roots", owner: 0, locker: 12345)
        try Self.directory(scratch, "others", owner: 12345, locker: 12346)
        #expect(Self.refusal(scratch.file("daemon"), by: 12345) == nil)
        #expect(Self.refusal(scratch.file("daemon"), by: 0) == nil)
        for name in ["roots", "others"] {
            #expect(Self.refusal(scratch.file(name), by: 12345) != nil, "\(name)")
        }
    }

    @Test("What was opened stays the same directory when its name leads elsewhere")
    func swapped() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let own = geteuid()
        try Self.directory(scratch, "mine", owner: own, locker: own)
        try scratch.write("mine/timetable.csv", Array("date,fajr\n2026-11-24,05:30\n".utf8))
        try scratch.write("elsewhere/timetable.csv", Array("date,fajr\n2026-11-25,05:31\n".utf8))
        try scratch.link("turning", to: scratch.file("mine"))
        let directory = try StateDirectory.open(reported: scratch.file("turning"), by: own)
        try FileManager.default.removeItem(atPath: scratch.file("turning"))
        try scratch.link("turning", to: scratch.file("elsewhere"))
        #expect(try TimetableFile.read(in: directory).dated.keys.map(\.day) == [24])
        #expect(try OverridesFiles.read(in: directory).table.dated.keys.map(\.day) == [24])
        #expect(directory.holds("adhand.lock") && !directory.holds("state.json"))
        try scratch.link("mine/state.json", to: scratch.file("elsewhere/timetable.csv"))
        #expect(throws: TimetableFile.ReadError.self) { try OverridesFiles.read(in: directory) }
    }
}
