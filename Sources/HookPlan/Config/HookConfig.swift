package import Texts

/// `/etc/adhand/hooks.toml`: which programs are run for which events, which amplifiers are switched, and what buttons do.
package struct HookConfig: Sendable, Equatable {
    package var hooks: [HookSettings] = []
    package var relays: [RelaySettings] = []
    package var cec = CECSettings()
    package var buttons: [ButtonSettings] = []

    package init() {}

    /// Everything that is on for what sounds: relays, and the television.
    package var held: [RelaySettings] { relays + [cec.relay].compactMap { $0 } }

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

    /// Whether it is run for an event. Events without a prayer are excluded only where prayers are named.
    package func takes(_ event: HookEvent, prayer: String?) -> Bool {
        guard on.contains(event) else { return false }
        switch event {
        case .muteChanged, .configApplied: return true
        default: return prayers.isEmpty || prayers.contains { $0.rawValue == prayer }
        }
    }
}
