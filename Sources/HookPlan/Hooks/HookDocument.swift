// swift-format-ignore-file: AlwaysUseLowerCamelCase

import BridgePlan
// Use the names of the bridge's document.
package import Protocol
package import Texts

/// One event as a hook receives it: as JSON on standard input, and as environment variables.
package struct HookDocument: Codable, Sendable, Equatable {
    package var v = 1
    package let event_type: HookEvent
    @Nullable package var id: String?
    @Nullable package var prayer: String?
    @Nullable package var due: String?
    package let at: String
    @Nullable package var leadMs: Double?
    @Nullable package var durationMs: Double?
    @Nullable package var reason: String?
    @Nullable package var cause: EndCause?
    @Nullable package var volume: Int?
    package var pretended: Bool

    init?(_ event: EventPayload) {
        guard let type = HookEvent(rawValue: event.event_type.rawValue) else { return nil }
        (event_type, at, pretended) = (type, event.at, event.pretended)
        (id, prayer, due, leadMs) = (event.id, event.prayer, event.due, event.leadMs)
        (durationMs, reason) = (event.durationMs, event.reason)
        (cause, volume) = (event.cause, event.volume)
    }

    package init(
        _ type: HookEvent, at: String, prayer: String? = nil, reason: String? = nil, pretended: Bool = false
    ) {
        (event_type, self.at, self.pretended) = (type, at, pretended)
        (self.prayer, self.reason) = (prayer, reason)
    }

    /// The environment variables. All are present; unknown ones are empty.
    package var environment: [String] {
        func number(_ value: Double?) -> String { value.map { String(Int($0)) } ?? "" }
        let own: [(String, String)] = [
            ("EVENT", event_type.rawValue), ("ID", id ?? ""), ("PRAYER", prayer ?? ""), ("DUE", due ?? ""),
            ("LEAD_MS", number(leadMs)), ("DURATION_MS", number(durationMs)), ("REASON", reason ?? ""),
            ("CAUSE", cause?.rawValue ?? ""), ("VOLUME", volume.map { String($0) } ?? ""),
            ("PRETENDED", pretended ? "1" : "0"), ("PROTOCOL", "1"),
        ]
        return own.map { "ADHAND_\($0)=\(PlainText.visible($1))" } + Self.surroundings
    }

    /// The bytes on standard input.
    package var bytes: [UInt8] { (try? JSON.encode(self)) ?? [] }

    package static let surroundings = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]
}

/// One program to be run for one event.
package struct HookRun: Sendable, Equatable {
    package let number: Int
    package let name: String
    package let command: [String]
    package let document: HookDocument
    package let limitSeconds: Double

    package init(number: Int, _ hook: HookSettings, _ document: HookDocument) {
        (self.number, name, command) = (number, hook.name, hook.command)
        (self.document, limitSeconds) = (document, hook.timeoutSeconds)
    }

    /// The seconds between the signal that asks a program to end and the one that kills it.
    package static let graceSeconds = 2.0
    /// The most bytes of a program's output that go to the journal.
    package static let mostOutputBytes = 4096
}
