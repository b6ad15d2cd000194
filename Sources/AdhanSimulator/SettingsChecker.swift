import Announcements
import Daemon
import Protocol
import Settings

/// Follows settings by command: a confirmed change stays in force across every end of the program, and an unconfirmed
/// one is saved as a whole or not at all.
struct SettingsChecker {
    /// Key and value of every setting that an answer has promised.
    private var promised: [String: String] = [:]
    /// The settings before each promised change.
    private var past: [[String: String]] = []
    /// The newest change that was answered as made.
    private var newest = 0
    /// Requests without an answer so far.
    private var waiting: [RequestID: ControlRequest] = [:]

    mutating func asks(_ id: RequestID, _ request: ControlRequest) {
        switch request {
        case .setSettings, .undoSettings: waiting[id] = request
        default: break
        }
    }

    /// - Returns: what is broken.
    mutating func replied(_ id: RequestID, _ reply: Reply, state: DaemonState, disk: Disk) -> String? {
        guard let request = waiting.removeValue(forKey: id), case .document = reply else { return nil }
        advance(to: applied(request), disk)
        if Self.values(disk.settings) != promised { return "a setting is answered before the disk holds it" }
        if Self.values(state.settings) != promised {
            return "a setting is answered that adhand does not know"
        }
        return inForce(state)
    }

    /// - Returns: what is broken.
    mutating func starts(_ state: DaemonState, disk: Disk) -> String? {
        let found = Self.values(disk.settings)
        let possible = waiting.values.map { applied($0) }.first { $0 == found }
        waiting = [:]
        guard found == promised || possible != nil else {
            return "settings are lost or half there after an end of the program"
        }
        advance(to: found, disk)
        return inForce(state)
    }

    private mutating func advance(to values: [String: String], _ disk: Disk) {
        if disk.settings.change > newest { past.append(promised) }
        (promised, newest) = (values, disk.settings.change)
    }

    /// - Returns: what is broken.
    func inForce(_ state: DaemonState) -> String? {
        for setting in state.inputs.layered.settings {
            guard let value = promised[setting.entry.key] else { continue }
            guard setting.state == .set else {
                guard setting.state == .superseded else {
                    return "\(setting.entry.key) is \(setting.state), which nothing here makes it"
                }
                continue
            }
            let isThere = SettableKey(setting.entry.key).map { state.inputs.layered.inForce($0) } == value
            if !isThere { return "\(setting.entry.key) was answered and is not in force" }
        }
        return state.inputs.layered.settings.count == state.settings.entries.count
            ? nil : "the settings in force are not those that are kept"
    }

    private func applied(_ request: ControlRequest) -> [String: String] {
        var values = promised
        switch request {
        case .setSettings(let asked):
            if asked.dryRun == true { return promised }
            for change in asked.changes { values[change.key] = change.value }
        case .undoSettings: values = past.last ?? values
        default: break
        }
        return values
    }

    private static func values(_ layer: SettingsLayer) -> [String: String] {
        Dictionary(uniqueKeysWithValues: layer.entries.map { ($0.key, $0.value) })
    }
}

extension ScenarioChoices {
    /// A random change of settings, as clients ask for it: good values, bad ones, and none.
    static func request(_ random: inout Random) -> ControlRequest {
        if random.chance(0.2) { return .undoSettings(change: nil) }
        let count = Int.random(in: 1...3, using: &random)
        var changes: [SettingChange] = []
        for _ in 0..<count {
            let (key, values) = random.pick(settable)
            guard !changes.contains(where: { $0.key == key }) else { continue }
            changes.append(SettingChange(key: key, value: random.chance(0.15) ? nil : random.pick(values)))
        }
        return .setSettings(SettingsParameters(changes: changes, dryRun: random.chance(0.1) ? true : nil))
    }

    private static let settable: [(key: String, values: [String])] = [
        ("adhan.volume", ["30", "70", "101"]), ("adhan.fajr.volume", ["20", "90"]),
        ("adhan.isha.reminders", ["[\"10m\"]", "[\"10m\", \"5m\"]"]),
        ("adhan.asr.fade-in", ["\"5s\"", "\"0s\""]),
        ("adhan.maghrib.sound", ["\"standard\"", "\"/etc/passwd\""]), ("ramadan.volume", ["40"]),
        ("audio.preroll", ["\"0s\"", "\"2s\""]), ("control.group", ["\"all\""]),
        ("display.theme", ["\"dark\"", "\"no-such-theme\""]), ("display.title", ["\"Masjid\"", "7"]),
        ("display.seconds", ["true", "false"]), ("display.night.from", ["\"22:00\""]),
        ("display.announcement", ["[{ text = \"Bazaar\", until = 2027-03-01 }]", "[{ text = \"\" }]", "[]"]),
        ("display.network.listen", ["\"0.0.0.0:80\""]),
    ]

    /// The files of each configuration.
    private static let sources: [[ConfigSource]] = configurations.map {
        [ConfigSource(file: "simulated", text: Array($0.printed().utf8))]
    }

    static func layered(_ configuration: Int, _ layer: SettingsLayer) -> LayeredConfig? {
        try? LayeredConfig(sources[configuration], layer)
    }
}
