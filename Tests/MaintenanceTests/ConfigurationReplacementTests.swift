import CommandKit
import Console
import Foundation
import Host
import LabSupport
import Testing
import Times

@testable import Maintenance

@Suite("A configuration is replaced as a whole, and can be put back")
struct ConfigurationReplacementTests {
    private static func text(_ name: String) -> [UInt8] {
        Array("# \(name)\n[location]\nlatitude = 51.5\nlongitude = -0.1\n".utf8)
    }

    private static func replace(_ scratch: Scratch, by new: [UInt8]) throws -> ConfigurationReplacement {
        let target = try SetupTarget(named: scratch.file("adhand.toml"))
        let replacement = ConfigurationReplacement(of: target, over: target.text)
        _ = try replacement.write(new, ChangeRecord(), isWhole: true)
        return replacement
    }

    @Test("A write that fails at the last step leaves the file, its backup and its record as they were")
    func failedWrite() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("adhand.toml", Self.text("two"))
        try scratch.write("adhand.toml.bak", Self.text("one"))
        // Nothing can be written under a name that a folder has.
        for name in ["adhand.toml.new", "adhand.toml.new-\(getpid())"] { try scratch.makeFolder(name) }
        let error = refusal { _ = try Self.replace(scratch, by: Self.text("three")) }
        #expect(error?.status == .failed)
        #expect(error?.message.hasSuffix("nothing was changed") == true)
        #expect(scratch.read("adhand.toml") == Self.text("two"))
        #expect(scratch.read("adhand.toml.bak") == Self.text("one"))
        #expect(scratch.read("adhand.toml.bak.json") == nil)
    }

    @Test("What another program wrote meanwhile is not written over")
    func changedMeanwhile() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("adhand.toml", Self.text("one"))
        let target = try SetupTarget(named: scratch.file("adhand.toml"))
        let replacement = ConfigurationReplacement(of: target, over: target.text)
        try scratch.write("adhand.toml", Self.text("an editor's"))
        let error = refusal { _ = try replacement.write(Self.text("two"), ChangeRecord(), isWhole: true) }
        #expect(error?.message.contains("was changed meanwhile by another program") == true)
        #expect(scratch.read("adhand.toml") == Self.text("an editor's"))
        #expect(try scratch.names(".") == ["adhand.toml"])
    }

    @Test("What is put back leaves no trace: the file, the backup and the record are those of before")
    func putBack() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("adhand.toml", Self.text("two"))
        try scratch.write("adhand.toml.bak", Self.text("one"))
        try scratch.write("adhand.toml.bak.json", Array("{}".utf8))
        let replacement = try Self.replace(scratch, by: Self.text("three"))
        #expect(scratch.read("adhand.toml") == Self.text("three"))
        #expect(scratch.read("adhand.toml.bak") == Self.text("two"))
        let record = try SetupTarget(named: scratch.file("adhand.toml")).lastRecord()
        #expect(record?.written == ConfigurationMark.digest(Self.text("three")))
        replacement.putBack()
        #expect(scratch.read("adhand.toml") == Self.text("two"))
        #expect(scratch.read("adhand.toml.bak") == Self.text("one"))
        #expect(scratch.read("adhand.toml.bak.json") == Array("{}".utf8))
    }

    @Test("After an undo the undone text is the backup, and another change can be undone as well")
    func replacedAfterUndo() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("adhand.toml", Self.text("one"))
        _ = try Self.replace(scratch, by: Self.text("two"))
        let undone = try SetupTarget(named: scratch.file("adhand.toml")).restored()
        #expect(undone == Self.text("one"))
        _ = try Self.replace(scratch, by: undone)
        #expect(scratch.read("adhand.toml.bak") == Self.text("two"))
        _ = try Self.replace(scratch, by: Self.text("three"))
        #expect(scratch.read("adhand.toml") == Self.text("three"))
        #expect(try SetupTarget(named: scratch.file("adhand.toml")).restored() == Self.text("one"))
    }

    @Test("The first file of a machine has no backup, not even one of an earlier file; put back, it is gone")
    func firstFile() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("adhand.toml.bak", Self.text("earlier"))
        let replacement = try Self.replace(scratch, by: Self.text("one"))
        #expect(scratch.read("adhand.toml") == Self.text("one"))
        #expect(scratch.read("adhand.toml.bak") == nil)
        let error = refusal { _ = try SetupTarget(named: scratch.file("adhand.toml")).restored() }
        #expect(error?.status == .failed)
        replacement.putBack()
        #expect(scratch.read("adhand.toml") == nil)
        #expect(scratch.read("adhand.toml.bak") == Self.text("earlier"))
    }

    @Test("A backup that is no configuration is not brought back")
    func damagedBackup() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("adhand.toml", Self.text("one"))
        try scratch.write("adhand.toml.bak", Array("[location\n".utf8))
        let error = refusal { _ = try SetupTarget(named: scratch.file("adhand.toml")).restored() }
        #expect(error?.status == .invalidInput)
        #expect(error?.message.hasSuffix("stays as it is") == true)
    }

    @Test("A link stays a link, and a file that only its owner may read stays so with its backup")
    func linkAndMode() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("real.toml", Self.text("one"))
        unsafe chmod(scratch.file("real.toml"), 0o600)
        try scratch.link("adhand.toml", to: scratch.file("real.toml"))
        _ = try Self.replace(scratch, by: Self.text("two"))
        #expect(Links.target(scratch.file("adhand.toml")) == scratch.file("real.toml"))
        #expect(scratch.read("real.toml") == Self.text("two"))
        #expect(scratch.read("real.toml.bak") == Self.text("one"))
        for name in ["real.toml", "real.toml.bak"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.file(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }
}
