package import PrayerEngine
import Protocol
package import Settings
import Texts
package import Times

/// Possible mistakes in `[[output]]`, in sentences.
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

    /// Announcements of the coming year that no output plays, regardless of windows.
    package static func unplayed(
        site: Site, config: Config, from first: CivilDate, days: Int = 365
    ) -> [String] {
        guard !config.outputs.isEmpty else { return [] }
        var bare = config
        bare.quiet = []
        let planning = OutputPlanning(config: bare, mutes: [], zone: site.zone)
        var found: [Unplayed] = []
        for day in site.times.days(from: first, count: days) {
            var today: [Unplayed] = []
            for entry in DayPlan.announcements(on: day, site: site, config: config, toggles: Toggles())
            where entry.enabled && !entry.announcement.isSilent {
                let announcement = entry.announcement
                let shares = planning.shares(of: announcement, at: announcement.at)
                let new = Unplayed(Self.title(announcement), silentOn: shares.map(\.output), on: day.date)
                guard shares.heard.isEmpty, !today.contains(where: new.isLike) else { continue }
                today.append(new)
                if let index = found.firstIndex(where: new.isLike) {
                    found[index].days += 1
                } else {
                    found.append(new)
                }
            }
        }
        return found.map(\.sentence)
    }

    private static func title(_ announcement: Announcement) -> String {
        announcement.id.callName.map { "the call \"\($0)\"" } ?? announcement.title
    }

    private struct Unplayed {
        let title: String
        /// The outputs whose filters admit it; each has volume 0.
        let outputs: [String]
        let first: CivilDate
        var days = 1

        init(_ title: String, silentOn outputs: [String], on first: CivilDate) {
            (self.title, self.outputs, self.first) = (title, outputs, first)
        }

        func isLike(_ other: Self) -> Bool { title == other.title && outputs == other.outputs }

        var sentence: String {
            let when = days == 1 ? "on \(first)" : "on \(days) days of the coming year, from \(first) on"
            let sentence = "no output plays \(title) \(when)"
            guard !outputs.isEmpty else { return sentence }
            return sentence + ": its volume is 0 on " + PlainText.list(outputs.map { "\"\($0)\"" })
        }
    }
}
