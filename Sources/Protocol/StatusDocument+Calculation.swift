package import PrayerEngine
package import Times

extension StatusDocument.Calculation {
    package init(_ site: Site, before: PractisedMethod? = nil, calendarBefore: HijriRule? = nil) {
        let adjustment = site.calculation.hijri.adjustment
        self.init(
            CalculationBasics(site),
            .init(
                hijriCalendarBefore: calendarBefore?.rawValue,
                hijriAdjustment: adjustment == 0 ? nil : adjustment,
                methodBefore: before.map {
                    .init(method: $0.method, asr: $0.asr, highLatitude: $0.highLatitude)
                }))
    }

    package init(method: String, asr: String, highLatitude: String) {
        self.init(CalculationBasics(method: method, asr: asr, highLatitude: highLatitude), .init())
    }
}
