package import Languages
package import PrayerEngine
import Texts

/// A status bar's view of the day.
package struct Widget: Equatable, Sendable {
    package enum Mood: String, Codable, Sendable {
        case upcoming
        /// Ten minutes or less until the next prayer.
        case soon
        /// A prayer began within the last ten minutes, or its adhan sounds.
        case now
        case muted
    }

    package struct Coming: Equatable, Sendable {
        package let slot: PrayerSlot
        package let at: Instant
    }

    package let now: Instant
    package let zone: Zone
    package let coming: [Coming]
    /// The prayer that began last, while ``mood`` is `now`.
    package let begun: Coming?
    package let mood: Mood
    /// Today's prayers that were prayed, of five.
    package let done: Int
    package let streak: Int
    package let words: Language
    /// The elapsed part of the time between the two prayers around now, 0...100.
    package let percentage: Int
    /// The place of the times, if nobody chose it.
    package let guessedPlace: String?

    /// The seconds before a prayer in which it is soon, and after it in which it is now.
    package static let nearSeconds: Double = 600

    /// - Parameter isMuted: whether the adhan of a prayer is muted.
    package init(
        _ log: Logbook, streak: Streak, count: Int, zone: Zone, words: Language, guessedPlace: String? = nil,
        isPlaying: Bool = false, isMuted: (Coming) -> Bool = { _ in false }
    ) {
        self.guessedPlace = guessedPlace
        let today = log.today
        now = today.now
        self.zone = zone
        self.words = words
        self.streak = streak.current
        done = log.doneToday
        let all = [today.yesterday, today.today, today.tomorrow].flatMap { day in
            DailyPrayer.allCases.map { Coming(slot: PrayerSlot(day.date, $0), at: day[$0].start) }
        }.sorted { $0.at < $1.at }
        coming = Array(all.filter { today.now < $0.at }.prefix(count))
        let last = all.last { $0.at <= today.now }
        let isNow = isPlaying || last.map { today.now - $0.at < Self.nearSeconds } == true
        begun = isNow ? last : nil
        let next = coming.first
        mood =
            isNow
            ? .now
            : next.map { isMuted($0) } == true
                ? .muted : next.map { $0.at - today.now <= Self.nearSeconds } == true ? .soon : .upcoming
        if let last, let next, last.at < next.at {
            percentage = Int((today.now - last.at) / (next.at - last.at) * 100)
        } else {
            percentage = 0
        }
    }
}

/// The formats for status bars.
package enum WidgetFormat: String, CaseIterable, Sendable {
    case text, waybar, polybar, i3blocks, tmux, conky, json
}

/// A widget as JSON.
package struct WidgetDocument: Codable, Sendable, Equatable {
    package struct Prayer: Codable, Sendable, Equatable {
        package let prayer: String
        package let title: String
        package let at: String
        package let inSeconds: Int
    }

    package let now: String
    package let prayers: [Prayer]
    package let `class`: Widget.Mood
    package let done: Int
    package let streak: Int
    package let percentage: Int
    /// Whether no place was chosen for the times.
    package let approximate: Bool
}

/// A widget as the status bar Waybar reads it.
private struct WaybarModule: Codable {
    let text: String
    let alt: String
    let tooltip: String
    let `class`: Widget.Mood
    let percentage: Int
}

extension Widget {
    package var document: WidgetDocument {
        WidgetDocument(
            now: InstantText.rfc3339(now, in: zone),
            prayers: coming.map {
                WidgetDocument.Prayer(
                    prayer: $0.slot.prayer.prayer(on: $0.slot.date).rawValue, title: words.title($0.slot),
                    at: InstantText.rfc3339($0.at, in: zone), inSeconds: Int(($0.at - now).rounded(.up)))
            },
            class: mood, done: done, streak: streak, percentage: percentage,
            approximate: guessedPlace != nil)
    }

    /// One document without its line end. `following`: more will follow, so that it must be a single line.
    package func rendered(_ format: WidgetFormat, following: Bool = false) -> String {
        switch format {
        case .text, .polybar: return line
        case .conky: return following ? line : lines.joined(separator: "\n")
        // In tmux, a number sign begins a format, so it is doubled.
        case .tmux: return line.replacing("#", with: "##")
        // The full text, a short text, and a colour for states that need attention.
        case .i3blocks: return following || mood == .upcoming ? line : "\(line)\n\(short)\n\(colour)"
        case .waybar:
            return Self.text(
                WaybarModule(
                    text: short, alt: mood.rawValue, tooltip: tooltip, class: mood, percentage: percentage))
        case .json: return Self.text(document)
        }
    }

    private static func text(_ document: some Encodable) -> String {
        String(decoding: (try? JSON.encode(document)) ?? [], as: UTF8.self)
    }

    /// `Asr 14:31 in 1 h 24 min`
    private var short: String {
        if let begun { return "\(named(begun)) \(words.state(.open))" }
        guard let next = coming.first else { return "" }
        let span = words.span((next.at - now).rounded(.up))
        return words.text(.coming, ["prayer": named(next), "span": span])
            + (mood == .muted ? " (\(words.text(.muted)))" : "")
    }

    private var line: String {
        let others = coming.dropFirst(begun == nil ? 1 : 0).map(named)
        return ([short] + others + ["\(done)/5"] + (streak > 0 ? [words.count(.inARow, streak)] : []))
            .joined(separator: " · ")
    }

    private var lines: [String] {
        let others = coming.dropFirst(begun == nil ? 1 : 0).map(named)
        return [short] + others + [words.count(.doneToday, done), words.count(.inARow, streak)]
    }

    private var tooltip: String {
        (lines + (guessedPlace.map { [words.guessedPlace($0)] } ?? [])).joined(separator: "\n")
    }

    private func named(_ coming: Coming) -> String {
        "\(words.title(coming.slot)) \(InstantText.minute(coming.at, in: zone))"
    }

    private var colour: String {
        switch mood {
        case .now: "#98c379"
        case .soon: "#e5c07b"
        case .muted, .upcoming: "#7f848e"
        }
    }
}
