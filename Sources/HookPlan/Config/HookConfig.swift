package import Texts

/// `/etc/adhand/hooks.toml`: the programs for events, the switched amplifiers, and the buttons.
package struct HookConfig: Sendable, Equatable {
    package var hooks: [HookSettings] = []
    package var relays: [RelaySettings] = []
    package var cec = CECSettings()
    package var buttons: [ButtonSettings] = []

    package init() {}

    /// Everything that is on while something plays: relays, and the television.
    package var held: [RelaySettings] { relays + [cec.relay].compactMap { $0 } }

    package static let systemFile = "/etc/adhand/hooks.toml"
}

/// The events for which a program can be run: calls in the house, and two of adhand itself.
package enum HookEvent: String, Codable, Sendable, CaseIterable {
    case upcoming, preroll, started, finished, stopped, failed, missed, muted, skipped, iqama
    case muteChanged = "mute-changed"
    case configApplied = "config-applied"
}

/// One `[[hook]]`: a program, and the events for which it is run.
package struct HookSettings: Sendable, Equatable {
    package var name = ""
    package var on: [HookEvent] = []
    /// The program and its arguments, run without a shell.
    package var command: [String] = []
    /// The prayers; empty: all.
    package var prayers: [Prayer] = []
    /// The seconds before an adhan at which the event `upcoming` occurs.
    package var leadSeconds = 600.0
    package var timeoutSeconds = 10.0

    package init() {}

    /// Whether the program runs for an event. Events without a prayer are excluded only if prayers are listed.
    package func accepts(_ event: HookEvent, prayer: String?) -> Bool {
        guard on.contains(event) else { return false }
        switch event {
        case .muteChanged, .configApplied: return true
        default: return prayers.isEmpty || prayers.contains { $0.rawValue == prayer }
        }
    }
}
