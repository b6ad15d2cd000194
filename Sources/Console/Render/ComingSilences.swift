import PrayerEngine
import Protocol
import Settings
import Texts

/// Announcements up to the end of tomorrow that are silent on an output or on all outputs, so that people know beforehand.
struct ComingSilences {
    /// Announcements of one day that are silent at the same place for the same reason.
    struct Group {
        /// `2026-11-21`
        let date: String
        /// The only output where they are silent; `nil`: nothing is heard anywhere.
        let output: String?
        /// Names of quiet windows, and ``OutputState/mute``.
        let causes: [String]
        var titles: [String]
    }

    /// The groups in their order of time.
    private(set) var groups: [Group] = []
    /// Announcements that no output plays, by its filters or its volume.
    private(set) var unplayed: [String] = []
    private let now: String

    private static let horizonSeconds = 36 * 3600.0

    /// - Parameters:
    ///   - agenda: from yesterday to tomorrow; without it the prayers of the status are all that is known.
    ///   - shown: identities that the reader sees elsewhere.
    init(_ status: StatusDocument, _ agenda: [OccasionDocument]?, omitting shown: Set<String> = []) {
        now = status.now
        guard let agenda else {
            addPrayers(of: status)
            return
        }
        for occasion in agenda
        where occasion.enabled && occasion.state == Outcome.upcoming.rawValue && !shown.contains(occasion.id)
        {
            add(occasion.title, at: occasion.at, occasion.sounds, occasion.outputs)
        }
    }

    private mutating func addPrayers(of status: StatusDocument) {
        for prayer in status.prayers where prayer.enabled && prayer.state == .upcoming {
            add(Self.title(prayer.prayer), at: prayer.at, prayer.sound, prayer.outputs)
        }
        // After Isha, the next prayer is tomorrow's.
        if let next = status.next, !status.prayers.contains(where: { $0.at == next.at }) {
            add(Self.title(next.prayer), at: next.at, [], next.outputs)
        }
    }

    private static func title(_ prayer: String) -> String { Prayer(rawValue: prayer)?.title ?? prayer }

    private mutating func add(_ title: String, at text: String, _ sounds: [String], _ outputs: [OutputPlan]?)
    {
        // An announcement without a sound is silent for another reason.
        guard let outputs, sounds.isEmpty || sounds.contains(where: { $0 != AdhanSettings.silent }),
            let at = InstantText.parse(text), let present = InstantText.parse(now), at > present,
            at <= present + Self.horizonSeconds
        else { return }
        if outputs.isUnplayed {
            if !unplayed.contains(title) { unplayed.append(title) }
            return
        }
        let date = LocalText.date(text)
        guard outputs.contains(where: { $0.volume > 0 }) else {
            let causes = outputs.compactMap(\.quiet).reduce(into: [String]()) {
                if !$0.contains($1) { $0.append($1) }
            }
            add(title, date, output: nil, causes)
            return
        }
        // A muted output has a sentence of its own.
        for output in outputs where output.volume == 0 && output.quiet != OutputState.mute {
            add(title, date, output: output.name, [output.quiet].compactMap(\.self))
        }
    }

    private mutating func add(_ title: String, _ date: String, output: String?, _ causes: [String]) {
        guard !causes.isEmpty else { return }
        let found = groups.firstIndex { $0.date == date && $0.output == output && $0.causes == causes }
        guard let index = found else {
            groups.append(Group(date: date, output: output, causes: causes, titles: [title]))
            return
        }
        if !groups[index].titles.contains(title) { groups[index].titles.append(title) }
    }

    /// ` tomorrow`, or nothing for today.
    private func day(_ date: String) -> String {
        let today = LocalText.date(now)
        guard date != today else { return "" }
        return CivilDate(today)?.adding(days: 1).description == date ? " tomorrow" : " on \(date)"
    }
}

// MARK: As text

extension ComingSilences {
    /// `Fajr and Isha will be silent tomorrow because of the quiet window "night-law" of the configuration.`
    var sentences: [String] {
        groups.map { group in
            let place = group.output.map { " on \"\($0)\"" } ?? ""
            return PlainText.sentence(
                "\(PlainText.list(group.titles)) will be silent\(day(group.date))\(place) because of "
                    + Self.reason(group.causes))
        }
    }

    private static func reason(_ causes: [String]) -> String {
        let windows = causes.filter { $0 != OutputState.mute }.map { "\"\($0)\"" }
        guard !windows.isEmpty else { return "muted outputs" }
        let noun = windows.count == 1 ? "window" : "windows"
        return "the quiet \(noun) \(PlainText.list(windows)) of the configuration"
            + (windows.count == causes.count ? "" : " and of muted outputs")
    }

    /// `Fajr and Isha tomorrow (night-law); iqama of Asr (no output plays it)`; `nil` where each is heard somewhere.
    var everywhere: String? {
        var parts = groups.filter { $0.output == nil }.map { group in
            "\(PlainText.list(group.titles))\(day(group.date)) (\(group.causes.joined(separator: ", ")))"
        }
        if !unplayed.isEmpty {
            parts.append(
                "\(PlainText.list(unplayed)) (no output plays \(unplayed.count == 1 ? "it" : "them"))")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension OccasionDocument {
    /// `Fajr`, `iqama of Fajr`, `reminders of Fajr`, `the call "tahajjud"`
    fileprivate var title: String {
        let prayer = self.prayer.map { Prayer(rawValue: $0)?.title ?? $0 } ?? id
        let number = slot ?? 1
        let name = number == 1 ? prayer : "\(prayer) \(number)"
        return switch kind {
        case .adhan: name
        case .iqama, .khutba: "\(kind.rawValue) of \(name)"
        case .reminder: "reminders of \(name)"
        case .wake: "wake-up before Fajr"
        case .call: "the call \"\(AnnouncementID(id)?.callName ?? id)\""
        case .imsak, .iftar, .takbirat, .sunrise, .eid, .tarawih, .qiyam: kind.rawValue
        }
    }
}
