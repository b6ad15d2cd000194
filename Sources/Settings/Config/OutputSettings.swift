package import Texts

/// An `[[output]]`: a named place where sound is played.
package struct OutputSettings: Sendable, Equatable {
    package var name = ""
    /// ALSA names, at least one, tried in order at every announcement.
    package var devices: [String] = []
    /// The kinds of announcement that are played here; none: all.
    package var kinds: [AnnouncedKind] = []
    /// The prayers whose announcements are played here; none: all.
    package var prayers: [Prayer] = []
    /// The prayers whose announcements are not played here.
    package var except: [Prayer] = []
    /// Percent of perceived loudness, instead of each announcement's own; `nil`: the announcement's.
    package var volumePercent: Int?
    /// Percent of perceived loudness for everything that belongs to one prayer.
    package var prayerVolumes: [Prayer: Int] = [:]
    /// The highest volume here in percent.
    package var mostPercent = 100
    /// Seconds from the device to the ear.
    package var latencySeconds = 0.0
    /// Seconds of silence before a sound; `nil`: as configured in `[audio]`.
    package var prerollSeconds: Double?
    /// Seconds over which stop and mute fade what is playing; `nil`: as configured in `[audio]`.
    package var fadeOutSeconds: Double?
    /// Seconds between two tones that keep the loudspeaker awake; `nil`: none.
    package var keepAwakeSeconds: Double?
    /// Whether an announcement that is not heard here counts as not heard everywhere.
    package var isRequired = true

    package init() {}

    /// The most outputs of one configuration.
    package static let most = 8
    /// The most devices of one output.
    package static let mostDevices = 8

    /// Seconds from the start of the device until a sound is heard.
    package var leadSeconds: Double { latencySeconds + (prerollSeconds ?? 0) }

    /// Whether the filters let an announcement of a kind be played here.
    /// - Parameter prayer: the prayer to which it belongs, if any.
    package func plays(_ kind: AnnouncedKind, of prayer: Prayer?) -> Bool {
        guard kinds.isEmpty || kinds.contains(kind) else { return false }
        guard let prayer else { return true }
        // Friday's prayer counts as Dhuhr's, unless the list names it.
        return (prayers.isEmpty || Self.names(prayers, prayer)) && !Self.names(except, prayer)
    }

    private static func names(_ prayers: [Prayer], _ prayer: Prayer) -> Bool {
        prayers.contains(prayer) || prayer == .jumua && prayers.contains(.dhuhr)
    }

    /// The volume here without quiet windows: the most specific key wins, and nothing is above `max-volume`.
    /// - Parameter own: the announcement's own volume.
    package func volumePercent(_ own: Int, of prayer: Prayer?) -> Int {
        let exact = prayer.flatMap { prayer in
            prayerVolumes[prayer] ?? (prayer == .jumua ? prayerVolumes[.dhuhr] : nil)
        }
        return min(exact ?? volumePercent ?? own, mostPercent)
    }
}

extension Config {
    /// The outputs with everything that they inherit from `[audio]`: those of `[[output]]`, or the one that `[audio]` describes.
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

    /// The devices of all outputs, each once.
    package var allDevices: [String] {
        var devices: [String] = []
        for device in allOutputs.flatMap(\.devices) where !devices.contains(device) { devices.append(device) }
        return devices
    }

    /// Whether the file names outputs or quiet windows, so that documents describe them.
    package var tellsOutputs: Bool { !outputs.isEmpty || !quiet.isEmpty }
}
