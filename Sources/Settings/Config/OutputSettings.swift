package import Texts

/// `[[output]]`: a named place where sound comes out.
package struct OutputSettings: Sendable, Equatable {
    package var name = ""
    /// ALSA names, at least one, tried in order at every announcement.
    package var devices: [String] = []
    /// The kinds of announcement that sound here; none: all.
    package var kinds: [AnnouncedKind] = []
    /// The prayers whose announcements sound here; none: all.
    package var prayers: [Prayer] = []
    /// The prayers whose announcements do not.
    package var except: [Prayer] = []
    /// Percent of perceived loudness, instead of each announcement's own; `nil`: that one.
    package var volumePercent: Int?
    /// The same for what belongs to one prayer.
    package var prayerVolumes: [Prayer: Int] = [:]
    /// Percent; nothing is louder here.
    package var mostPercent = 100
    /// Seconds from the device to the ear.
    package var latencySeconds = 0.0
    /// Seconds of silence before a sound; `nil`: as `[audio]` says.
    package var prerollSeconds: Double?
    /// Seconds over which stop and mute fade what is playing; `nil`: as `[audio]` says.
    package var fadeOutSeconds: Double?
    /// Seconds between two tones that keep the loudspeaker awake; `nil`: none.
    package var keepAwakeSeconds: Double?
    /// Whether an announcement that is not heard here was not heard everywhere.
    package var isRequired = true

    package init() {}

    /// Outputs of one configuration.
    package static let most = 8
    /// Devices of one output.
    package static let mostDevices = 8

    /// Seconds from the start of the device until a sound is heard.
    package var leadSeconds: Double { latencySeconds + (prerollSeconds ?? 0) }

    /// Whether an announcement of a kind sounds here by the filters.
    /// - Parameter prayer: the prayer that it belongs to, if it does to one.
    package func plays(_ kind: AnnouncedKind, of prayer: Prayer?) -> Bool {
        guard kinds.isEmpty || kinds.contains(kind) else { return false }
        guard let prayer else { return true }
        // Friday's prayer is Dhuhr's, unless the list names it.
        return (prayers.isEmpty || Self.names(prayers, prayer)) && !Self.names(except, prayer)
    }

    private static func names(_ prayers: [Prayer], _ prayer: Prayer) -> Bool {
        prayers.contains(prayer) || prayer == .jumua && prayers.contains(.dhuhr)
    }

    /// The volume here, quiet windows apart: the most exact key wins, and nothing is above `max-volume`.
    /// - Parameter own: the announcement's.
    package func volumePercent(_ own: Int, of prayer: Prayer?) -> Int {
        let exact = prayer.flatMap { prayer in
            prayerVolumes[prayer] ?? (prayer == .jumua ? prayerVolumes[.dhuhr] : nil)
        }
        return min(exact ?? volumePercent ?? own, mostPercent)
    }
}

extension Config {
    /// The outputs with everything that they take from `[audio]`: those of `[[output]]`, or the one that `[audio]` describes.
    package var allOutputs: [OutputSettings] {
        guard !outputs.isEmpty else {
            var main = OutputSettings()
            (main.name, main.devices) = (QuietWindow.mainOutput, devices)
            (main.prerollSeconds, main.fadeOutSeconds) = (prerollSeconds, fadeOutSeconds)
            main.keepAwakeSeconds = keepAwakeSeconds
            return [main]
        }
        return outputs.map { output in
            var whole = output
            whole.prerollSeconds = output.prerollSeconds ?? prerollSeconds
            whole.fadeOutSeconds = output.fadeOutSeconds ?? fadeOutSeconds
            return whole
        }
    }

    /// Every device that an output names, each once.
    package var allDevices: [String] {
        var devices: [String] = []
        for device in allOutputs.flatMap(\.devices) where !devices.contains(device) { devices.append(device) }
        return devices
    }

    /// Whether the file names outputs or quiet windows, so that documents tell what sounds where.
    package var tellsOutputs: Bool { !outputs.isEmpty || !quiet.isEmpty }
}
