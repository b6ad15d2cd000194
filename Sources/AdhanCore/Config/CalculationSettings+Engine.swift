package import PrayerEngine

extension CalculationSettings {
    /// The engine's terms for the configuration's words. The words are checked when they are read, so that only angles
    /// which contradict each other can be refused here.
    package func resolved() throws(EngineError) -> Calculation {
        var calculation = Calculation(method: try engineMethod())
        calculation.asr = AsrSchool(rawValue: asr) ?? calculation.asr
        calculation.highLatitude = HighLatitudeRule(rawValue: highLatitude) ?? calculation.highLatitude
        calculation.rounding = rounding.flatMap { Rounding(rawValue: $0) }
        calculation.midnight = midnight.flatMap { MidnightRule(rawValue: $0) }
        calculation.shafaq = Shafaq(rawValue: shafaq) ?? calculation.shafaq
        calculation.hijriAdjustment = hijriAdjustment
        for (event, minutes) in adjustments { calculation.adjustments[event] = minutes }
        return calculation
    }

    private func engineMethod() throws(EngineError) -> Method {
        guard let angles else { return Method.named(method) ?? Calculation().method }
        let isha: Method.Isha =
            switch angles.isha {
            case .angle(let angle): .angle(angle)
            case .minutes(let minutes): .minutes(minutes, ramadan: minutes)
            }
        return try Method.custom(fajr: angles.fajr, isha: isha, maghrib: angles.maghrib)
    }
}
