package import Protocol
package import Texts

/// `/etc/adhand/hooks.toml`: which programs are run for which events, and which amplifiers are switched.
package struct HookConfig: Sendable, Equatable {
    package var hooks: [HookSettings] = []
    package var relays: [RelaySettings] = []

    package init() {}

    package static let systemFile = "/etc/adhand/hooks.toml"
}

/// Kinds of event for which a program is run: those of a house, and two of adhand itself.
package enum HookEvent: String, Codable, Sendable, CaseIterable {
    case upcoming, preroll, started, finished, stopped, failed, missed, muted, skipped, iqama
    case muteChanged = "mute-changed"
    case configApplied = "config-applied"
}

/// One `[[hook]]`: a program, and the events for which it is run.
package struct HookSettings: Sendable, Equatable {
    package var name = ""
    package var on: [HookEvent] = []
    /// The program and its arguments; no shell is between.
    package var command: [String] = []
    /// Empty: every prayer.
    package var prayers: [Prayer] = []
    /// Seconds before an adhan at which the event `upcoming` comes.
    package var leadSeconds = 600.0
    package var timeoutSeconds = 10.0

    package init() {}

    /// Whether it is run for that. What belongs to no prayer is left out only where prayers are named.
    package func takes(_ event: HookEvent, prayer: String?) -> Bool {
        guard on.contains(event) else { return false }
        switch event {
        case .muteChanged, .configApplied: return true
        default: return prayers.isEmpty || prayers.contains { $0.rawValue == prayer }
        }
    }
}

/// One `[[relay]]`: held from a lead before the first sample until a linger after the last.
package struct RelaySettings: Sendable, Equatable {
    package var name = ""
    package var on: [String] = []
    package var off: [String] = []
    package var leadSeconds = 10.0
    package var lingerSeconds = 60.0
    /// Empty: everything with a sound.
    package var kinds: [OccasionDocument.Kind] = []

    package init() {}

    /// How it is switched: two of one drive are one relay, under whatever name.
    package var drive: RelayDrive { RelayDrive(on: on, off: off) }

    /// Whether a sound of that kind is a reason for it; `nil`: a test, which belongs to no agenda.
    func takes(_ kind: OccasionDocument.Kind?) -> Bool {
        guard !kinds.isEmpty else { return true }
        return kind.map { kinds.contains($0) } ?? false
    }
}

/// The commands that switch a relay.
package struct RelayDrive: Sendable, Hashable {
    package let on: [String]
    package let off: [String]

    package init(on: [String], off: [String]) { (self.on, self.off) = (on, off) }

    package func command(_ isOn: Bool) -> [String] { isOn ? on : off }

    /// Seconds that switching may take.
    package static let limitSeconds = 10.0
    /// Seconds after a command that failed until the next.
    package static let retrySeconds = 30.0
}
