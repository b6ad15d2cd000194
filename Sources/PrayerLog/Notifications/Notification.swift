package import Languages
package import PrayerEngine
import Texts

/// A notice as a notification server receives it.
package struct Notification: Equatable, Sendable {
    package enum Urgency: UInt8, Sendable {
        case low = 0
        case normal
    }

    /// The buttons that a person may press. The raw value is the key that the server answers with.
    package enum Action: String, Sendable, CaseIterable {
        case prayed, snooze, mute
    }

    package struct Button: Equatable, Sendable {
        package let action: Action
        package let label: String
    }

    package let title: String
    package let body: String
    package let urgency: Urgency
    package let buttons: [Button]
    /// The name of a sound in the freedesktop sound theme; `nil` if adhand itself is heard.
    package let sound: String?
    /// Whether it stays until it is pressed, replaced or closed. Servers without buttons show such a notice as a dialog in the
    /// middle of the screen.
    package let stays: Bool

    /// Makes a notice that belongs to no prayer.
    package init(title: String, body: String, stays: Bool = false) {
        self.title = title
        self.body = body
        self.stays = stays
        (urgency, buttons, sound) = (.normal, [], nil)
    }
}

/// The facts for the text of a notice.
package struct NoticeSurroundings: Sendable {
    package var place: String
    package var zone: Zone
    /// The window of the prayer.
    package var window: PrayerWindow
    /// Degrees from true north; `nil` where the place's coordinates are not known.
    package var qibla: Double?
    /// Whether adhand answers, and therefore plays the adhan itself.
    package var hasAdhan: Bool
    /// Whether this person may stop and mute it.
    package var mayMute: Bool
    /// The place of the times if nobody chose it, which one notice reports.
    package var guessedPlace: String?
    /// The notification server's capabilities, named as in the Desktop Notifications Specification.
    package var capabilities: Set<String>

    package init(
        place: String, zone: Zone, window: PrayerWindow, qibla: Double?, hasAdhan: Bool, mayMute: Bool,
        guessedPlace: String? = nil, capabilities: Set<String>
    ) {
        self.guessedPlace = guessedPlace
        self.place = place
        self.zone = zone
        self.window = window
        self.qibla = qibla
        self.hasAdhan = hasAdhan
        self.mayMute = mayMute
        self.capabilities = capabilities
    }
}

extension Notification {
    package init(
        _ notice: PersonalNotice, _ around: NoticeSurroundings, words: Language, settings: CompanionSettings
    ) {
        let name = words.title(notice.slot)
        let named = ["prayer": name, "place": around.place]
        func at(_ instant: Instant) -> String { InstantText.minute(instant, in: around.zone) }
        let hasActions = around.capabilities.contains("actions")
        var lines: [String] = []
        switch notice.kind {
        case .reminder(let before):
            title = words.text(.coming, ["prayer": name, "span": words.span(before)])
            lines.append(words.text(.isAt, named.merging(["time": at(around.window.start)]) { $1 }))
            (urgency, stays) = (.low, false)
            sound = "message"
        case .prayer, .snoozed:
            title = words.text(.timeFor, named)
            lines.append(words.text(.prayIn, named))
            (urgency, stays) = (.normal, hasActions)
            sound = around.hasAdhan ? nil : "alarm-clock-elapsed"
        case .followUp:
            title = words.text(.notMarked, named)
            lines.append(words.text(.endsAt, ["time": at(around.window.end)]))
            (urgency, stays) = (.normal, hasActions)
            sound = "message"
        }
        if notice.kind == .prayer {
            lines += Self.additions(notice.slot, around, words, settings)
        }
        var buttons: [Button] = []
        if hasActions {
            if !notice.isReminder {
                let snooze = words.text(.buttonSnooze, ["span": words.span(settings.snoozeSeconds)])
                buttons.append(Button(action: .prayed, label: words.text(.buttonPrayed)))
                buttons.append(Button(action: .snooze, label: snooze))
            }
            if around.hasAdhan, around.mayMute, notice.kind == .prayer || notice.isReminder {
                buttons.append(Button(action: .mute, label: words.text(.buttonMute)))
            }
        } else if !notice.isReminder {
            lines.append(words.text(.markWith, ["command": "prayed"]))
        }
        if let place = around.guessedPlace { lines.append(words.guessedPlace(place)) }
        self.buttons = buttons
        let text = lines.joined(separator: "\n")
        body = around.capabilities.contains("body-markup") ? Self.escaped(text) : text
    }

    private static func additions(
        _ slot: PrayerSlot, _ around: NoticeSurroundings, _ words: Language, _ settings: CompanionSettings
    ) -> [String] {
        var lines: [String] = []
        if settings.arabicName, words.code != arabic, let name = Language.embedded(arabic)?.title(slot) {
            lines.append(name)
        }
        if settings.qibla, let qibla = around.qibla {
            lines.append(words.text(.qibla, ["degrees": NumberText.decimals(qibla, 0)]))
        }
        if settings.dua { lines.append(dua) }
        return lines
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private static let arabic = "ar"

    /// Said after the adhan (al-Bukhari 614).
    private static let dua =
        "اللَّهُمَّ رَبَّ هَذِهِ الدَّعْوَةِ التَّامَّةِ وَالصَّلَاةِ الْقَائِمَةِ آتِ مُحَمَّدًا الْوَسِيلَةَ وَالْفَضِيلَةَ "
        + "وَابْعَثْهُ مَقَامًا مَحْمُودًا الَّذِي وَعَدْتَهُ"
}

extension PersonalNotice {
    package var isReminder: Bool {
        if case .reminder = kind { true } else { false }
    }
}

/// `pending --json`
package struct PendingDocument: Codable, Sendable, Equatable {
    package struct Entry: Codable, Sendable, Equatable {
        package let id: String
        package let kind: String
        package let prayer: String
        package let at: String
        package let title: String
        package let body: String
    }

    package let pending: [Entry]

    package init(_ notices: [(PersonalNotice, Notification)], in zone: Zone) {
        pending = notices.map { notice, notification in
            Entry(
                id: notice.id, kind: notice.kindName,
                prayer: notice.slot.prayer.prayer(on: notice.slot.date).rawValue,
                at: InstantText.rfc3339(notice.at, in: zone), title: notification.title,
                body: notification.body)
        }
    }
}
