/// An authority's printed times for nights that do not become dark, or do so only late. They apply while the high-latitude rule
/// is `auto`; any other rule replaces them.
enum ShortNights: Sendable, Equatable {
    case bright(BrightNights)
    case shares(NightShares)
}

/// Fixed minutes before sunrise and after sunset on nights that do not become dark.
struct BrightNights: Sendable, Equatable {
    /// The least depth of the Sun, in degrees, at which a night counts as dark.
    let depth: Double
    /// Minutes from Fajr to sunrise and from sunset to Isha.
    let morning: Double
    let evening: Double

    static let tatarstan = BrightNights(depth: 18, morning: 120, evening: 90)
}

/// Diyanet's tables north of 45°: a share of the night where it does not become dark, and straight lines by the clock from there
/// to the nearest date on which the Sun goes well below the angle. All figures were derived from its tables for six towns of
/// Sweden and Germany.
struct NightShares: Sendable, Equatable {
    static let diyanet = NightShares()

    /// The latitude from which the shares apply, in degrees.
    let latitude = 45.0
    /// The depth of the Sun at midnight, in degrees, above which a night is not dark.
    let depth = 18.0

    /// The part of the night, from the printed maghrib to the printed sunrise, that separates Fajr and Isha from its ends.
    func share(_ side: Night.Side, at latitude: Double, isDark: Bool) -> Double {
        // South of 48.5° every night is dark, and the lines meet at the solstice.
        if isDark { return side == .morning ? 0.225 : 0.201 }
        let north = max(0, latitude - 61)
        return side == .morning ? 0.1977 + 0.0021 * north : 0.1758 + 0.0019 * north
    }

    /// The depth at which the lines end.
    func limit(_ side: Night.Side, isSpring: Bool, at latitude: Double) -> Double {
        guard latitude > 48.56 else { return isSpring ? side == .morning ? 26.2 : 24.5 : 25.3 }
        let north = 0.16 * max(0, latitude - 62)
        return isSpring ? 26.05 - north : (side == .morning ? 27.25 : 25) - north
    }

    /// An upper bound of all limits.
    let highestLimit = 27.25

    /// Minutes of half a day, sunrise to printed noon or printed noon to sunset: the least and the most.
    private let shortest = 143.0
    private let longest = 563.0

    /// The longest times from sunrise to noon, and from noon to sunset. In the month before the solstice the morning grows to its
    /// later length, and the afternoon shrinks in the month after it.
    func longestHalves(on date: CivilDate) -> (morning: Double, afternoon: Double) {
        let solstice = CivilDate.dayNumber(year: date.year, month: 6, day: 21)
        let months = min(1, max(-1, (Double(date.dayNumber - solstice) - 0.5) / 30))
        return (longest + 5.1 * min(0, months), longest - 5.1 * max(0, months))
    }

    /// Limits a day to the printed lengths.
    func limit(_ sunrise: inout EventTime, _ sunset: inout EventTime, noon: Double, on date: CivilDate) {
        let halves = longestHalves(on: date)
        func hold(_ time: inout EventTime, _ direction: Double, _ longest: Double) {
            let half =
                switch time.note.reason {
                case .midnightSun: Double.infinity
                case .polarNight: 0.0
                default: (time.seconds - noon) * direction / 60
                }
            guard half < shortest || half > longest else { return }
            let minutes = half > longest ? longest : shortest
            time = EventTime(
                seconds: noon + direction * minutes * 60,
                note: EventNote(reason: .dayLimit, value: Float(minutes)))
        }
        hold(&sunrise, -1, halves.morning)
        hold(&sunset, 1, halves.afternoon)
    }
}

extension Night {
    /// Fajr or Isha by the authority's own rule for short nights; `nil` where it does not apply to this one.
    ///
    /// - Parameter time: the time by the Sun.
    func short(_ side: Side, _ time: EventTime) -> EventTime? {
        switch plan.shortNights {
        case nil: nil
        case .bright(let rule): bright(side, rule) ?? (time.exists ? time : nil)
        case .shares(let rule):
            plan.short(side == .evening ? evening : morning, side, rule)
        }
    }

    private func bright(_ side: Side, _ rule: BrightNights) -> EventTime? {
        let (depth, _) = plan.observer.extremes(declination: evening.solar.midnightDeclinationDegrees)
        let length = morning.sunrise.seconds - evening.sunset.seconds
        guard depth < rule.depth, length > 0 else { return nil }
        // Far north the night is shorter than both.
        let scale = min(1, 0.9 * length / 60 / (rule.morning + rule.evening))
        let seconds =
            side == .evening
            ? evening.sunset.seconds + (rule.evening * scale + plan.method.offsets.maghrib) * 60
            : morning.sunrise.seconds - (rule.morning * scale - plan.method.offsets.sunrise) * 60
        return EventTime(seconds: seconds, note: EventNote(reason: .shortNight))
    }
}

