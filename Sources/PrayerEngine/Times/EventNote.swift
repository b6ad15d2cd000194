/// Why an event differs from the Sun's own. Small and flat, so that keeping a day's notes is cheap.
struct EventNote: Sendable, Equatable {
    enum Reason: UInt8, Sendable {
        case none
        /// The Sun does not get as low as `value` degrees below the horizon.
        case neverSoLow
        /// The event occurs, but only just, or late in the night.
        case lateInNight
        /// The Sun does not rise as high as `value` degrees below the horizon.
        case neverSoHigh
        case midnightSun, polarNight
        /// The Sun is not above the horizon at noon, so nothing has a shadow.
        case noShadow
        /// The shadow does not grow to Asr's length before sunset.
        case shortShadow
        /// `value` minutes after Maghrib would pass the middle of the night.
        case longInterval
        /// The time is `value` minutes after Maghrib, in Ramadan.
        case ramadan
        /// The time is by `value` degrees, the method's angle before it was changed.
        case earlierAngle
        /// The time is bounded by the Moonsighting Committee's season: `value` minutes.
        case season
        case seventhOfNight
        /// The time is by the authority's own rule for nights that do not become dark.
        case shortNight
        /// The time is limited: the authority prints no day longer or shorter than `value` minutes on this side of noon.
        case dayLimit
        /// The Sun meets the altitude at so small an angle that the time moves by `value` minutes a day.
        case grazing
        /// Offsets and rounding would have put events out of order.
        case withheld
        /// The time is counted from an event that has a note.
        case derived
        /// The time is counted from an event that does not exist.
        case baseMissing
        /// The zone skipped this date, or the Sun does not cross the meridian on it.
        case noSuchDay, noNoon
    }

    var reason: Reason
    /// The rule that supplied the time, if one did.
    var rule: HighLatitudeRule?
    var value: Float = 0

    static let none = EventNote(reason: .none)

    /// The note as a sentence for the user; `nil` when there is none.
    ///
    /// - Parameter exists: whether the event has a time.
    func text(for event: DayEvent, exists: Bool) -> String? {
        guard let cause = cause(for: event) else { return nil }
        if let rule { return "\(cause); \(rule.rawValue) rule applied" }
        switch reason {
        case .neverSoLow, .neverSoHigh, .midnightSun, .polarNight, .noShadow, .shortShadow:
            return exists ? cause : "\(cause), and no rule replaces it"
        default: return cause
        }
    }

    private func cause(for event: DayEvent) -> String? {
        let isMorning = event == .fajr || event == .imsak || event == .sunrise
        switch reason {
        case .none: return nil
        case .neverSoLow: return "the sun does not reach \(degrees) below the horizon"
        case .lateInNight:
            return isMorning
                ? "the sun passes \(degrees) below the horizon too early in the night"
                : "the sun reaches \(degrees) below the horizon too late in the night"
        case .neverSoHigh: return "the sun stays more than \(degrees) below the horizon"
        case .midnightSun:
            return isMorning ? "the sun does not set, so it does not rise" : "the sun does not set"
        case .polarNight:
            return isMorning ? "the sun does not rise" : "the sun does not rise, so it does not set"
        case .noShadow: return "the sun is not above the horizon at noon"
        case .shortShadow: return "the shadow does not reach the length of asr before sunset"
        case .longInterval: return "\(number) minutes after maghrib would pass the middle of the night"
        case .ramadan: return "in Ramadan \(number) minutes after maghrib"
        case .earlierAngle: return "\(degrees), the method's angle at that date"
        case .season:
            return "seasonal twilight: \(number) minutes \(isMorning ? "before sunrise" : "after sunset")"
        case .seventhOfNight: return "from 55° of latitude the method takes one seventh of the night"
        case .shortNight: return "the night is short: the authority's own rule for such nights"
        case .dayLimit:
            return "the authority prints no day \(value > 360 ? "longer" : "shorter") than \(number) minutes "
                + (isMorning ? "before noon" : "after noon")
        case .grazing:
            // Above a day's minutes the figure means nothing: at the poles it has no bound.
            return value < 1440
                ? "the sun's path is flat here: the time moves by about \(Int(total: Double(value))) minutes a day"
                : "the sun's path is flat here: the time moves by hours a day"
        case .withheld: return "offsets and rounding withheld: they would put the day's events out of order"
        case .derived: return "counted from an event that a rule or a special case shaped"
        case .baseMissing: return "an event that it is counted from does not occur"
        case .noSuchDay: return "the time zone has no such date"
        case .noNoon: return "the sun does not cross the meridian on this date in this time zone"
        }
    }

    private var degrees: String { number + "°" }

    private var number: String { Double(value).shortText }
}
