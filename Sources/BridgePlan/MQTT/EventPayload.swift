// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The property names are Home Assistant's.
package import PrayerEngine
package import Protocol
package import Texts

/// Kinds of event that are sent to the house.
package enum EventType: String, Codable, Sendable, CaseIterable {
    case upcoming, preroll, started, finished, stopped, failed, missed, muted, skipped, iqama
}

/// The document for `event`, which hooks also receive: one event.
package struct EventPayload: Codable, Sendable, Equatable {
    package var v = 1
    package let event_type: EventType
    package let id: String
    @Nullable package var prayer: String?
    @Nullable package var due: String?
    package let at: String
    /// Milliseconds until it is due.
    @Nullable package var leadMs: Double?
    @Nullable package var durationMs: Double?
    @Nullable package var reason: String?
    @Nullable package var cause: EndCause?
    @Nullable package var volume: Int?
    /// Whether it is simulated (`debug trigger`).
    package let pretended: Bool

    package init(
        _ type: EventType, id: String, prayer: String?, due: String?, at: String, durationMs: Double? = nil,
        reason: String? = nil, cause: EndCause? = nil, volume: Int? = nil, pretended: Bool = false
    ) {
        (event_type, self.id, self.at, self.pretended) = (type, id, at, pretended)
        (self.prayer, self.due, self.durationMs) = (prayer, due, durationMs)
        (self.reason, self.cause, self.volume) = (reason, cause, volume)
        guard let due = due.flatMap({ InstantText.parse($0) }), let at = InstantText.parse(at) else { return }
        leadMs = ((due - at) * 1000).rounded()
    }

    /// Seconds after which a broker drops an undelivered event.
    package static let expirySeconds = 60
}

/// Turns events of adhand's monitor and instants of the agenda into events for the house, each once.
package struct EventMapper: Sendable, Equatable {
    private var sent: [String] = []
    private static let mostSent = 200

    package init() {}

    /// - Returns: `nil` for events that are not sent: reminders, tests and repetitions.
    package mutating func event(_ entry: LogEntry, volume: Int? = nil) -> EventPayload? {
        guard let text = entry.id, let id = AnnouncementID(text), Self.isForHouses(id),
            let kind = Notice.Kind(rawValue: entry.event), let type = Self.type(kind, entry.cause)
        else { return nil }
        let isTrial = if case .simulated = id.kind { true } else { false }
        // An announcement that is cued again repeats its events.
        if type == .preroll { sent.removeAll { $0.hasSuffix(" \(text)") } }
        guard note("\(type.rawValue) \(text)") else { return nil }
        return EventPayload(
            type, id: text, prayer: entry.prayer, due: entry.scheduled, at: entry.at,
            durationMs: entry.durationMs,
            reason: entry.reason, cause: entry.cause, volume: volume, pretended: isTrial)
    }

    /// The event for an instant of the agenda: an adhan is near, or an iqama begins.
    package mutating func event(_ type: EventType, _ occasion: OccasionDocument, at now: String)
        -> EventPayload?
    {
        guard type == .upcoming || type == .iqama, note("\(type.rawValue) \(occasion.id)") else { return nil }
        return EventPayload(type, id: occasion.id, prayer: occasion.prayer, due: occasion.at, at: now)
    }

    /// The next instant with an event.
    package static func next(
        in agenda: [OccasionDocument], after now: Instant, upcomingSeconds: Double
    ) -> (at: Instant, type: EventType, occasion: OccasionDocument)? {
        var next: (at: Instant, type: EventType, occasion: OccasionDocument)?
        for occasion in agenda {
            guard let instant = InstantText.parse(occasion.at) else { continue }
            let type: EventType
            let at: Instant
            switch occasion.kind {
            case .adhan where occasion.enabled && upcomingSeconds > 0:
                (type, at) = (.upcoming, instant - upcomingSeconds)
            case .iqama: (type, at) = (.iqama, instant)
            default: continue
            }
            if at > now, next.map({ at < $0.at }) ?? true { next = (at, type, occasion) }
        }
        return next
    }

    private mutating func note(_ word: String) -> Bool {
        guard !sent.contains(word) else { return false }
        sent.append(word)
        if sent.count > Self.mostSent { sent.removeFirst(sent.count - Self.mostSent) }
        return true
    }

    private static func isForHouses(_ id: AnnouncementID) -> Bool {
        switch id.kind {
        case .reminder, .iqamaReminder, .test: false
        default: true
        }
    }

    private static func type(_ kind: Notice.Kind, _ cause: EndCause?) -> EventType? {
        switch kind {
        case .prayerCued: .preroll
        case .prayerStarted: .started
        case .prayerFinished: .finished
        case .prayerInterrupted: cause == .device ? .failed : .stopped
        // Without a cause, the recording was replaced by the signal, and the prayer continues.
        case .prayerFailed: cause == nil ? nil : .failed
        case .prayerMissed: .missed
        case .prayerMuted: .muted
        case .prayerSkipped: .skipped
        case .prayerReleased:
            switch cause {
            case .mute: .muted
            case .toggle, .announcement: .skipped
            default: .stopped
            }
        default: nil
        }
    }
}
