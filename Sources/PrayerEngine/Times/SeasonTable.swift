/// Minutes from Fajr to sunrise and from sunset to Isha through the year.
public struct SeasonTable: Sendable, Equatable {
    private let morning: YearCurve
    private let evening: YearCurve

    /// London's table: minutes from the Sun's sunrise and sunset, before the three minutes that London adds to these.
    static let london = SeasonTable(
        morning: YearCurve([
            99.7, 100.1, 100, 100, 100, 100.1, 99.9, 100.3, 99, 95.3, 94.7, 96.2, 100.7, 105.7, 110.8, 117.2,
            122.9, 123.5, 118.9, 114.8, 110.7, 104.5, 101.5, 97.8, 94.7, 95.3, 92.6, 90, 93.8, 96.9, 100.2,
            102.9, 105.5, 104.9, 105.2, 103.2,
        ]),
        evening: YearCurve([
            100.2, 99.9, 100.4, 99, 93.4, 91.6, 89.3, 84.5, 82.4, 79.9, 78.1, 76.7, 74, 73.4, 75, 78.8, 83.4,
            81.4, 75.6, 71.8, 68.2, 66, 68.8, 70.6, 73.6, 76.9, 78.4, 80.8, 84.5, 87.6, 91.2, 95.4, 97.7,
            100, 100, 100,
        ]))

    func minutes(_ side: Night.Side, on date: CivilDate) -> Double {
        (side == .morning ? morning : evening).minutes(on: date)
    }
}
