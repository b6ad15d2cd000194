import Foundation
import Testing

@testable import Protocol
@testable import Texts

@Suite("The message catalog")
struct CatalogTests {
    struct Entry {
        var subject: String?
        var explanation = ""
    }

    /// `systemd/adhand.catalog` of the checkout, by MESSAGE_ID.
    static func entries() throws -> [String: Entry] {
        let file = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "systemd/adhand.catalog")
        var entries: [String: Entry] = [:]
        var current: String?
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("#") { continue }
            if line.hasPrefix("-- ") {
                let id = String(line.dropFirst(3))
                #expect(entries[id] == nil, "\(id) is there twice")
                entries[id] = Entry()
                current = id
            } else if let id = current {
                if line.hasPrefix("Subject: ") {
                    entries[id]?.subject = String(line.dropFirst(9))
                } else if !line.hasPrefix("Defined-By: ") && !line.hasPrefix("Documentation: ") {
                    entries[id]?.explanation += line + "\n"
                }
            }
        }
        return entries
    }

    @Test(
        "Every event kind has an entry with a subject and an explanation", arguments: messageIDs.keys.sorted()
    )
    func explained(event: String) throws {
        let id = try #require(messageIDs[event])
        let entry = try #require(try Self.entries()[id])
        #expect(try #require(entry.subject).isEmpty == false)
        #expect(entry.explanation.count > 60)
    }

    @Test("The catalog explains nothing that adhand does not say")
    func nothingElse() throws {
        #expect(try Set(Self.entries().keys) == Set(messageIDs.values))
    }

    @Test("Every event kind has an id, and the manual page lists it", arguments: Notice.Kind.allCases)
    func listed(kind: Notice.Kind) throws {
        #expect(messageIDs[kind.rawValue] != nil)
        let page = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/man/adhand.8")
        let words = try String(contentsOf: page, encoding: .utf8).split(whereSeparator: \.isWhitespace)
        #expect(words.contains { $0 == kind.rawValue })
    }

    @Test("Ids are 128 bits in lower-case hexadecimal, each used once")
    func ids() {
        #expect(Set(messageIDs.values).count == messageIDs.count)
        for id in messageIDs.values {
            #expect(id.count == 32 && id.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        }
    }

    @Test("Only fields that an entry can carry are named")
    func fields() throws {
        let known: Set = ["ADHAND_ID", "ADHAND_PRAYER", "ADHAND_SCHEDULED", "ADHAND_REASON"]
        for entry in try Self.entries().values {
            let text = (entry.subject ?? "") + entry.explanation
            let named = text.matches(of: /@([A-Z_]+)@/).map { String($0.1) }
            #expect(known.isSuperset(of: named), "\(named)")
        }
    }
}
