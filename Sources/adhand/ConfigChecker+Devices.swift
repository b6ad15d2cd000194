internal import Host
internal import Playback
internal import Protocol
internal import Settings

/// The devices of this machine. Listing and opening them may take seconds, so it is not for the daemon's queue.
extension ConfigChecker {
    /// Seconds for alsa-lib's list, which plugins of a person's own configuration may hold up.
    private static let listSeconds = 5.0
    /// Seconds for opening them all. An announcement needs its device free long after that: none is opened from a
    /// minute before it on.
    private static let tryingSeconds = 15.0
    private static let mostListed = 32

    /// These, and those that the machine lists, each opened without a sound.
    mutating func devices(named: [String], sparing spared: String?) -> [CheckedDevice] {
        let listed = Self.listedDevices()
        let names = named.filter { name in !listed.contains { $0.name == name } }
        let all = names.map { DeviceHint(name: $0, description: "") } + listed
        let deadline = WallClock.monotonic() + Self.tryingSeconds
        return all.prefix(Self.mostListed).map { hint in
            let description = hint.description.isEmpty ? nil : hint.description
            if let spared {
                return CheckedDevice(untried: hint.name, because: spared, description: description)
            }
            guard WallClock.monotonic() < deadline else {
                return CheckedDevice(
                    untried: hint.name, because: "trying the devices before it took too long",
                    description: description)
            }
            return CheckedDevice(device(hint.name), description: description)
        }
    }

    /// The same rule as for the setting `audio.devices`: none where alsa-lib does not answer.
    static func listedDevices() -> [DeviceHint] {
        TimeLimit.run(on: "devices", seconds: listSeconds) { DeviceList.playback() } ?? []
    }
}
