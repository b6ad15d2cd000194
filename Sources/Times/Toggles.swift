package import PrayerEngine
package import Settings
package import Texts

/// The per-prayer switches set by `adhanctl enable` and `disable`, and the prayers skipped on single days. They
/// override the configuration and outlive restarts.
package struct Toggles: Sendable, Equatable {
    /// The switches. Only those that differ from the configuration, or from Dhuhr's switch, are kept, so that they do not
    /// override a later edit of the file for ever.
    package private(set) var switches: [Prayer: Bool] = [:]
    package var skips = PrayerSkips()

    package init(_ switches: [Prayer: Bool] = [:]) {
        self.switches = switches
    }

    /// Whether a prayer of a day is called, according to switches and skips.
    package func isEnabled(_ prayer: Prayer, on date: CivilDate, in config: Config) -> Bool {
        isEnabled(prayer, in: config) && !skips.contains(prayer, on: date)
    }

    package func isEnabled(_ prayer: Prayer, in config: Config) -> Bool {
        isEnabled(prayer) { config[$0].enabled }
    }

    func isEnabled(_ prayer: Prayer, configured: (Prayer) -> Bool) -> Bool {
        if let own = switches[prayer] { return own }
        let isConfigured = configured(prayer)
        // Jumua replaces dhuhr on Fridays: it follows dhuhr's switch, unless the file distinguishes the two.
        if prayer == .jumua, isConfigured == configured(.dhuhr), let dhuhr = switches[.dhuhr] {
            return dhuhr
        }
        return isConfigured
    }

    /// Sets a switch, and returns whether that changed what is called. A switch of Jumu'ah that agrees with Dhuhr's is kept: it
    /// holds when Dhuhr's is gone.
    package mutating func set(_ prayer: Prayer, _ enabled: Bool, in config: Config) -> Bool {
        let before = isEnabled(prayer, in: config)
        switches[prayer] = enabled
        for name in prayer == .dhuhr ? [.dhuhr, .jumua] : [prayer] { forget(name, in: config) }
        return before != enabled
    }

    /// Removes a switch that agrees with the file, and would have no effect.
    private mutating func forget(_ prayer: Prayer, in config: Config) {
        guard let own = switches[prayer], own == config[prayer].enabled else { return }
        switches[prayer] = nil
        if isEnabled(prayer, in: config) != own { switches[prayer] = own }
    }
}
