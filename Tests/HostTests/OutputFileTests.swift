import Foundation
import Host
import LabSupport
import Testing

@Suite("Files that a person asks for")
struct OutputFileTests {
    private static let text = Array("a report\n".utf8)

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("A new file is this user's alone; what is there already is not written over")
    func create() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let path = scratch.file("new")
        try OutputFile.create(Self.text, at: path)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == Self.text)
        #expect(try Self.mode(path) == 0o600)
        let error = #expect(throws: FileError.self) { try OutputFile.create([], at: path) }
        #expect(error?.code == EEXIST)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == Self.text)
    }

    @Test("A link under the name is not followed, whether it leads to a file or to nothing")
    func links() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("target", [1, 2, 3])
        try scratch.link("full", to: scratch.file("target"))
        try scratch.link("dangling", to: scratch.file("made"))
        for name in ["full", "dangling"] {
            let created = #expect(throws: FileError.self) {
                try OutputFile.create(Self.text, at: scratch.file(name))
            }
            #expect(created?.code == EEXIST)
            let written = #expect(throws: FileError.self) {
                try OutputFile.write(Self.text, to: scratch.file(name))
            }
            #expect(written?.reason == "it is a symbolic link; name the file itself")
        }
        #expect(try [UInt8](Data(contentsOf: URL(filePath: scratch.file("target")))) == [1, 2, 3])
        #expect(!FileManager.default.fileExists(atPath: scratch.file("made")))
    }

    @Test("A file that is there is replaced: who has it open, and whose it was, cannot read the new one")
    func replaced() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let path = scratch.file("old")
        try scratch.write("old", [1, 2, 3])
        unsafe chmod(path, 0o666)
        if geteuid() == 0 { unsafe chown(path, 12345, 12345) }
        let reader = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? reader.close() }
        try OutputFile.write(Self.text, to: path)
        #expect(try reader.readToEnd() == Data([1, 2, 3]))
        #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == Self.text)
        var status = stat()
        #expect(unsafe stat(path, &status) == 0)
        #expect(status.st_uid == geteuid() && status.st_mode & 0o777 == 0o600)
    }

    @Test("A device stays one; a pipe, a directory and a missing directory are refused")
    func others() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try OutputFile.write(Self.text, to: "/dev/null")
        var status = stat()
        #expect(unsafe stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
        let made = unsafe mkfifo(scratch.file("pipe"), 0o600)
        #expect(made == 0)
        for (name, reason) in [
            ("pipe", "it is not a regular file"), (".", "Is a directory"),
            ("no/such", "No such file or directory"), ("a\0b", "the path contains a NUL character"),
        ] {
            let error = #expect(throws: FileError.self) {
                try OutputFile.write(Self.text, to: scratch.file(name))
            }
            #expect(error?.reason == reason, "\(name)")
        }
    }

    @Test(
        "Root follows a link in the path only where root alone could have put it",
        .enabled(if: geteuid() == 0))
    func pathLinks() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        unsafe chmod(scratch.path, 0o755)
        for name in ["safe/home/ali", "etc", "ali"] {
            try FileManager.default.createDirectory(
                atPath: scratch.file(name), withIntermediateDirectories: true)
        }
        unsafe chown(scratch.file("ali"), 12345, 12345)
        // An administrator's: relative, absolute, and one that leads to another.
        try scratch.link("home", to: "safe/home")
        try scratch.link("whole", to: scratch.file("home"))
        // Another user's, in a directory of their own; root's own in such a one; another user's in root's.
        try scratch.link("ali/mine", to: scratch.file("etc"))
        unsafe lchown(scratch.file("ali/mine"), 12345, 12345)
        try scratch.link("ali/roots", to: scratch.file("etc"))
        try scratch.link("theirs", to: scratch.file("etc"))
        unsafe lchown(scratch.file("theirs"), 12345, 12345)
        for name in ["home/ali/a.txt", "whole/ali/b.txt", "home/../home/ali/c.txt", "ali/d.txt"] {
            try OutputFile.create(Self.text, at: scratch.file(name))
            try OutputFile.write(Self.text, to: scratch.file(name))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("safe/home/ali")).count == 3)
        for name in ["ali/mine/x", "ali/roots/x", "theirs/x", "ali/mine/../x"] {
            for creates in [true, false] {
                let path = scratch.file(name)
                let error = #expect(throws: FileError.self) {
                    creates
                        ? try OutputFile.create(Self.text, at: path)
                        : try OutputFile.write(Self.text, to: path)
                }
                #expect(error?.reason.contains("symbolic link of another user's") == true, "\(name)")
            }
        }
        // A directory that others may write to lets nobody lead root elsewhere.
        unsafe chmod(scratch.path, 0o777)
        #expect(throws: FileError.self) {
            try OutputFile.create(Self.text, at: scratch.file("home/ali/e.txt"))
        }
        try scratch.link("loop", to: "loop")
        unsafe chmod(scratch.path, 0o755)
        #expect(throws: FileError.self) { try OutputFile.create(Self.text, at: scratch.file("loop/x")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("etc")).isEmpty)
    }
}
