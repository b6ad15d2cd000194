import Foundation

@testable import Console
@testable import Protocol
@testable import Texts

/// Documents and facts whose sentences are all "x": no program may behave otherwise for it.
enum Reworded {
    /// The keys under which sentences stand. What is at them and is no text stays.
    private static let keys: Set = [
        "message", "reason", "lastError", "endedBy", "problem", "stateProblem", "warning", "untried",
        "silence", "silenceReason", "note",
        "problems", "warnings", "details",
    ]

    static func document<Document: Codable>(_ document: Document) throws -> Document {
        let whole = try JSONSerialization.jsonObject(
            with: Data(try JSON.encode(document)), options: .fragmentsAllowed)
        let bytes = try JSONSerialization.data(withJSONObject: value(whole), options: .fragmentsAllowed)
        return try JSON.decode(Document.self, from: bytes)
    }

    private static func value(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.map(Self.value) }
        guard let object = value as? [String: Any] else { return value }
        return object.reduce(into: [String: Any]()) { result, pair in
            let isText = keys.contains(pair.key)
            if isText, pair.value is String {
                result[pair.key] = "x"
            } else if isText, let texts = pair.value as? [String] {
                result[pair.key] = texts.map { _ in "x" }
            } else {
                result[pair.key] = Self.value(pair.value)
            }
        }
    }

    static func facts(_ facts: DoctorFacts) throws -> DoctorFacts {
        var facts = facts
        facts.daemon =
            switch facts.daemon {
            case .answers(let status): .answers(try document(status))
            case .hangs: .hangs(reason: "x")
            case .closed: .closed(reason: "x")
            case .absent: .absent(reason: "x")
            }
        facts.configuration.state =
            switch facts.configuration.state {
            case .invalid: .invalid(reason: "x")
            case .lost: .lost(reason: "x")
            case .unreadable: .unreadable(reason: "x")
            case .closed(_, let fix): .closed(reason: "x", fix: fix)
            case .valid, .embedded: facts.configuration.state
            }
        facts.locationProblem = facts.locationProblem.map { _ in "x" }
        facts.mosqueProblems = facts.mosqueProblems?.map { _ in "x" }
        facts.history = try facts.history.map(document)
        facts.sound = try sound(facts.sound)
        return facts
    }

    static func sound(_ sound: SoundFacts) throws -> SoundFacts {
        var sound = sound
        sound.unseen = sound.unseen.map { _ in "x" }
        sound.untried = sound.untried.map { _ in "x" }
        sound.devices = try sound.devices.map(document)
        sound.files = try sound.files.map(document)
        return sound
    }
}
