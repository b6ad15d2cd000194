/// The times of every day at one place.
public struct ComputedTimes: Sendable, Equatable {
    /// The point for which the times are computed.
    public let place: Place
    /// The choices by which the times are computed.
    public let calculation: Calculation
    /// The zone that determines civil days and whole minutes.
    public let zone: Zone
    let plan: CalculationPlan
    /// The plan for the years until 2023, where the method's reference point has changed since.
    let earlierPlan: CalculationPlan?
    /// The times of the reference place's second point: one or none.
    fileprivate let further: [ComputedTimes]
    /// The times of the town whose table determines this place's: one or none.
    fileprivate let centre: [ComputedTimes]

    /// Prepares the computation; each day is computed when it is requested.
    public init(place: Place, calculation: Calculation, zone: Zone) {
        self.init(place: place, calculation: calculation, zone: zone, isFurther: false, isCentre: false)
    }

    private init(place: Place, calculation: Calculation, zone: Zone, isFurther: Bool, isCentre: Bool) {
        self.place = place
        self.calculation = calculation
        self.zone = zone
        plan = CalculationPlan(
            place: place, calculation: calculation, isFurther: isFurther, isCentre: isCentre)
        further =
            isFurther || plan.reference?.further == nil
            ? []
            : [
                ComputedTimes(
                    place: place, calculation: calculation, zone: zone, isFurther: true, isCentre: false)
            ]
        var printed = calculation
        printed.adjustments = EventMinutes()
        centre =
            plan.centre == nil
            ? []
            : [
                ComputedTimes(
                    place: place, calculation: printed, zone: zone, isFurther: false, isCentre: true)
            ]
        earlierPlan =
            plan.reference?.pointUntil2023 == nil
            ? nil : CalculationPlan(place: place, calculation: calculation, isUntil2023: true)
    }

    /// The rules that apply on a solar day.
    func plan(on index: Int) -> CalculationPlan {
        guard let earlierPlan, index < ReferencePlace.pointsSince.dayNumber else { return plan }
        return earlierPlan
    }

    /// The times of one day. ``days(from:count:)`` gives the same results and is cheaper for many days in a row.
    public func day(_ date: CivilDate) -> DayTimes {
        var cursor = ComputedTimesCursor(self)
        return cursor.day(date)
    }

    /// The times of `count` days from a date on, each computed when it is requested.
    public func days(from first: CivilDate, count: Int) -> ComputedDays {
        ComputedDays(cursor: ComputedTimesCursor(self), date: first, count: count)
    }
}

/// Consecutive days, which share the work that neighbouring days have in common.
public struct ComputedDays: Sequence, IteratorProtocol, Sendable {
    var cursor: ComputedTimesCursor
    var date: CivilDate
    var count: Int

    /// The next day; `nil` once all requested days were returned.
    public mutating func next() -> DayTimes? {
        guard count > 0 else { return nil }
        let day = cursor.day(date)
        date = date.adding(days: 1)
        count -= 1
        return day
    }
}

/// Computes consecutive days, and keeps intermediate results that the next day can reuse.
struct ComputedTimesCursor: Sendable {
    let computed: ComputedTimes
    private var track = SunTrack()
    private var recent = InlineArray<4, SolarEvents?>(repeating: nil)
    /// The dates of the kept days, held separately so that looking up a date copies no day.
    private var dates = InlineArray<4, (index: Int, date: CivilDate)>(
        repeating: (.min, CivilDate(dayNumber: 0)))
    private var span: ZoneSpan
    /// The days of the reference place's second point: one or none.
    private var further: [ComputedTimesCursor]
    /// The days of the town whose table determines this place's, one or none, and the differences between the two.
    var centre: [ComputedTimesCursor]
    private var tableShift: TableShift?

    init(_ computed: ComputedTimes) {
        self.computed = computed
        centre = computed.centre.map(ComputedTimesCursor.init)
        further = computed.further.map(ComputedTimesCursor.init)
        span = ZoneSpan(start: .infinity, end: -.infinity, kind: computed.zone.kinds[0])
    }

