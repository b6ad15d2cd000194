/// A moment of one day, and why it is there.
struct Mark: Sendable {
    /// Unix seconds; not a number when it does not occur.
    var seconds = Double.nan
    var note = EventNote.none

    var exists: Bool { !seconds.isNaN }

    /// By how many seconds a time may move in a day before it deserves a word. Half of ten minutes, because
    /// near the grazing point tomorrow's step is up to twice today's rate.
    static let quick = 300.0
}

extension Mark {
    /// A crossing as it is: found, or missing for the reason that its state tells.
    init(
        _ crossing: Crossing, on day: SolarDay, above: EventNote.Reason, below: EventNote.Reason,
        value: Double = 0
    ) {
        switch crossing.state {
        case .found:
            seconds = day.instant(crossing.x).unixSeconds
            let daily = abs(crossing.drift) * 86_400
            if daily > Self.quick { note = EventNote(reason: .grazing, value: Float(daily / 60)) }
        case .staysAbove: note = EventNote(reason: above, value: Float(value))
        case .staysBelow: note = EventNote(reason: below, value: Float(value))
        }
    }
}
