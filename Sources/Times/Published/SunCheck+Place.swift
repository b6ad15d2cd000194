import PrayerEngine

/// Checks whether a table is for this place at all.
extension SunCheck {
    /// The finding; `nil` unless sunrise, noon or sunset are wrong on most of the days, by any clock.
    func placeFinding() -> TimetableFinding? {
        let known = days.indices.compactMap(differences)
        let off = known.filter { $0.contains { SunFit.isOff($0.key, $0.value) } }
        guard let first = days.first, let last = days.last, off.count >= 3,
            SunFit.doubts(off: off.count, of: known.count),
            let usual = Median.of(off.compactMap { $0.values.map(abs).max() })
        else { return nil }
        let town = site.name.split(separator: ",").first.map(String.init) ?? site.name
        return TimetableFinding(
            .otherPlace, from: first.date, until: last.date, events: Self.bySun.map(\.rawValue),
            "this is not a table for \(town): sunrise, noon or sunset are usually \(Self.minutes(usual)) from the computed ones. "
                + "Import the table for \(town), or set the place with \"adhanctl setup\"")
    }

    private static let bySun = [DayEvent.sunrise, .dhuhr, .maghrib]

    /// By how many minutes a day's sunrise, noon and sunset are off; `nil` where fewer than two of them are known.
    private func differences(_ index: Int) -> [DayEvent: Double]? {
        let pairs = Self.bySun.compactMap { event in deviationMinutes[event]?[index].map { (event, $0) } }
        guard pairs.count >= 2 else { return nil }
        let known = Dictionary(pairs) { $1 }
        // A wrong clock moves all of them by the same hour, and is a separate finding.
        let hour = ((known[.dhuhr] ?? pairs[0].1) / 60).rounded() * 60
        guard known.values.allSatisfy({ abs($0 - hour) <= 15 }) else { return known }
        return known.mapValues { abs($0) < abs($0 - hour) ? $0 : $0 - hour }
    }
}
