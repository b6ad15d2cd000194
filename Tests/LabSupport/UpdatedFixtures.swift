package import Foundation

/// Expected texts lie in fixtures: `UPDATE=1 make unit` writes them again, and a person reads the difference.
package enum UpdatedFixtures {
    /// The fixtures of a test in the sources, while they are written again; `nil` otherwise.
    package static func folder(of test: String = #filePath) -> URL? {
        guard isWanted else { return nil }
        let suite = test.split(separator: "/").lastIndex { $0.hasSuffix("Tests") }
        let parts = test.split(separator: "/").prefix((suite ?? 0) + 1)
        return URL(filePath: "/" + parts.joined(separator: "/")).appending(path: "Fixtures")
    }

    package static var isWanted: Bool { ProcessInfo.processInfo.environment["UPDATE"] == "1" }
}
