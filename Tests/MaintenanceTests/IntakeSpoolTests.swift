import Foundation
import Glibc
import Host
import LabSupport
import Protocol
import Testing
import Texts

@testable import Maintenance
@testable import PictureImport

@Suite("Files from outside wait in a folder until they are checked", .timeLimit(.minutes(1)))
struct IntakeSpoolTests {
    private static func request(_ bytes: Int) -> IntakeRequest {
        var request = IntakeRequest(.timetable)
        request.bytes = bytes
        request.name = "mosque.csv"
        return request
    }

    /// Receives a file of which `text` arrives, and keeps it.
    private static func take(
        _ text: String, announced: Int, in spool: borrowing IntakeSpool
    ) throws(IntakeError) {
        let ends = SocketPair()
        ends.transmit(text, ends: true)
        var connection = IntakeConnection(ends.own)
        let draft = try spool.receive(request(announced), from: &connection)
        try spool.keep(draft, request(announced))
    }

    private static func isBusy(_ scratch: Scratch) throws -> Bool {
        guard let spool = try IntakeSpool.open(in: scratch.place) else { return true }
        spool.forget()
        return false
    }

    @Test("A whole file is kept with its answers until it is forgotten")
    func kept() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        guard let spool = try IntakeSpool.open(in: scratch.place) else {
            Issue.record("the intake is busy")
            return
        }
        try Self.take("12345", announced: 5, in: spool)
        var answered = Self.request(5)
        answered.clock = "winter"
        try spool.keep(answered)
        let kept = try spool.pending()
        #expect(kept.bytes == Array("12345".utf8))
        #expect(kept.request == answered)
        #expect(try scratch.names("intake") == ["timetable", "timetable.json"])
        spool.forget()
        let forgotten = refusedReply { _ = try spool.pending() }
        #expect(forgotten?.error == .refused)
        #expect(try scratch.names("intake") == [])
    }

    @Test("Half a file is not kept, nor one that is longer than announced, and the one before it stays")
    func half() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        guard let spool = try IntakeSpool.open(in: scratch.place) else {
            Issue.record("the intake is busy")
            return
        }
        try Self.take("first", announced: 5, in: spool)
        let short = refusedReply { try Self.take("123", announced: 5, in: spool) }
        let long = refusedReply { try Self.take("1234567", announced: 5, in: spool) }
        #expect(short?.error == .cut && long?.error == .tooLarge)
        #expect(try scratch.names("intake") == ["timetable", "timetable.json"])
        let kept = try spool.pending()
        #expect(kept.bytes == Array("first".utf8))
    }

    @Test("More than the limit of its kind is refused before a byte of the file is read", arguments: [0, 1])
    func limits(_ more: Int) throws {
        for act in IntakeRequest.Act.allCases {
            let ends = SocketPair()
            ends.transmit("{\"act\":\"\(act.rawValue)\",\"bytes\":\(act.mostBytes + more)}\n", ends: true)
            var connection = IntakeConnection(ends.own)
            let reply = refusedReply { _ = try connection.request() }
            let expected: IntakeReply.Refusal? = more > 0 ? .tooLarge : nil
            #expect(reply?.error == expected, "\(act)")
        }
    }

    @Test("While one file is received another one waits, and what a killed program left is removed")
    func oneAtATime() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("intake/upload", [1, 2])
        try scratch.write("intake/timetable.json.new", [3])
        do {
            guard let spool = try IntakeSpool.open(in: scratch.place) else {
                Issue.record("the intake is busy")
                return
            }
            #expect(try scratch.names("intake") == [])
            #expect(try Self.isBusy(scratch))
            spool.forget()
        }
        #expect(try !Self.isBusy(scratch))
    }

    @Test("A link in the place of the folder is not followed")
    func link() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("elsewhere/upload", [1])
        try scratch.link("intake", to: scratch.file("elsewhere"))
        #expect(throws: FileError.self) { _ = try Self.isBusy(scratch) }
        #expect(scratch.read("elsewhere/upload") == [1])
    }

    @Test("A picture that is sent twice is one file, a hundred are enough, and a path is no name of one")
    func pictures() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("pictures/notes.txt", [])
        try scratch.write("secret", [1])
        let folder = PictureFolder(scratch.file("pictures"))
        let picture = PictureImport(kind: .png, width: 2, height: 1, bytes: [1, 2, 3])
        let name = SHA256.hex([1, 2, 3])
        for _ in 0..<2 {
            let reply = try folder.keep(picture)
            #expect(reply.picture == name)
        }
        #expect(try scratch.names("pictures").count == 2)
        for index in 0..<99 { try scratch.write("pictures/\(SHA256.hex([UInt8(index)]))", []) }
        let another = PictureImport(kind: .png, width: 2, height: 1, bytes: [4])
        #expect(try scratch.names("pictures").count == 101)
        let sameAsOne = try folder.keep(another).picture
        #expect(sameAsOne == SHA256.hex([4]))
        let new = PictureImport(kind: .png, width: 2, height: 1, bytes: [1, 2, 3, 4])
        #expect(refusedReply { _ = try folder.keep(new) }?.error == .refused)
        for wrong in [nil, "", "../secret", name.uppercased(), name + "0"] {
            #expect(refusedReply { _ = try folder.find(wrong) }?.error == .request)
            #expect(refusedReply { _ = try folder.remove(wrong) }?.error == .request)
        }
        _ = try folder.remove(name)
        #expect(refusedReply { _ = try folder.find(name) }?.error == .nothing)
        #expect(refusedReply { _ = try folder.remove(name) }?.error == .nothing)
        #expect(scratch.read("secret") == [1])
    }
}
