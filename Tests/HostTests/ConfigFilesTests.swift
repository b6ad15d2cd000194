import Foundation
import LabSupport
import Settings
import Testing

@testable import Host

@Suite("The files of a configuration")
struct ConfigFilesTests {
    @Test("Drop-ins are read after the file, in the order of their names; nothing else in the directory is")
    func order() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let main = scratch.file("a.toml")
        try scratch.write("a.toml", Array("m".utf8))
        for name in ["20-b.toml", "10-z.toml", "README", "x.toml~", ".hidden.toml", "5.toml.bak"] {
            try scratch.write("a.toml.d/" + name, Array(name.utf8))
        }
        let files = try ConfigFiles.read(main)
        #expect(files.hasMain && files.main == main)
        #expect(files.sources.map(\.file) == [main, main + ".d/10-z.toml", main + ".d/20-b.toml"])
        #expect(
            files.sources.map { String(decoding: $0.text, as: UTF8.self) } == ["m", "10-z.toml", "20-b.toml"])
    }

    @Test("Drop-ins count without the file; a directory without one does not")
    func withoutFile() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let main = scratch.file("a.toml")
        let named = Paths.Options(configuration: main)
        let environment = Environment.process
        try scratch.write("a.toml.d/README", [])
        #expect(Paths(named, in: environment).configuration == .embedded(lookedFor: [main]))
        #expect(throws: FileError.self) { try ConfigFiles.read(main) }
        try scratch.write("a.toml.d/1.toml", [])
        #expect(Paths(named, in: environment).configuration == .file(main))
        let files = try ConfigFiles.read(main)
        #expect(!files.hasMain && files.sources.map(\.file) == [main + ".d/1.toml"])
    }

    @Test("A drop-in that cannot be read is an error that names it, not a drop-in less")
    func unreadable() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let main = scratch.file("a.toml")
        try scratch.write("a.toml", [])
        try scratch.write("a.toml.d/1.toml", [])
        try scratch.link("a.toml.d/2.toml", to: "/nowhere/at/all")
        let error = #expect(throws: FileError.self) { try ConfigFiles.read(main) }
        #expect(error?.path == main + ".d/2.toml")
    }

    @Test("More drop-ins than anybody writes are refused")
    func many() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        for index in 0...100 { try scratch.write("a.toml.d/\(index).toml", []) }
        let error = #expect(throws: FileError.self) { try ConfigFiles.read(scratch.file("a.toml")) }
        #expect(error?.message.contains("101 drop-ins, allowed are 100") == true)
    }
}
