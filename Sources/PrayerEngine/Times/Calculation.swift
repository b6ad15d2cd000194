/// The length of a shadow at Asr, beyond its length at noon.
public enum AsrSchool: String, CaseIterable, Sendable {
    /// Shafi'i, Maliki, Hanbali and Ja'fari: once the object's height.
    case standard
    /// Hanafi: twice the object's height.
    case hanafi

    /// The shadow at Asr without its length at noon, in heights of the object: 1 or 2.
    public var shadowFactor: Double { self == .standard ? 1 : 2 }
}

/// The rule that replaces a Fajr or Isha that does not occur or is absurdly late, and the times on days without sunrise or
/// sunset. docs/METHODS.md defines each exactly.
public enum HighLatitudeRule: String, CaseIterable, Sendable {
    case auto
    case none
    case middleOfNight = "middle-of-night"
    case oneThird = "one-third"
    case oneSeventh = "one-seventh"
    case twilightAngle = "twilight-angle"
    case nearestLatitude = "nearest-latitude"
    case nearestDay = "nearest-day"
    case frozen
}

/// The rounding of instants to whole minutes of local time.
public enum Rounding: String, CaseIterable, Sendable {
    case nearest
    /// Rounds up, except sunrise, which ends Fajr and is rounded down.
    case up
    /// Never early: like ``up``, except that imsak, at which a fast begins, is rounded down.
    case safe
    /// Keeps the exact instant.
    case none

    /// The rounding of one event; `nil` keeps its exact instant.
    func direction(of event: DayEvent) -> EventRounding? {
        switch self {
        case .nearest: .nearest
        case .up: event == .sunrise ? .down : .up
        case .safe: event == .sunrise || event == .imsak ? .down : .up
        case .none: nil
        }
    }
}

/// The rounding of one event to a whole minute.
public enum EventRounding: String, CaseIterable, Sendable {
    case nearest, up, down

    func callAsFunction(_ minutes: Double) -> Double {
        switch self {
        case .nearest: (minutes + 0.5).rounded(.down)
        case .up: minutes.rounded(.up)
        case .down: minutes.rounded(.down)
        }
    }
}

/// The end of the night whose midpoint is midnight.
public enum MidnightRule: String, CaseIterable, Sendable {
    /// The night ends at sunrise.
    case standard
    /// The night ends at Fajr.
    case jafari
}

/// The twilight whose end the Moonsighting Committee's Isha follows.
public enum Shafaq: String, CaseIterable, Sendable {
    case general
    /// The red glow.
    case ahmer
    /// The white glow.
    case abyad
}

/// All choices in a timetable that are not astronomy.
public struct Calculation: Sendable, Equatable {
    /// The authority whose model is computed.
    public var method: Method
    /// The code of one of the method's reference places, such as `WLY01`; `nil`: the one that contains the place.
    public var zone: String?
    /// The school in effect, which may differ from the method's own.
    public var asr: AsrSchool
    /// The rule for nights without a Fajr or Isha. With `auto` the latitude determines it, and for some methods the
    /// method.
    public var highLatitude = HighLatitudeRule.auto
    /// The rounding; `nil`: as in the method's own tables, usually to the nearest minute.
    public var rounding: Rounding?
    /// The rounding of single events, which overrides ``rounding``.
    public var roundingByEvent = PerEvent<EventRounding?>(all: nil)
    /// The rule for midnight; `nil`: the method's own, usually ``MidnightRule/standard``.
    public var midnight: MidnightRule?
    /// The twilight of Isha, which only the Moonsighting Committee's method considers.
    public var shafaq = Shafaq.general
    /// The user's minutes, added last, before rounding.
    public var adjustments = EventMinutes()
    /// The calendar that decides when it is Ramadan.
    public var hijri = HijriCalendar()

    /// Makes the calculation of a method, with its school and defaults for everything else.
    public init(method: Method = Method.named("isna") ?? Method.all[0]) {
        self.method = method
        asr = method.asr
    }

    /// The rounding in effect for events that have none of their own.
    public var effectiveRounding: Rounding { rounding ?? method.rounding }

    /// The rounding of one event; `nil` keeps its exact instant.
    public func rounding(of event: DayEvent) -> EventRounding? {
        if let own = roundingByEvent.value(of: event) { return own }
        if let rounding { return rounding.direction(of: event) }
        return method.roundingByEvent.value(of: event) ?? method.rounding.direction(of: event)
    }

    /// The country for which the method has zones, if the place is near none of them; its times are then computed for the place
    /// itself.
    public func countryMissed(at place: Place) -> String? {
        guard zone == nil, method.places.around(place) == nil else { return nil }
        return method.places.country
    }

    /// The midnight rule in effect.
    public var effectiveMidnight: MidnightRule { midnight ?? method.midnight }
}
