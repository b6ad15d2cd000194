package import PrayerEngine
import Texts

/// The settings of the calculation of times, from a configuration or a command line.
package struct CalculationSettings: Sendable, Equatable {
    /// A method's name such as `isna`, `custom`, or `auto`: the method of the place, which ``practised(at:zone:_:)`` finds.
    package var method = Self.automatic
    /// Whether a command line named the method, and not the configuration.
    package var isOption = false
    /// Present exactly when the method is `custom`.
    package var angles: CustomAngles?
    /// A region of the method's authority, such as `WLY01`; `nil` is the region of the place.
    package var zone: String?
    /// The school; `nil` is the practice of the place where the place chooses the method, and otherwise the method's own.
    package var asr: AsrSchool?
    /// The rule; `nil` is the practice of the place where the place chooses the method, and otherwise `auto`.
    package var highLatitude: HighLatitudeRule?
    /// The rounding; `nil` is the method's own.
    package var rounding: Rounding?
    /// Roundings of single events, which override `rounding`.
    package var roundingByEvent = PerEvent<EventRounding?>(all: nil)
    /// The rule for midnight; `nil` is the method's own.
    package var midnight: MidnightRule?
    /// The shafaq, which only the moonsighting method uses.
    package var shafaq = Shafaq.general
    /// The authority of the calendar; `nil` is that of the place, which ``practised(at:zone:_:)`` finds.
    package var hijriRule: HijriRule?
    /// Days added to the calendar, -2...2.
    package var hijriAdjustment = 0
    /// First days of months that a person decided.
    package var hijriPins: [HijriMonth: CivilDate] = [:]
    package var hijriDayBegins = HijriCalendar.DayBegins.maghrib
    /// Minutes added last, -60...60 each.
    package var adjustments = EventMinutes()

    package init() {}

    /// The calendar: the written settings over the months of `rule`.
    package func hijri(by rule: HijriRule) -> HijriCalendar {
        let calendar = try? HijriCalendar(
            pins: hijriPins, rule: rule, adjustment: hijriAdjustment, dayBegins: hijriDayBegins)
        return calendar
            ?? HijriCalendar(rule: rule, adjustment: hijriAdjustment, dayBegins: hijriDayBegins)
    }

    /// The value of the method that selects the place's.
    package static let automatic = "auto"
    /// The name of the method with custom angles.
    package static let custom = "custom"

    /// The calculation of the engine. Settings from the loader never throw here; settings of a command line may contradict each
    /// other. The calculation knows no place: where the place chooses the method, choose it first (``practised(at:zone:_:)``).
    package func calculation() throws(EngineError) -> Calculation {
        var calculation = Calculation(method: try engineMethod())
        calculation.zone = try engineZone(of: calculation.method)
        calculation.asr = asr ?? calculation.method.asr
        calculation.highLatitude = highLatitude ?? .auto
        calculation.rounding = rounding
        calculation.roundingByEvent = roundingByEvent
        calculation.midnight = midnight
        calculation.shafaq = shafaq
        calculation.hijri = hijri(by: hijriRule ?? .ummAlQura)
        calculation.adjustments = adjustments
        return calculation
    }

    private func engineZone(of method: Method) throws(EngineError) -> String? {
        guard let zone else { return nil }
        let codes = method.places.all.map(\.code)
        guard self.method != Self.automatic || zoneOwner != nil else {
            throw .contradiction("no authority has a zone \"\(zone)\"; `adhanctl methods` lists them")
        }
        if let code = codes.first(where: { $0.lowercased() == zone.lowercased() }) { return code }
        guard !codes.isEmpty else {
            let advice =
                zoneOwner.map { "\(zone) is one of the method \($0.name)" } ?? "leave calculation.zone out"
            throw .contradiction("the method \(method.name) has no zones; \(advice)")
        }
        let near = NearestName.of(zone, among: codes).map { "; did you mean \($0)?" } ?? ""
        throw .contradiction(
            "the method \(method.name) has no zone \"\(zone)\"; it has \(codes.joined(separator: ", "))\(near)"
        )
    }

    /// The method whose authority publishes for the zone.
    package var zoneOwner: Method? {
        guard let zone else { return nil }
        return Method.all.first { $0.places.all.contains { $0.code.lowercased() == zone.lowercased() } }
    }

    private func engineMethod() throws(EngineError) -> Method {
        if method == Self.automatic, let zoneOwner { return zoneOwner }
        let method = method == Self.automatic ? MethodChoice.generic : method
        guard method == Self.custom else {
            guard let known = Method.named(method) else {
                throw .contradiction("there is no method \"\(method)\"; `adhanctl methods` lists them")
            }
            return known
        }
        guard let angles else { throw .contradiction("the method \"custom\" needs its angles") }
        let isha: Method.Isha =
            switch angles.isha {
            case .angle(let angle): .angle(angle)
            case .minutes(let minutes): .minutes(minutes, ramadan: minutes)
            }
        return try Method.custom(fajr: angles.fajrDegrees, isha: isha, maghrib: angles.maghribDegrees)
    }
}

/// The angles of the method `custom`, in degrees below the horizon.
package struct CustomAngles: Sendable, Equatable {
    /// The time of isha: at an angle, or a fixed number of minutes after maghrib.
    package enum Isha: Sendable, Equatable {
        case angle(degrees: Double)
        case minutes(Double)
    }

    package var fajrDegrees: Double
    package var isha: Isha
    /// The angle of maghrib; 0 is sunset.
    package var maghribDegrees: Double

    package init(fajrDegrees: Double, isha: Isha, maghribDegrees: Double = 0) {
        self.fajrDegrees = fajrDegrees
        self.isha = isha
        self.maghribDegrees = maghribDegrees
    }
}
