import PrayerEngine

/// Whether a table is for this place at all.
extension SunCheck {
    /// Minutes that no custom, safety margin or neighbouring town accounts for.
    private static let tooFar = 20.0

    /// `nil` unless sunrise, noon or sunset are elsewhere on most of the days, whatever clock the table is by.
    func placeFinding() -> TableFinding? {
        let off = days.indices.compactMap(distance)
        guard let first = days.first, let last = days.last, off.count >= 3,
            off.count(where: { $0 > Self.tooFar }) * 10 >= off.count * 6, let usual = Median.of(off)
        else { return nil }
        let town = site.name.split(separator: ",").first.map(String.init) ?? site.name
        return TableFinding(
            .otherPlace, from: first.date, until: last.date, events: Self.bySun.map(\.rawValue),
            "this is not a table for \(town): sunrise, noon or sunset are usually \(Self.minutes(usual)) from the computed ones. "
                + "Import the table for \(town), or set the place with \"adhanctl setup\"")
    }

    private static let bySun = [DayEvent.sunrise, .dhuhr, .maghrib]

    /// By how much a day's sunrise, noon or sunset is off at most; `nil` where fewer than two of them are known.
    private func distance(_ index: Int) -> Double? {
        let known = Self.bySun.compactMap { deviations[$0]?[index] }
        guard known.count >= 2 else { return nil }
        // A wrong clock moves all of them by the same hour, and is a finding of its own.
        let hour = ((deviations[.dhuhr]?[index] ?? known[0]) / 60).rounded() * 60
        return known.map {
            min(abs($0), known.allSatisfy { abs($0 - hour) <= 15 } ? abs($0 - hour) : abs($0))
        }.max()
    }
}
