internal import Host
internal import Playback
internal import Protocol
internal import Settings

/// Tries the devices of this machine. Listing and opening them may take seconds, so it must not run on the daemon's queue.
extension ConfigChecker {
    /// Seconds for alsa-lib's list, which plugins in a user's own configuration may delay.
    private static let listSeconds = 5.0
    /// Seconds for opening all devices. None is opened within a minute of an announcement, which so has its device in time.
    private static let tryingSeconds = 15.0
    private static let mostListed = 32

    /// These devices and those that the machine lists, each opened without a sound.
    mutating func devices(named: [String], sparing spared: String?) -> [SoundFacts.Device] {
        let listed = Self.listedDevices()
        let names = named.filter { name in !listed.contains { $0.name == name } }
        let all = names.map { DeviceHint(name: $0, description: "") } + listed
        let deadline = MonotonicClock.now() + Self.tryingSeconds
        return all.prefix(Self.mostListed).map { hint in
            let description = hint.description.isEmpty ? nil : hint.description
            if let spared {
                return .init(
                    name: hint.name, outcome: .untried(reason: spared), description: description)
            }
            guard MonotonicClock.now() < deadline else {
                return .init(
                    name: hint.name, outcome: .untried(reason: "trying the devices before it took too long"),
                    description: description)
            }
            var tried = device(hint.name)
            tried.description = description
            return tried
        }
    }

    /// The listed devices, by the rule of the setting `audio.devices`: none where alsa-lib does not answer.
    static func listedDevices() -> [DeviceHint] {
        TimeLimit.run(on: "devices", seconds: listSeconds) { DeviceList.playback() } ?? []
    }
}
