package import PrayerEngine

/// How times are calculated, in the configuration's words: the names of its values are the contract's.
package struct CalculationSettings: Sendable, Equatable {
    /// A method's name such as `isna`, or `custom`.
    package var method = "isna"
    /// Present exactly when the method is `custom`.
    package var angles: CustomAngles?
    /// `standard` or `hanafi`.
    package var asr = "hanafi"
    package var highLatitude = "auto"
    /// `nearest`, `up` or `none`; `nil` is the method's own.
    package var rounding: String?
    /// `standard` or `jafari`; `nil` is the method's own.
    package var midnight: String?
    /// `general`, `ahmer` or `abyad`; only the moonsighting method looks at it.
    package var shafaq = "general"
    /// Days, -2...2.
    package var hijriAdjustment = 0
    /// Minutes, -60...60, added last; events that are left out are not moved.
    package var adjustments: [DayEvent: Int] = [:]

    package init() {}
}

/// The angles of the method `custom`, in degrees below the horizon.
package struct CustomAngles: Sendable, Equatable {
    /// When isha is: at an angle, or a fixed number of minutes after maghrib.
    package enum Isha: Sendable, Equatable {
        case angle(Double)
        case minutes(Double)
    }

    package var fajr: Double
    package var isha: Isha
    /// 0 is sunset.
    package var maghrib: Double

    package init(fajr: Double, isha: Isha, maghrib: Double = 0) {
        self.fajr = fajr
        self.isha = isha
        self.maghrib = maghrib
    }
}
