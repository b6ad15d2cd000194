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
}

/// Lets tests name an announcement as people see it.
extension AnnouncementID: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        guard let id = AnnouncementID(text) else { preconditionFailure("\(text) is no identity") }
        self = id
    }
}
