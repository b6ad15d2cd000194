import Foundation
import LabSupport
import PrayerEngine
import Testing
import Texts

@testable import Host

struct FileTests {
    @Test("A file is read whole, up to its limit")
    func read() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try scratch.write("f", bytes)
        #expect(try FileBytes.read(scratch.file("f"), limit: 100_000) == bytes)
        #expect(try !FileBytes.read("/proc/self/status", limit: 1 << 20).isEmpty)
        let error = #expect(throws: FileError.self) { try FileBytes.read(scratch.file("f"), limit: 99_999) }
        #expect(error?.message == "cannot read \"\(scratch.file("f"))\": the file is larger than 99999 bytes")
    }

    @Test("What is no file says so, and a pipe is not waited for")
    func noFile() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let made = unsafe mkfifo(scratch.file("pipe"), 0o600)
        #expect(made == 0)
        for (path, reason) in [
            (scratch.file("none"), "No such file or directory"), (scratch.path, "Is a directory"),
            (scratch.file("pipe"), "not a regular file"), ("/dev/zero", "not a regular file"),
            ("a\0b", "the path contains a NUL character"),
        ] {
            let error = #expect(throws: FileError.self) { try FileBytes.read(path, limit: 10) }
            #expect(error?.message == "cannot read \"\(PlainText.visible(path))\": \(reason)")
        }
        #expect(FileError("read", "x", code: ENOENT).isMissing)
    }

    @Test("A file is removed, one that is not there is removed already, and a folder is an error")
    func removed() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("f", [1])
        try AtomicFile.remove(scratch.file("f"))
        #expect(!Environment.process.exists(scratch.file("f")))
        try AtomicFile.remove(scratch.file("f"))
        try AtomicFile.remove(scratch.file("none/f"))
        let error = #expect(throws: FileError.self) { try AtomicFile.remove(scratch.path) }
        #expect(error?.isMissing == false)
    }

    @Test("What cannot be read is not taken for what is not there")
    func content() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("f", [1, 2, 3])
        let linked = unsafe symlink("loop", scratch.file("loop"))
        #expect(linked == 0)
        let directory = try StateDirectory.open(scratch.path)
        for (name, expected) in [
            ("f", .bytes([1, 2, 3])), ("gone", .none), ("loop", .unreadable), (".", .unreadable),
        ] as [(String, FileContent)] {
            #expect(FileContent(scratch.file(name), limit: 3) == expected, "\(name)")
            #expect(FileContent(name, in: directory, limit: 3) == expected, "\(name)")
        }
        #expect(FileContent(scratch.file("f"), limit: 2) == .unreadable)
    }

    @Test("Directories are made with what is above them")
    func directories() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try Directories.make(scratch.file("a/b/c"))
        try Directories.make(scratch.file("a/b/c"))
        #expect(Directories.isDirectory(scratch.file("a/b/c")))
        try scratch.write("file", [])
        let error = #expect(throws: FileError.self) { try Directories.make(scratch.file("file/x")) }
        #expect(error?.path.hasSuffix("/file") == true || error?.path.hasSuffix("/file/x") == true)
    }

    @Test("A private directory that somebody else prepared is refused")
    func privateDirectories() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try Directories.makePrivate(scratch.file("mine"))
        #expect(
            try FileManager.default.attributesOfItem(atPath: scratch.file("mine"))[.posixPermissions] as? Int
                == 0o700)
        try scratch.link("link", to: scratch.file("mine"))
        let link = #expect(throws: FileError.self) { try Directories.makePrivate(scratch.file("link")) }
        #expect(link?.reason == "it is a link, not a directory of our own; remove it")
        try Self.change(scratch.file("mine"), mode: 0o777)
        let open = #expect(throws: FileError.self) { try Directories.makePrivate(scratch.file("mine")) }
        #expect(open?.reason == "others may write to it; run chmod 700 on it")
        if geteuid() == 0 {
            try Self.change(scratch.file("mine"), mode: 0o700)
            let given = unsafe chown(scratch.file("mine"), 12_345, 12_345)
            #expect(given == 0)
            let other = #expect(throws: FileError.self) { try Directories.makePrivate(scratch.file("mine")) }
            #expect(other?.reason == "it belongs to another user (uid 12345); remove it")
        }
    }

    private static func change(_ path: String, mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}

struct WallClockTests {
    @Test("The wall clock is the system's, and the monotonic clock does not go back")
    func clocks() {
        let before = Date().timeIntervalSince1970
        let now = WallClock.now().unixSeconds
        let after = Date().timeIntervalSince1970
        // A Date rounds to a fraction of a microsecond.
        #expect(before - 1e-5 <= now && now <= after + 1e-5)
        var last = MonotonicClock.now()
        for _ in 0..<1000 {
            let next = MonotonicClock.now()
            #expect(next >= last)
            last = next
        }
    }

    @Test("Whether the clock is kept can be asked by anybody")
    func synchronized() {
        // Either answer is right here; that the kernel gives one without privilege is what counts.
        let answer = WallClock.isSynchronized
        #expect(answer == true || answer == false)
    }
}
