import Foundation
import LabSupport
import Protocol
import Texts

/// Documents of a daemon, as the folder `Fixtures` has them.
enum SampleDocuments {
    /// A status of a Friday afternoon in Queens.
    static func status() throws -> StatusDocument {
        try JSON.decode(StatusDocument.self, from: try text("status.json").utf8)
    }

    static func log() throws -> [LogEntry] {
        try JSON.decode([LogEntry].self, from: try text("log.json").utf8)
    }

    /// A daemon's status, with another configuration.
    static func status(configuration: String, lookedFor: [String]? = nil) throws -> StatusDocument {
        var object =
            try JSONSerialization.jsonObject(with: Data(try text("status.json").utf8)) as? [String: Any]
            ?? [:]
        object["configuration"] = configuration
        object["configurationLookedFor"] = lookedFor
        return try JSON.decode(
            StatusDocument.self, from: [UInt8](try JSONSerialization.data(withJSONObject: object)))
    }

    /// The status of `status()`, with pieces of its text replaced; each must be there.
    static func status(replacing pieces: [String: String]) throws -> StatusDocument {
        var text = try text("status.json")
        for (piece, other) in pieces {
            precondition(text.contains(piece), "the fixture has no \(piece)")
            text = text.replacing(piece, with: other)
        }
        return try JSON.decode(StatusDocument.self, from: text.utf8)
    }

    private static func text(_ name: String) throws -> String {
        try ExpectedText.read(name, in: .module)
    }
}
