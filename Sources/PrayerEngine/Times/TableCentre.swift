internal import Glibc

/// The few towns whose computed tables, shifted by whole minutes, serve all other towns.
public struct TableCentres: Sendable, Equatable {
    enum Shift: Sendable, Equatable {
        /// The same minutes all year: the difference of the noons.
        case noon
        /// Minutes for each event and Hijri month: the largest difference of the times in that month, rounded up.
        case monthly
    }

    struct Centre: Sendable, Equatable {
        let name: String
        let point: ReferencePlace.Point
        /// The latitude from which towns follow this centre, in degrees.
        let from: Double
        /// Whether the minutes of a month's two halves are exchanged.
        var exchangesHalves = false
    }

    let shift: Shift
    /// The centres, the northernmost first.
    let centres: [Centre]
    /// The latitudes to which the tables apply, in degrees.
    let latitudes: ClosedRange<Double>
    let longitudes: ClosedRange<Double>

    /// The distance in kilometres from a centre within which its own table is used.
    private static let reachKilometres = 25.0

    /// The centre that a place follows; `nil` if it follows none.
    func centre(of place: Place) -> Centre? {
        guard latitudes.contains(place.latitude), longitudes.contains(place.longitude) else { return nil }
        return centres.first { place.latitude >= $0.from }
    }

    /// Whether a place is the centre itself.
    func isCentre(_ place: Place, of centre: Centre) -> Bool {
        let east = (centre.point.longitude - place.longitude) * cos(place.latitude * .pi / 180)
        let north = centre.point.latitude - place.latitude
        return (east * east + north * north).squareRoot() * 111.2 < Self.reachKilometres
    }

    /// Algeria's ministry computes three towns. In the southern one's table the halves of a month are exchanged.
    static let algeria = TableCentres(
        shift: .monthly,
        centres: [
            Centre(name: "Algiers", point: .init(latitude: 36.77, longitude: 3.06), from: 35.55),
            Centre(name: "Djelfa", point: .init(latitude: 34.67, longitude: 3.25), from: 33.5),
            Centre(
                name: "Adrar", point: .init(latitude: 27.87, longitude: -0.28), from: 18,
                exchangesHalves: true),
        ], latitudes: 18...37.5, longitudes: -9...12)

    /// Gaza's table is Jerusalem's plus three minutes.
    static let palestine = TableCentres(
        shift: .noon,
        centres: [
            Centre(name: "Jerusalem", point: .init(latitude: 31.78, longitude: 35.2137), from: 31)
        ], latitudes: 31...32.7, longitudes: 34.1...35.7)
}

/// Whole minutes by which a place's times are later than its centre's.
struct TableShift: Sendable {
    /// The days to which it applies.
    let days: ClosedRange<Int>
    let minutes: EventOffsets
}

extension ComputedTimesCursor {
    /// The minutes of the Hijri month that contains a solar day.
    mutating func tableShift(on index: Int, centre: TableCentres.Centre) -> TableShift {
        let calendar = computed.calculation.hijri
        let month = HijriMonth(calendar.date(CivilDate(dayNumber: index)))
        let (first, next) = (
            calendar.firstDay(of: month).dayNumber, calendar.firstDay(of: month.next).dayNumber
        )
        guard centre.exchangesHalves else {
            return TableShift(days: first...(next - 1), minutes: mostMinutes(first, next - 1))
        }
        let second = first + 15
        let halves = (mostMinutes(first, second - 1), mostMinutes(second, next - 1))
        let isFirst = index < second
        // Use the printed minutes, except for fasting times, which take the more careful half: the exchange may be corrected
        // one day.
        var minutes = isFirst ? halves.1 : halves.0
        minutes.fajr = min(halves.0.fajr, halves.1.fajr)
        minutes.maghrib = max(halves.0.maghrib, halves.1.maghrib)
        return TableShift(days: isFirst ? first...(second - 1) : second...(next - 1), minutes: minutes)
    }

    /// The largest number of minutes by which this place's times are later than its centre's between two solar days, rounded up.
    private mutating func mostMinutes(_ first: Int, _ last: Int) -> EventOffsets {
        var most = EventOffsets(all: -.infinity)
        // The difference changes so smoothly that one day a week suffices.
        for index in Array(stride(from: first, to: last, by: 7)) + [last] {
            let (here, there) = (solarEvents(index), centre[0].solarEvents(index))
            most.fajr = max(most.fajr, here.fajr.seconds - there.fajr.seconds)
            most.sunrise = max(most.sunrise, here.sunrise.seconds - there.sunrise.seconds)
            most.dhuhr = max(most.dhuhr, here.dhuhr - there.dhuhr)
            most.asr = max(most.asr, here.asr.seconds - there.asr.seconds)
            most.maghrib = max(most.maghrib, here.sunset.seconds - there.sunset.seconds)
            most.isha = max(most.isha, here.isha.seconds - there.isha.seconds)
        }
        for event in DayEvent.allCases { most[event] = (most[event] / 60).rounded(.up) }
        return most
    }
}

extension DayStages {
    /// Replaces the times by those of another place's table plus some minutes. Events without a table stay: sunset and the parts
    /// of the night.
    mutating func apply(_ table: DayStages, _ shift: TableShift, _ plan: CalculationPlan, zoneOffset: Int) {
        for event: DayEvent in [.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha] {
            offset[event] = table.final[event] + shift.minutes[event] * 60
        }
        offset[.imsak] = offset[.fajr] - plan.imsakMinutes * 60
        adjust(plan, zoneOffset: zoneOffset)
    }
}
