package import PrayerEngine
package import Protocol
package import Settings
import Texts

/// An announcement on one output: the filters admit it, and windows and mutes have been considered.
package struct OutputShare: Sendable, Equatable {
    package let output: String
    /// Percent of perceived loudness; 0 makes no sound.
    package let volumePercent: Int
    /// The name of the window that decided the volume, or ``OutputMute/name``.
    package let quiet: String?

    package init(output: String, volumePercent: Int, quiet: String?) {
        (self.output, self.volumePercent, self.quiet) = (output, volumePercent, quiet)
    }

    package var isSilent: Bool { volumePercent == 0 }

    package var document: OutputPlan { OutputPlan(name: output, volume: volumePercent, quiet: quiet) }
}

/// Plans the outputs of an announcement at one instant, from the configuration and the mutes of single outputs.
package struct OutputPlanning {
    package let config: Config
    package let mutes: [OutputMute]
    package let zone: Zone

    package init(config: Config, mutes: [OutputMute], zone: Zone) {
        (self.config, self.mutes, self.zone) = (config, mutes, zone)
    }

    /// The shares in the order of the file; empty where no filter admits it.
    /// - Parameter named: the outputs that a person requested, whatever their filters.
    package func shares(
        of announcement: Announcement, at instant: Instant, named: [String] = [], despiteQuiet: Bool = false
    ) -> [OutputShare] {
        let kind = announcement.id.announcedKind
        let prayer = announcement.filteredPrayer
        return config.allOutputs.compactMap { output in
            if named.isEmpty {
                guard announcement.isAsked || output.plays(kind, of: prayer),
                    announcement.outputs.isEmpty || announcement.outputs.contains(output.name)
                else { return nil }
            } else if !named.contains(output.name) {
                return nil
            }
            let loudest = output.volumePercent(announcement.ownVolumePercent, of: prayer)
            guard !despiteQuiet else {
                return OutputShare(output: output.name, volumePercent: loudest, quiet: nil)
            }
            if mutes.contains(where: { $0.silences(output.name, at: instant) }) {
                return OutputShare(output: output.name, volumePercent: 0, quiet: OutputMute.name)
            }
            let window = config.quiet.lowering(loudest, of: kind, on: output.name, at: instant, in: zone)
            return OutputShare(
                output: output.name, volumePercent: min(loudest, window?.volumePercent ?? loudest),
                quiet: window?.name)
        }
    }
}

extension [OutputShare] {
    /// The shares that make a sound.
    package var heard: [OutputShare] { filter { !$0.isSilent } }

    /// The share whose window or mute causes complete silence; `nil` where something is heard, or would not be heard anyway.
    package var silencing: OutputShare? { heard.isEmpty ? first { $0.quiet != nil } : nil }
}

extension Announcement {
    /// The prayer by which outputs are chosen; `nil` for an announcement that belongs to none.
    fileprivate var filteredPrayer: Prayer? { id.isOfPrayer && subject == nil ? prayer : nil }

    /// Whether a person requested a sound or a device by its name: no filter applies then.
    fileprivate var isAsked: Bool { isTest && subject != nil }
}

extension AnnouncementID {
    /// The kind to which windows and outputs refer.
    package var announcedKind: AnnouncedKind {
        switch kind {
        case .adhan, .simulated, .test: .adhan
        case .iqama: .iqama
        case .khutba: .khutba
        case .reminder, .iqamaReminder: .reminder
        case .wake: .wake
        case .imsak: .imsak
        case .takbirat: .takbirat
        case .call: .call
        }
    }
}
