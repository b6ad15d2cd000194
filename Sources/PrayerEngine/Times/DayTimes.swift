/// The ten events of one civil day. A value without references: making one allocates nothing.
public struct DayTimes: Sendable {
    /// The civil day on which noon falls. Isha and the events of the night may fall on the day after.
    public let date: CivilDate
    let seconds: EventSeconds
    let notes: EventNotes

    /// The instant of an event; `nil` if it does not occur and nothing replaces it. ``note(for:)`` then gives the reason.
    public subscript(event: DayEvent) -> Instant? {
        let value = seconds[event]
        return value.isNaN ? nil : Instant(unixSeconds: value)
    }

    /// Why an event differs from the Sun's own, in one sentence; `nil` when it does not.
    public func note(for event: DayEvent) -> String? {
        notes[event].text(for: event, exists: !seconds[event].isNaN)
    }

    /// Whether an event has a note, without writing it out.
    public func hasNote(for event: DayEvent) -> Bool { notes[event].reason != .none }
}

/// A number of Unix seconds for each event; not a number where there is none.
struct EventSeconds: Sendable {
    private var values = InlineArray<10, Double>(repeating: .nan)

    subscript(event: DayEvent) -> Double {
        get { values[event.ordinal] }
        set { values[event.ordinal] = newValue }
    }
}

/// A note for each event.
struct EventNotes: Sendable {
    private var values = InlineArray<10, EventNote>(repeating: .none)

    subscript(event: DayEvent) -> EventNote {
        get { values[event.ordinal] }
        set { values[event.ordinal] = newValue }
    }
}

extension DayEvent {
    /// The position in ``allCases``.
    var ordinal: Int {
        switch self {
        case .imsak: 0
        case .fajr: 1
        case .sunrise: 2
        case .dhuhr: 3
        case .asr: 4
        case .sunset: 5
        case .maghrib: 6
        case .isha: 7
        case .midnight: 8
        case .lastThird: 9
        }
    }
}
