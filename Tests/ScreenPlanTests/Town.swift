import PrayerEngine
import Protocol
import Testing
import Texts

@testable import ScreenPlan

/// A place with a mosque, whose agenda the tests make by themselves: times from the engine, all else from a rule of the test.
struct Town: Sendable, CustomTestStringConvertible {
    let name: String
    let zone: Zone
    let timetable: ComputedTimes
    var testDescription: String { name }

    init(_ name: String, _ latitude: Double, _ longitude: Double, _ posix: String) {
        self.name = name
        // Every zone and place here is written by hand and valid.
        guard let zone = try? Zone(name: name, posix: posix),
            let place = try? Place(latitude: latitude, longitude: longitude),
            let method = Method.named("mwl")
        else { preconditionFailure("\(name) is no place") }
        self.zone = zone
        var calculation = Calculation(method: method)
        calculation.rounding = .nearest
        timetable = ComputedTimes(place: place, calculation: calculation, zone: zone)
    }

    static let all = [
        Town("New York", 40.73, -73.79, "EST5EDT,M3.2.0,M11.1.0"),
        Town("London", 51.51, -0.13, "GMT0BST,M3.5.0/1,M10.5.0"),
        Town("Mecca", 21.42, 39.83, "<+03>-3"),
        Town("Jakarta", -6.2, 106.85, "WIB-7"),
        Town("Santiago", -33.45, -70.67, "<-04>4<-03>,M9.1.6/24,M4.1.6/24"),
        Town("Oslo", 59.91, 10.75, "CET-1CEST,M3.5.0,M10.5.0/3"),
        Town("Tromso", 69.65, 18.96, "CET-1CEST,M3.5.0,M10.5.0/3"),
        Town("Chatham", -43.95, -176.55, "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45"),
        Town("Lord Howe", -31.55, 159.08, "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
    ]

    /// The events beside a day's adhans; seconds after each adhan, `nil` for no iqama.
    struct House: Sendable {
        var iqama: [Prayer: Double?] = [
            .fajr: 1200, .dhuhr: 900, .asr: 900, .maghrib: 300, .isha: 600, .jumua: 1800,
        ]
        /// Seconds from noon to each Friday congregation's khutba.
        var khutbas: [Double] = []
        var jumuaAdhan = true
        var ramadan = false
        /// Days on which there is an Eid prayer at 07:30.
        var eids: Set<CivilDate> = []
    }

    func occasions(_ dates: ClosedRange<Int>, _ house: House = House()) -> [Occasion] {
        dates.flatMap { number -> [Occasion] in
            let date = CivilDate(dayNumber: number)
            let times = timetable.day(date)
            var all: [Occasion] = []
            func add(
                _ kind: OccasionDocument.Kind, _ prayer: Prayer?, _ at: Instant, slot: Int = 1,
                id: String = ""
            ) {
                all.append(Occasion(kind: kind, prayer: prayer, slot: slot, date: date, at: at, id: id))
            }
            if let sunrise = times[.sunrise] { add(.sunrise, nil, sunrise) }
            for prayer: Prayer in [.fajr, .dhuhr, .asr, .maghrib, .isha] {
                guard let at = times[prayer.event] else { continue }
                if prayer == .dhuhr, date.isFriday, !house.khutbas.isEmpty || house.jumuaAdhan {
                    if house.khutbas.isEmpty {
                        add(.adhan, .jumua, at, id: "jumua_\(date.compact)")
                        if let after = house.iqama[.jumua] ?? nil { add(.iqama, .jumua, at + after) }
                    }
                    for (index, khutba) in house.khutbas.enumerated() {
                        let noon = zone.instant(of: date, secondOfDay: 12 * 3600)
                        if house.jumuaAdhan {
                            add(.adhan, .jumua, noon + khutba - 600, slot: index + 1)
                        }
                        add(.khutba, .jumua, noon + khutba, slot: index + 1)
                        add(.iqama, .jumua, noon + khutba + 1500, slot: index + 1)
                    }
                    continue
                }
                add(.adhan, prayer, at, id: "\(prayer.rawValue)_\(date.compact)")
                if let after = house.iqama[prayer] ?? nil { add(.iqama, prayer, at + after) }
                if house.ramadan, prayer == .fajr {
                    add(.imsak, nil, at - 600)
                    add(.wake, nil, at - 3600)
                }
                if house.ramadan, prayer == .maghrib { add(.iftar, nil, at) }
                if house.ramadan, prayer == .isha { add(.tarawih, nil, at + 1800) }
            }
            if house.eids.contains(date) {
                add(.eid, nil, zone.instant(of: date, secondOfDay: 7.5 * 3600))
            }
            return all
        }
    }

    func schedule(around date: CivilDate, _ house: House = House()) -> Schedule {
        let dates = (date.dayNumber - 1)...(date.dayNumber + 3)
        var hijri: [CivilDate: Schedule.HijriDay] = [:]
        for number in (dates.lowerBound)...(dates.upperBound + 1) {
            let day = HijriDate(CivilDate(dayNumber: number))
            hijri[CivilDate(dayNumber: number)] = .init(year: day.year, month: day.month, day: day.day)
        }
        return Schedule(zone: zone, occasions: occasions(dates, house), hijri: hijri)
    }
}

func day(_ text: String) -> CivilDate {
    guard let date = CivilDate(text) else { preconditionFailure("\(text) is no date") }
    return date
}
