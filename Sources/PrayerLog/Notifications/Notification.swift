import AdhanCore
package import PrayerEngine

/// A notice as a notification server is told it.
package struct Notification: Equatable, Sendable {
    package enum Urgency: UInt8, Sendable {
        case low = 0
        case normal
    }

    /// What a person may press. The raw value is the key that the server answers with.
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
    /// A sound's name of the freedesktop sound theme; `nil` where adhand itself is heard.
    package let sound: String?
    /// Whether it stays until it is pressed, replaced or closed.
    package let stays: Bool

    /// Something that is of no prayer.
    package init(title: String, body: String) {
        self.title = title
        self.body = body
        (urgency, buttons, sound, stays) = (.normal, [], nil, false)
    }
}

/// What is known when a notice is put into words.
package struct NoticeSurroundings: Sendable {
    package var place: String
    package var zone: Zone
    /// When the prayer's time is.
    package var window: PrayerWindow
    /// Degrees from true north; `nil` where the place's coordinates are not known.
    package var qibla: Double?
    /// Whether adhand answers, and so is heard by itself.
    package var hasAdhan: Bool
    /// Whether this person may stop and mute it.
    package var mayMute: Bool
    /// What the notification server can do: of the words of the Desktop Notifications Specification.
    package var capabilities: Set<String>

    package init(
        place: String, zone: Zone, window: PrayerWindow, qibla: Double?, hasAdhan: Bool, mayMute: Bool,
        capabilities: Set<String>
    ) {
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
        _ notice: PersonalNotice, _ around: NoticeSurroundings, words: Words, settings: CompanionSettings
    ) {
        let name = words.title(notice.slot)
        let hasActions = around.capabilities.contains("actions")
        var lines: [String] = []
        switch notice.kind {
        case .reminder(let before):
            title = "\(name) in \(Self.minutes(before))"
            lines.append(
                "\(name) in \(around.place) is at \(InstantText.minute(around.window.start, in: around.zone))"
            )
            (urgency, stays) = (.low, false)
            sound = "message"
        case .prayer, .snoozed:
            title = "Time for \(name)"
            lines.append("It's time to pray \(name) in \(around.place)")
            (urgency, stays) = (.normal, true)
            sound = around.hasAdhan ? nil : "alarm-clock-elapsed"
        case .followUp:
            title = "\(name) is not marked yet"
            lines.append("Its time ends at \(InstantText.minute(around.window.end, in: around.zone))")
            (urgency, stays) = (.normal, true)
            sound = "message"
        }
        if notice.kind == .prayer {
            lines += Self.additions(notice.slot, around, settings)
        }
        var buttons: [Button] = []
        if hasActions {
            if !notice.isReminder {
                buttons.append(Button(action: .prayed, label: "Prayed"))
                buttons.append(
                    Button(action: .snooze, label: "Snooze \(Self.minutes(settings.snooze, short: true))"))
            }
            if around.hasAdhan, around.mayMute, notice.kind == .prayer || notice.isReminder {
                buttons.append(Button(action: .mute, label: "Mute the adhan"))
            }
        } else if !notice.isReminder {
            lines.append("Mark it with: prayed")
        }
        self.buttons = buttons
        let text = lines.joined(separator: "\n")
        body = around.capabilities.contains("body-markup") ? Self.escaped(text) : text
    }

    private static func additions(
        _ slot: PrayerSlot, _ around: NoticeSurroundings, _ settings: CompanionSettings
    ) -> [String] {
        var lines: [String] = []
        if settings.arabicName, let name = arabicNames[slot.prayer.prayer(on: slot.date)] {
            lines.append(name)
        }
        if settings.qibla, let qibla = around.qibla {
            lines.append("Qibla: \(NumberText.decimals(qibla, 0))° from north")
        }
        if settings.dua { lines.append(dua) }
        return lines
    }

    /// `10 minutes`, `20 min`
    private static func minutes(_ seconds: Double, short: Bool = false) -> String {
        let minutes = Int((seconds / 60).rounded())
        if short { return "\(minutes) min" }
        if seconds < 60 { return "\(Int(seconds)) seconds" }
        return minutes == 1 ? "1 minute" : "\(minutes) minutes"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private static let arabicNames: [Prayer: String] = [
        .fajr: "الفجر", .dhuhr: "الظهر", .asr: "العصر", .maghrib: "المغرب", .isha: "العشاء", .jumua: "الجمعة",
    ]

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
