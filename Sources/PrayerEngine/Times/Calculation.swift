/// How long a shadow is at Asr, beyond its length at noon.
public enum AsrSchool: String, CaseIterable, Sendable {
    /// Shafi'i, Maliki, Hanbali and Ja'fari: once the object's height.
    case standard
    /// Hanafi: twice the object's height.
    case hanafi

    public var shadowFactor: Double { self == .standard ? 1 : 2 }
}

/// What stands in for a Fajr or Isha that never comes or comes absurdly late, and for a Sun that does not
/// rise or set. docs/METHODS.md defines each to the letter.
public enum HighLatitudeRule: String, CaseIterable, Sendable {
    case auto
    case none
    case middleOfNight = "middle-of-night"
    case oneSeventh = "one-seventh"
    case twilightAngle = "twilight-angle"
    case nearestLatitude = "nearest-latitude"
    case nearestDay = "nearest-day"
}

/// How an instant becomes a whole minute of local time.
public enum Rounding: String, CaseIterable, Sendable {
    case nearest, up
    /// The exact instant is kept.
    case none
}

/// Where the night ends whose middle is midnight.
public enum MidnightRule: String, CaseIterable, Sendable {
    /// At sunrise.
    case standard
    /// At Fajr.
    case jafari
}

/// Which twilight's end the Moonsighting Committee's Isha follows.
public enum Shafaq: String, CaseIterable, Sendable {
    case general
    /// The red glow.
    case ahmer
    /// The white glow.
    case abyad
}

/// Everything that is a choice, and not astronomy, in a timetable.
public struct Calculation: Sendable, Equatable {
    public var method: Method
    public var asr = AsrSchool.hanafi
    public var highLatitude = HighLatitudeRule.auto
    /// `nil`: as the method's own tables do, for most to the nearest minute.
    public var rounding: Rounding?
    /// `nil`: the method's own, for most ``MidnightRule/standard``.
    public var midnight: MidnightRule?
    public var shafaq = Shafaq.general
    /// Minutes added last, before rounding.
    public var adjustments = EventMinutes()
    /// Days added to the Hijri date, −2…2; it decides when it is Ramadan.
    public var hijriAdjustment = 0

    /// ISNA, Hanafi, and the defaults of everything else.
    public init(method: Method = Method.named("isna") ?? Method.all[0]) {
        self.method = method
    }

    /// The rounding in effect.
    public var effectiveRounding: Rounding { rounding ?? method.rounding }

    /// The midnight rule in effect.
    public var effectiveMidnight: MidnightRule { midnight ?? method.midnight }
}