extension CalculationPlan {
    fileprivate func short(_ events: SolarEvents, _ side: Night.Side, _ rule: NightShares) -> EventTime? {
        let depth = depth(events.solar)
        guard depth < rule.highestLimit else { return nil }
        let seconds =
            depth < rule.depth
            ? share(events.sunrise.seconds, events.sunset.seconds, side, rule, isDark: false)
            : line(events.solar, depth, side, rule)
        return seconds.map { EventTime(seconds: $0, note: EventNote(reason: .shortNight)) }
    }

    /// The Sun's depth below the horizon at midnight, by its declination at noon: degrees.
    private func depth(_ day: SolarDay) -> Double {
        observer.extremes(declination: day.noonDeclinationDegrees).depth
    }

    private func share(
        _ sunrise: Double, _ sunset: Double, _ side: Night.Side, _ rule: NightShares, isDark: Bool
    ) -> Double? {
        let (start, end) = (sunset + method.offsets.maghrib * 60, sunrise + method.offsets.sunrise * 60)
        let part = rule.share(side, at: observer.latitude, isDark: isDark) * (86_400 - (start - end))
        guard part.isFinite else { return nil }
        return side == .evening ? start + part : end - part
    }

    /// The straight line between the last date by the angle and the first by the share, or the reverse.
    private func line(_ day: SolarDay, _ depth: Double, _ side: Night.Side, _ rule: NightShares) -> Double? {
        var track = SunTrack()
        func solar(_ index: Int) -> SolarDay {
            SolarDay(index: index, longitude: longitude, track: &track, ephemeris: method.ephemeris)
        }
        let isSpring = self.depth(solar(day.index + 1)) < depth
        let toSummer = isSpring ? 1 : -1
        let limit = rule.limit(side, isSpring: isSpring, at: observer.latitude)
        guard depth < limit else { return nil }
        var summer = (day: day, depth: depth)
        while summer.depth >= rule.depth {
            let next = solar(summer.day.index + toSummer)
            // Stop at the solstice, where every night is dark.
            guard self.depth(next) < summer.depth else { break }
            summer = (next, self.depth(next))
        }
        var winter = (day: day, depth: depth)
        while winter.depth < limit {
            // Near the pole the Sun never gets so low.
            guard abs(winter.day.index - day.index) < 183 else { return nil }
            winter.day = solar(winter.day.index - toSummer)
            winter.depth = self.depth(winter.day)
        }
        guard let start = clock(winter.day, side),
            let end = clock(summer.day, side, rule, isDark: summer.depth >= rule.depth)
        else { return nil }
        let part = Double(day.index - winter.day.index) / Double(summer.day.index - winter.day.index)
        return Double(day.index) * 86_400 + start + (end - start) * part
    }

    /// Seconds after 0 h UT of a solar day's date at which the angle is passed.
    private func clock(_ day: SolarDay, _ side: Night.Side) -> Double? {
        var angle = fajrAngle(on: CivilDate(dayNumber: day.index))
        if side == .evening {
            guard case .angle(let degrees) = isha else { return nil }
            angle = degrees
        }
        let crossing = day.crossing(
            .depression(angle), side == .evening ? .evening : .morning, at: observer)
        guard crossing.state == .found else { return nil }
        return day.instant(crossing.x).unixSeconds - Double(day.index) * 86_400
    }

    /// The clock time for the share of a night.
    private func clock(_ day: SolarDay, _ side: Night.Side, _ rule: NightShares, isDark: Bool) -> Double? {
        var (sunrise, sunset) = (
            EventTime(
                day.crossing(observer.sunriseTarget, .morning, at: observer), on: day, above: .midnightSun,
                below: .polarNight),
            EventTime(
                day.crossing(observer.sunsetTarget, .evening, at: observer), on: day, above: .midnightSun,
                below: .polarNight)
        )
        limitDay(
            &sunrise, &sunset, noon: day.instant(day.transit).unixSeconds, on: CivilDate(dayNumber: day.index)
        )
        return share(sunrise.seconds, sunset.seconds, side, rule, isDark: isDark).map {
            $0 - Double(day.index) * 86_400
        }
    }

    /// Limits a day to the lengths that the authority prints.
    func limitDay(_ sunrise: inout EventTime, _ sunset: inout EventTime, noon: Double, on date: CivilDate) {
        guard case .shares(let rule) = shortNights else { return }
        rule.limit(&sunrise, &sunset, noon: noon + method.offsets.dhuhr * 60, on: date)
    }
}
