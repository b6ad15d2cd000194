import Foundation
import Testing

/// Files that the tests bring along.
enum Fixture {
    static func text(_ name: String) throws -> String {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
}
