import Foundation
import LabSupport
public import Protocol
import Testing

/// Files that the tests bring along.
enum Fixture {
    static func text(_ name: String) throws -> String {
        let bundled = Bundle.module.url(forResource: "Fixtures", withExtension: nil)
        let folder = try #require(UpdatedFixtures.folder() ?? bundled)
        return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// Expects the text of a fixture, which `UPDATE=1 make unit` writes first.
    static func expect(
        _ output: String, in name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try UpdatedFixtures.folder().map {
            try output.write(to: $0.appending(path: name), atomically: true, encoding: .utf8)
        }
        // By lines, of which the report names those that differ.
        let expected = try text(name).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            output.split(separator: "\n", omittingEmptySubsequences: false) == expected,
            sourceLocation: sourceLocation)
    }
}

/// Lets tests name an announcement as people see it.
extension AnnouncementID: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        guard let id = AnnouncementID(text) else { preconditionFailure("\(text) is no identity") }
        self = id
    }
}
