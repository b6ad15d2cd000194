package import PrayerEngine
import Protocol
package import Settings
import Texts
package import Times

/// Mistakes in `[[output]]` that a configuration may have, in sentences.
package enum OutputFindings {
    /// Two outputs that try the same card first: the second finds it busy.
    package static func shared(_ config: Config) -> [String] {
        let outputs = config.outputs.compactMap { output in
            output.devices.first.flatMap(CardDevice.init).map { (output.name, output.devices[0], $0) }
        }
        return outputs.enumerated().compactMap { index, output in
            let (name, device, place) = output
            guard let (otherName, otherDevice, _) = outputs[..<index].first(where: { $0.2.isSame(as: place) })
            else { return nil }
            let spelling =
                otherDevice == device ? "\"\(device)\"" : "\"\(otherDevice)\" (also written \"\(device)\")"
            return "the outputs \"\(otherName)\" and \"\(name)\" both begin with the device \(spelling), "
                + "which only one of them can use; name another one, or make one output of the two"
        }
    }

    /// Announcements of the coming year that no output plays, whatever the windows.
    package static func unplayed(
        site: Site, config: Config, from first: CivilDate, days: Int = 365
    ) -> [String] {
        guard !config.outputs.isEmpty else { return [] }
        var bare = config
        bare.quiet = []
        let planning = OutputPlanning(config: bare, mutes: [], zone: site.zone)
        var found: [(title: String, days: Int, first: CivilDate)] = []
        for day in site.times.days(from: first, count: days) {
            var today: Set<String> = []
            for entry in DayPlan.announcements(on: day, site: site, config: config, toggles: Toggles())
            where entry.enabled && !entry.announcement.isSilent {
                let announcement = entry.announcement
                guard planning.shares(of: announcement, at: announcement.at).heard.isEmpty,
                    today.insert(announcement.title).inserted
                else { continue }
                if let index = found.firstIndex(where: { $0.title == announcement.title }) {
                    found[index].days += 1
                } else {
                    found.append((announcement.title, 1, day.date))
                }
            }
        }
        return found.map { title, days, first in
            let when = days == 1 ? "on \(first)" : "on \(days) days of the coming year, from \(first) on"
            return "no output plays \(title) \(when)"
        }
    }
}
