import Announcements
package import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// The daemon's own part of a bug report.
extension DaemonState {
    /// The number of recent events in the report.
    private static let events = 200

    /// - Parameter exact: whether coordinates are reported exactly, and not rounded to a tenth of a degree.
    package func diagnostics(at now: Instant, exact: Bool) -> String {
        let site = inputs.site
        let config = exact ? inputs.config : inputs.config.withRoundedLocation
        let place = site.place.coordinatesText(exact: exact)
        let sections: [(String, [String])] = [
            (
                "adhand",
                [
                    "version \(adhandVersion), running since \(text(startedAt)), now \(text(now))",
                    "configuration: \(inputs.configuration)",
                    "place: \(place), zone \(zone.name), approximate: \(site.approximate)"
                        + (inputs.placeProblem.map { ", nothing is called (\($0.code.rawValue))" } ?? ""),
                    "clock: synchronized \(clock.synchronized), trusted \(trust.trusted)",
                    "audio: \(audioText)", "state on disk: \(disk.problem ?? "well")",
                    "contradiction: \(brokenInvariant.map { "\($0.code.rawValue), \($0.sentence)" } ?? "none")",
                    "state lost: \(saved.loss?.message(in: zone) ?? "no")",
                    "configuration problem: \(configurationProblem?.message ?? "none")",
                    "time zone problem: \(inputs.zoneProblem?.message ?? "none")",
                    "mute: \(saved.mute.map { muteText($0, now: now) } ?? "none")",
                    "switches: \(switchesText)",
                ]
            ),
            ("today", prayerStates(at: now).map { "\($0.prayer) \($0.at) \($0.state.rawValue)" }),
            ("timers", armed.sorted { $0.at < $1.at }.map { "\(text($0.at)) \($0.name)" }),
            ("configuration in force", config.printed().split(separator: "\n").map(String.init)),
            ("last events", log.last(Self.events).map(line)),
        ]
        let report = sections.map { ReportText.section($0.0, $0.1) }.joined(separator: "\n")
        // A place without a name is named by its coordinates, in the log as well.
        return exact ? report : Redaction.withRoundedPairs(report)
    }

    private var audioText: String {
        let checked = audio.checkedAt.map { ", last tried \(text($0))" } ?? ", not tried yet"
        return "healthy \(audio.healthy)\(checked)" + (audio.lastError.map { ", last error: \($0)" } ?? "")
    }

    private var switchesText: String {
        let switches = saved.toggles.switches.sorted { $0.key.rawValue < $1.key.rawValue }
        return switches.isEmpty
            ? "as configured"
            : switches.map { "\($0.key.rawValue) \($0.value ? "on" : "off")" }.joined(separator: ", ")
    }

    private func line(_ notice: Notice) -> String {
        "\(text(notice.at)) \(notice.level.name) \(notice.kind.rawValue): \(notice.message)"
    }
}

extension Place {
    fileprivate func coordinatesText(exact: Bool) -> String {
        guard !exact else { return NumberText.coordinates(latitude, longitude) }
        return "\(NumberText.decimals(latitude, 1)), \(NumberText.decimals(longitude, 1))"
    }
}
