import PrayerEngine
package import Protocol
package import Texts
import Times

/// `adhanctl next`: one line, and another where the clock time in it is wrong.
package enum NextText {
    package static func render(_ status: StatusDocument, _ style: Style) -> String {
        if let problem = status.placeProblem {
            return style(StatusFacts.placeProblem(problem), .alarm) + "\n"
        }
        guard status.clock.trusted else { return style(ClockDoubt.headline, .alarm) + "\n" }
        guard let next = status.next else { return "no prayer is enabled in the coming 24 hours\n" }
        let muted = status.isMuted(next.id, at: next.at) ? style(" (muted)", .caution) : ""
        return style(sentence(next, now: status.now), .heading) + muted + quiet(next, style)
            + skipped(before: next, status, style) + "\n" + zoneCaution(status, style)
    }

    /// ` (silent: quiet window "night-law")`
    static func quiet(_ next: StatusDocument.Next, _ style: Style) -> String {
        if let outputs = next.outputs, outputs.isUnplayed { return style(" (no output plays it)", .caution) }
        if let outputs = next.outputs, outputs.count > 1 || outputs[0].name != OutputState.unnamed {
            let touched = outputs.filter { $0.quiet != nil }
            return touched.words.map { touched.isEmpty ? "" : style(" (\($0))", .caution) } ?? ""
        }
        guard let output = next.outputs?.first, let window = output.quiet else { return "" }
        let volume = output.volume == 0 ? "silent" : "\(output.volume) %"
        return style(" (\(volume): quiet window \"\(window)\")", .caution)
    }

    private static func zoneCaution(_ status: StatusDocument, _ style: Style) -> String {
        guard let warning = status.zoneWarning, warning.code == ZoneFilesWarning.Code.outdated.rawValue
        else { return "" }
        return Wrapping.lines(warning.caution, indent: 0).map { style($0, .alarm) + "\n" }.joined()
    }

    /// ` (Fajr 05:48 is skipped)`: without it the missing prayer would puzzle the reader.
    static func skipped(before next: StatusDocument.Next, _ status: StatusDocument, _ style: Style) -> String
    {
        guard let limit = InstantText.parse(next.at) else { return "" }
        let skipped = (status.skips ?? []).filter {
            $0.at.flatMap(InstantText.parse).map { $0 < limit } ?? false
        }
        guard !skipped.isEmpty else { return "" }
        let names = skipped.map {
            "\(Prayer(rawValue: $0.prayer)?.title ?? $0.prayer) \(LocalText.minute($0.at ?? ""))"
        }
        return style(
            " (\(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") skipped)", .caution)
    }

    /// `Asr at 14:31, in 1 h 24 min`
    static func sentence(_ next: StatusDocument.Next, now: String) -> String {
        let title = Prayer(rawValue: next.prayer)?.title ?? next.prayer
        return "\(title) at \(LocalText.spoken(next.at, now: now)), in \(LocalText.span(next.inSeconds))"
    }
}

/// `adhanctl next --format waybar`: the JSON of a custom module of the status bar Waybar (`return-type: json`).
package struct WaybarDocument: Codable, Sendable, Equatable {
    package enum Class: String, Codable, Sendable {
        case upcoming, soon, playing, muted
        /// A person has to look at a problem, which the tooltip describes.
        case problem
        /// adhand does not answer.
        case down
    }

    package let text: String
    package let tooltip: String
    package let `class`: Class
    /// The elapsed part of the time between the previous prayer and the next one, 0...100.
    package let percentage: Int

    /// Seconds before a prayer from which it is "soon".
    package static let soonSeconds: Double = 600

    package init(_ status: StatusDocument) {
        tooltip = Self.tooltip(status)
        percentage = Self.percentage(status)
        let shown = Self.playing(status) ?? status.next.map { ($0.prayer, $0.at) }
        text = shown.map { "\(Self.title($0.0)) \(LocalText.minute($0.1))" } ?? ""
        if Self.playing(status) != nil, status.playback.problem == nil {
            `class` = .playing
        } else if !Self.problems(status).isEmpty {
            `class` = .problem
        } else if let next = status.next, status.isMuted(next.id, at: next.at) {
            `class` = .muted
        } else if let next = status.next, next.inSeconds <= Self.soonSeconds {
            `class` = .soon
        } else {
            `class` = .upcoming
        }
    }

    /// adhand does not answer, and why.
    package init(silence reason: String) {
        text = "no adhand"
        tooltip = Self.escaped(reason)
        `class` = .down
        percentage = 0
    }

    /// The lines that `status` shows in red.
    private static func problems(_ status: StatusDocument) -> [String] {
        var problems: [String] = []
        if status.audio.hasFailed {
            problems.append("Audio: \(status.audio.lastError ?? "the last sound could not be played")")
        }
        if !status.clock.trusted { problems.append("Clock: nothing is called until it is set") }
        if let problem = status.placeProblem { problems.append("Place: \(problem.message)") }
        if let problem = status.zoneProblem { problems.append("Time zone: \(problem.message)") }
        if let warning = status.zoneWarning, warning.isOutdated {
            problems.append("Time zone: \(warning.message)")
        }
        if let problem = status.configurationProblem { problems.append("Configuration: \(problem.message)") }
        if let loss = status.stateLoss, !loss.restored { problems.append("State: \(loss.message)") }
        if let problem = status.settingsProblem { problems.append("Settings: \(problem.message)") }
        if let problem = status.stateProblem { problems.append("State: \(problem)") }
        problems += StatusFacts.lostAdhans(status).map { "Adhan: \($0.message)" }
        if let problem = status.internalProblem { problems.append("adhand: \(problem.message)") }
        return problems
    }

    /// Waybar reads a tooltip as Pango markup.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private static func playing(_ status: StatusDocument) -> (prayer: String, at: String)? {
        guard status.playback.state == .playing || status.playback.state == .stopping,
            let prayer = status.playback.prayer
        else { return nil }
        // A test is heard outside the prayer's time: it counts as playing all the same.
        return (prayer, status.prayers.first { $0.prayer == prayer }?.at ?? status.now)
    }

    /// Names, times and states need no escaping; problems quote files and devices.
    private static func tooltip(_ status: StatusDocument) -> String {
        var lines = status.prayers.map { prayer in
            "\(title(prayer.prayer)) \(LocalText.minute(prayer.at)) \(StatusText.state(of: prayer, in: status).word)"
        }
        if let next = status.next { lines.append(NextText.sentence(next, now: status.now)) }
        lines += problems(status).map { escaped(PlainText.visible($0)) }
        return lines.joined(separator: "\n")
    }

    private static func percentage(_ status: StatusDocument) -> Int {
        guard let now = InstantText.parse(status.now),
            let next = status.next.flatMap({ InstantText.parse($0.at) })
        else {
            return 0
        }
        let today = status.prayers.compactMap { InstantText.parse($0.at) }
        // Before the first prayer of the day the last one was yesterday's, about a day before today's.
        let previous = today.last { $0 <= now } ?? today.last.map { $0 - 86_400 } ?? now
        guard previous < next, previous <= now else { return 0 }
        return Int((min(1, (now - previous) / (next - previous)) * 100).rounded(.down))
    }

    private static func title(_ prayer: String) -> String {
        Prayer(rawValue: prayer)?.title ?? prayer
    }
}