    mutating func day(_ date: CivilDate) -> DayTimes {
        guard let index = index(of: date) else {
            var notes = EventNotes()
            let start = computed.zone.startOfDay(date)
            let exists = computed.zone.civilDate(of: start) == date
            for event in DayEvent.allCases {
                notes[event] = EventNote(reason: exists ? .noNoon : .noSuchDay)
            }
            return DayTimes(date: date, seconds: EventSeconds(), notes: notes)
        }
        let stages = stages(index)
        return DayTimes(date: date, seconds: stages.final, notes: stages.notes)
    }

    /// The events of a solar day, stage by stage.
    mutating func stages(_ index: Int) -> DayStages {
        let (before, today, after) = (solarEvents(index - 1), solarEvents(index), solarEvents(index + 1))
        let (plan, zoneOffset) = (computed.plan(on: index), offset(at: today.noon))
        let isRamadan = plan.knowsRamadan && plan.calculation.hijri.date(today.date).isRamadan
        var stages = DayStages(
            before: before, today: today, after: after, plan: plan, isRamadan: isRamadan,
            zoneOffset: zoneOffset)
        if !further.isEmpty {
            // The Sun's positions are the same for both points.
            further[0].track = track
            stages.combine(with: further[0].stages(index), plan, zoneOffset: zoneOffset)
        }
        if let town = plan.centre {
            if tableShift?.days.contains(index) != true {
                tableShift = tableShift(on: index, centre: town)
            }
            if let tableShift {
                stages.apply(centre[0].stages(index), tableShift, plan, zoneOffset: zoneOffset)
            }
        }
        return stages
    }

    /// The solar day whose noon falls on a civil date; the first of two, `nil` when there is none.
    mutating func index(of date: CivilDate) -> Int? {
        // The civil date and the solar day's number differ by less than two: zones are at most 26 hours
        // from the Sun.
        var index = date.dayNumber
        for _ in 0..<4 {
            let found = self.date(index)
            if found == date { return self.date(index - 1) == date ? index - 1 : index }
            let isBefore = found < date
            let next = index + (isBefore ? 1 : -1)
            let neighbour = self.date(next)
            if isBefore ? neighbour > date : neighbour < date { return nil }
            index = next
        }
        return nil
    }

    mutating func solarEvents(_ index: Int) -> SolarEvents {
        let slot = index & 3
        if let kept = recent[slot], kept.solar.index == index { return kept }
        let events = computed(index)
        recent[slot] = events
        dates[slot] = (index, events.date)
        return events
    }

    /// The civil date of a solar day's noon.
    private mutating func date(_ index: Int) -> CivilDate {
        let kept = dates[index & 3]
        return kept.index == index ? kept.date : solarEvents(index).date
    }

    private mutating func computed(_ index: Int) -> SolarEvents {
        let plan = computed.plan(on: index)
        let solar = SolarDay(
            index: index, longitude: plan.longitude, track: &track, ephemeris: plan.ephemeris)
        var daylight = solar
        if let ephemeris = plan.daylightEphemeris {
            daylight = SolarDay(
                index: index, longitude: plan.longitude, track: &track, ephemeris: ephemeris)
        }
        var dawn = solar
        if let ephemeris = plan.dawnEphemeris {
            dawn = SolarDay(index: index, longitude: plan.longitude, track: &track, ephemeris: ephemeris)
        }
        let noon = solar.instant(solar.transit).unixSeconds
        let date = CivilDate(dayNumber: Int(total: (noon + Double(offset(at: noon))).floorDays))
        return SolarEvents(
            solar: solar, daylight: daylight, dawn: dawn, date: date, noon: noon, plan: plan)
    }

    private mutating func offset(at seconds: Double) -> Int {
        let instant = Instant(unixSeconds: seconds)
        if !span.contains(instant) { span = computed.zone.span(at: instant) }
        return span.kind.offset
    }
}
