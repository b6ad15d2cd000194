package import Foundation
public import Protocol
package import Testing

/// Texts that a suite expects, in its folder `Fixtures`.
package enum ExpectedText {
    package static func read(_ name: String, in bundle: Bundle, of test: String = #filePath) throws -> String
    {
        let bundled = bundle.url(forResource: "Fixtures", withExtension: nil)
        let folder = try #require(UpdatedFixtures.folder(of: test) ?? bundled)
        return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// Expects the text of a file there, which `UPDATE=1 make unit` writes first.
    package static func expect(
        _ output: String, in name: String, of bundle: Bundle, test: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try UpdatedFixtures.folder(of: test).map {
            try output.write(to: $0.appending(path: name), atomically: true, encoding: .utf8)
        }
        // By lines, of which the report names those that differ.
        let expected = try read(name, in: bundle, of: test).split(
            separator: "\n", omittingEmptySubsequences: false)
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
