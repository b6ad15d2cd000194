import BoxCard
import CommandKit
import Foundation
import Host
import LabSupport
import Testing
import Texts

@testable import Maintenance

@Suite("Each file of a card is applied once")
struct CardImportTests {
    private let name = "box.txt"

    private static func importer(_ scratch: Scratch) throws -> CardImport {
        var variables: [String: String] = [:]
        for folder in ["card", "state", "etc", "lib", "run", "net", "bridge"] {
            try scratch.makeFolder(folder)
            variables["ADHAN_BOX_\(folder.uppercased())"] = scratch.file(folder)
        }
        let box = CardBox(Environment(variables: variables, userID: 0, exists: { _ in false }))
        return CardImport(
            box: box, store: try CardStore(box), daemon: scratch.silent,
            named: NamedPlaces(state: scratch.file("state")))
    }

    /// Counts how often a file is read.
    private final class Reader {
        var count = 0

        func take(_ path: String) -> CardImport.Result {
            count += 1
            return .imported(["line \(count)"])
        }
    }

    @Test("The same file twice is read once, and a changed one once more")
    func once() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let card = try Self.importer(scratch)
        let reader = Reader()
        func update() -> Bool {
            card.importFile(name, scratch.file("card/box.txt")) { path throws(CardRefusal) in
                reader.take(path)
            }
        }
        try scratch.write("card/box.txt", Array("upgrades = on\n".utf8))
        var news = [update(), update()]
        #expect(news == [true, false] && reader.count == 1)
        #expect(card.store.hash(name) == SHA256.hex(Array("upgrades = on\n".utf8)))
        try scratch.write("card/box.txt", Array("upgrades = off\n".utf8))
        news = [update(), update()]
        #expect(news == [true, false] && reader.count == 2)
    }

    @Test("A file that is refused changes nothing, and is tried again at the next start")
    func refused() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let card = try Self.importer(scratch)
        var tries = 0
        func update() -> Bool {
            card.importFile(name, scratch.file("card/box.txt")) { _ throws(CardRefusal) in
                tries += 1
                throw CardRefusal("line 1: no such word")
            }
        }
        try scratch.write("card/box.txt", Array("one".utf8))
        card.importFile(name, scratch.file("card/box.txt")) { _ throws(CardRefusal) in .imported([]) }
        try scratch.write("card/box.txt", Array("two".utf8))
        let news = [update(), update()]
        #expect(news == [false, false] && tries == 2)
        #expect(card.store.hash(name) == SHA256.hex(Array("one".utf8)))
        #expect(card.store.records == [CardRecord(name, .refused, ["line 1: no such word"])])
    }

    @Test("A file that the box has lost is news although the card is the same")
    func lost() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let card = try Self.importer(scratch)
        let reader = Reader()
        func update() {
            card.applyKept(name, at: scratch.file("state/upgrades")) { path throws(CardRefusal) in
                reader.take(path)
            }
        }
        // The card's file may have any case.
        try scratch.write("card/BOX.TXT", Array("upgrades = on\n".utf8))
        try scratch.write("state/upgrades", Array("on\n".utf8))
        update()
        update()
        #expect(reader.count == 1)
        try FileManager.default.removeItem(atPath: scratch.file("state/upgrades"))
        update()
        #expect(reader.count == 2)
        try scratch.write("state/upgrades", Array("on\n".utf8))
        update()
        #expect(reader.count == 2)
        // A card that lacks the file removes nothing.
        try FileManager.default.removeItem(atPath: scratch.file("card/BOX.TXT"))
        update()
        #expect(reader.count == 2 && card.isInForce(name))
    }

    @Test("An empty file is no news before one was taken, and removes what it is to remove")
    func empty() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let card = try Self.importer(scratch)
        try scratch.write("card/box.txt", [])
        func update(_ result: CardImport.Result) -> Bool {
            card.importFile(name, scratch.file("card/box.txt")) { _ throws(CardRefusal) in result }
        }
        var isNews = update(.nothing)
        #expect(!isNews && card.store.records.map(\.outcome) == [.nothingYet])
        try scratch.write("card/box.txt", Array("one".utf8))
        isNews = update(.imported([]))
        #expect(isNews && card.isInForce(name))
        try scratch.write("card/box.txt", [])
        isNews = update(.nothing)
        #expect(!isNews && card.isInForce(name) && card.store.records.map(\.outcome) == [.emptied])
        isNews = update(.removed(["nobody may log in"]))
        #expect(isNews && !card.isInForce(name) && card.store.records.map(\.outcome) == [.removed])
    }

    @Test("What is too large, a folder or a link is not read")
    func unreadable() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let card = try Self.importer(scratch)
        let reader = Reader()
        try scratch.write("card/box.txt", [UInt8](repeating: 0x20, count: CardNames.mostBytes(name) + 1))
        try scratch.write("secret", Array("x".utf8))
        try scratch.link("card/link.txt", to: scratch.file("secret"))
        try scratch.makeFolder("card/folder.txt")
        var outcomes: [CardRecord.Outcome] = []
        for file in ["box.txt", "link.txt", "folder.txt", "missing.txt"] {
            let isNews = card.importFile(name, scratch.file("card/\(file)")) { path throws(CardRefusal) in
                reader.take(path)
            }
            #expect(!isNews, "\(file)")
            outcomes += card.store.records.map(\.outcome)
        }
        #expect(outcomes == [.refused, .unreadable, .unreadable, .unreadable])
        #expect(reader.count == 0 && !card.isInForce(name))
    }

    @Test("A later start repeats what was reported when the file was taken, also of a long name in a folder")
    func reports() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let card = try Self.importer(scratch)
        let reader = Reader()
        let long = "sounds/" + String(repeating: "ع", count: 120) + "/fajr.mp3"
        try scratch.write("card/sound", [1])
        func update() {
            card.importFile(long, scratch.file("card/sound")) { path throws(CardRefusal) in
                reader.take(path)
            }
        }
        update()
        let told = card.store.records
        #expect(told == [CardRecord(long, .taken, ["line 1"])])
        card.store.beginBoot()
        #expect(card.store.records.isEmpty)
        update()
        #expect(card.store.records == told && reader.count == 1)
    }
}
