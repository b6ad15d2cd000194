/// A value for each of the six events that tables and users can shift.
public struct PerEvent<Value: Sendable & Equatable>: Sendable, Equatable {
    /// The value of Fajr.
    public var fajr: Value
    /// The value of sunrise.
    public var sunrise: Value
    /// The value of Dhuhr.
    public var dhuhr: Value
    /// The value of Asr.
    public var asr: Value
    /// The value of Maghrib.
    public var maghrib: Value
    /// The value of Isha.
    public var isha: Value

    /// Gives all six events one value.
    public init(all value: Value) {
        (fajr, sunrise, dhuhr, asr, maghrib, isha) = (value, value, value, value, value, value)
    }

    /// The value of an event; `nil` for the events that are never shifted on their own.
    func value(at event: DayEvent) -> Value? {
        switch event {
        case .fajr: fajr
        case .sunrise: sunrise
        case .dhuhr: dhuhr
        case .asr: asr
        case .maghrib: maghrib
        case .isha: isha
        case .imsak, .sunset, .midnight, .lastThird: nil
        }
    }
}

/// Whole minutes, as users write them.
public typealias EventMinutes = PerEvent<Int>

/// Minutes with fractions, as published tables imply them.
public typealias EventOffsets = PerEvent<Double>

extension PerEvent where Value: AdditiveArithmetic {
    /// Makes values; omitted events have zero.
    public init(
        fajr: Value = .zero, sunrise: Value = .zero, dhuhr: Value = .zero, asr: Value = .zero,
        maghrib: Value = .zero, isha: Value = .zero
    ) {
        self.init(all: .zero)
        (self.fajr, self.sunrise, self.dhuhr) = (fajr, sunrise, dhuhr)
        (self.asr, self.maghrib, self.isha) = (asr, maghrib, isha)
    }

    /// The value of an event; zero for the events that are never shifted on their own.
    public subscript(event: DayEvent) -> Value {
        get { value(at: event) ?? .zero }
        set {
            switch event {
            case .fajr: fajr = newValue
            case .sunrise: sunrise = newValue
            case .dhuhr: dhuhr = newValue
            case .asr: asr = newValue
            case .maghrib: maghrib = newValue
            case .isha: isha = newValue
            case .imsak, .sunset, .midnight, .lastThird: break
            }
        }
    }
}

extension PerEvent {
    /// A value for each event, where values may be missing. Imsak is rounded like Fajr, from which it is counted.
    func value<Own>(of event: DayEvent) -> Own? where Value == Own? {
        value(at: event == .imsak ? .fajr : event) ?? nil
    }
}
