import Envelope
import Foundation
import Testing

@testable import FleetPlan

/// adhan-fleet(1), held against the reasons and alarms of the program, which names them only when they happen.
struct FleetPageTests {
    private static func page() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/man/adhan-fleet.1"), encoding: .utf8)
    }

    @Test
    func `The manual page names every reason to refuse an envelope, and no other`() throws {
        let page = try Self.page()
        let start = try #require(page.range(of: ".Sh ENVELOPES"))
        let end = try #require(page.range(of: ".Sh EXIT STATUS"))
        let items = page[start.upperBound..<end.lowerBound].split(separator: "\n")
            .filter { $0.hasPrefix(".It Li ") }.flatMap {
                $0.dropFirst(".It Li ".count).split(separator: " ")
            }
        #expect(
            Set(items.map(String.init)).subtracting([","])
                == Set(EnvelopeRefusal.Reason.allCases.map(\.rawValue)))
    }

    @Test(arguments: AlertName.allCases)
    func `The manual page names the alarm`(_ alarm: AlertName) throws {
        let words = try Self.page().split { !$0.isLetter }
        #expect(words.contains { $0 == alarm.rawValue })
    }
}
