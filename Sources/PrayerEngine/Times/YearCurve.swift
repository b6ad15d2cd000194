/// Minutes on the 1st, 11th and 21st of every month, interpolated linearly: the differences between a printed table
/// and the Sun, where they follow no rule.
struct YearCurve: Sendable, Equatable {
    private let values: [Double]

    /// - Parameter values: 36 values, from 1 January on.
    init(_ values: [Double]) {
        precondition(values.count == 36)
        self.values = values
    }

    func minutes(on date: CivilDate) -> Double {
        let third = min((date.day - 1) / 10, 2)
        let start = 1 + third * 10
        // The 41st day counted from the start of a month lies in the next month, which is the one to interpolate towards.
        let next = CivilDate(dayNumber: date.dayNumber - date.day + 41)
        let length = third < 2 ? 10 : 41 - next.day - 20
        let index = (date.month - 1) * 3 + third
        let (from, to) = (values[index], values[(index + 1) % values.count])
        return from + (to - from) * Double(date.day - start) / Double(length)
    }
}

extension PerEvent where Value == YearCurve {
    init(
        fajr: [Double], sunrise: [Double], dhuhr: [Double], asr: [Double], maghrib: [Double], isha: [Double]
    ) {
        self.init(all: YearCurve(fajr))
        (self.sunrise, self.dhuhr) = (YearCurve(sunrise), YearCurve(dhuhr))
        (self.asr, self.maghrib, self.isha) = (YearCurve(asr), YearCurve(maghrib), YearCurve(isha))
    }
}
