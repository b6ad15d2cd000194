package import PrayerEngine
import Settings
public import Texts
package import Times

/// `times --format json`: the ten events of some days at one place.
public struct TimesDocument: Codable, Sendable, Equatable {
    /// The place of the times.
    public typealias Location = ExtendedDocument<StatusDocument.Location, Elevation>
    /// The method in force, its choices, and who chose it.
    public typealias Calculation = ExtendedDocument<CalculationBasics, Rules>

    /// The heights of a location.
    public struct Elevation: Codable, Sendable, Equatable {
        /// Metres above the visible horizon; 0 where none is configured.
        public let elevation: Double
        /// The height of the town that is used for the times; omitted where none is.
        public var townElevation: Double?
    }

    /// The rules of a calculation that only a table of times includes.
    public struct Rules: Codable, Sendable, Equatable {
        /// How times become whole minutes: `nearest`, `up`, `safe` or `none`.
        public let rounding: String
        /// The end of the night whose middle is midnight: `standard`, sunrise, or `jafari`, Fajr.
        public let midnight: String
    }

    /// The Hijri day of a civil day's daylight.
    public struct Hijri: Codable, Sendable, Equatable {
        /// The year since the Hijra.
        public let year: Int
        /// The month: 1 = Muharram … 12 = Dhu al-Hijjah.
        public let month: Int
        /// The day of the month, 1 to 30.
        public let day: Int
        /// `10 Jumada al-Akhirah 1448`
        public let text: String

        package init(year: Int, month: Int, day: Int, text: String) {
            self.year = year
            self.month = month
            self.day = day
            self.text = text
        }
    }

    /// One civil day.
    public struct Day: Codable, Sendable, Equatable {
        /// `2026-11-20`
        public let date: String
        /// The Hijri day of its daylight.
        public let hijri: Hijri
        /// The events; `null` for one that does not occur and has no rule to replace it.
        public let events: [String: Nullable<String>]
        /// Notes by event why it differs from the Sun's own: one sentence each; events without a note are omitted.
        public let notes: [String: String]
        /// The events from the mosque's timetable; omitted, like the fields after it, for a site without times of its own.
        public var published: [String]?
        /// Events that were set by hand for this day.
        public var exceptions: [String]?
        /// The iqamas by prayer.
        public var iqama: [String: String]?
        /// Friday's congregations, empty on other days; omitted as ``published`` is.
        public var jumua: [FridayTimes]?
        /// The prayers of the day in order, if the mosque has times of its own.
        public var prayers: [String]?
        /// The prayers of the day that are switched off; omitted where none is.
        public var off: [String]?
        /// The prayers that are skipped on this day alone; omitted where none is.
        public var skipped: [String]?

        package init(
            date: String, hijri: Hijri, events: [String: Nullable<String>], notes: [String: String],
            published: [String]? = nil, exceptions: [String]? = nil, iqama: [String: String]? = nil,
            jumua: [FridayTimes]? = nil, prayers: [String]? = nil, off: [String]? = nil,
            skipped: [String]? = nil
        ) {
            self.date = date
            self.hijri = hijri
            self.events = events
            self.notes = notes
            self.published = published
            self.exceptions = exceptions
            self.iqama = iqama
            self.jumua = jumua
            self.prayers = prayers
            self.off = off
            self.skipped = skipped
        }
    }

    /// One of Friday's congregations.
    public struct FridayTimes: Codable, Sendable, Equatable {
        /// The number of the congregation, from 1.
        public let slot: Int
        /// The adhan; `null` where the slot has none of its own.
        @Nullable public var adhan: String?
        /// The khutba, RFC 3339; `null` where it is not configured.
        @Nullable public var khutba: String?
        /// The prayer, RFC 3339; `null` where it is not configured.
        @Nullable public var prayer: String?

        package init(slot: Int, adhan: String? = nil, khutba: String? = nil, prayer: String? = nil) {
            self.slot = slot
            self.adhan = adhan
            self.khutba = khutba
            self.prayer = prayer
        }

        package init(_ slot: FridaySlot, in zone: Zone) {
            let text = { (instant: Instant) in InstantText.rfc3339(instant, in: zone) }
            self.init(
                slot: slot.number, adhan: slot.adhan.map(text), khutba: slot.khutba.map { text($0.at) },
                prayer: slot.prayer.map { text($0.at) })
        }
    }

    /// The place of the times.
    public let location: Location
    /// The method in force and its choices.
    public let calculation: Calculation
    /// The requested days, in order.
    public let days: [Day]
    /// The warning that the machine's zone files lack a change of this zone's clocks; omitted otherwise, and by an older adhand.
    public var zoneWarning: StatusDocument.Problem?

    package init(site: Site, dates: some Sequence<CivilDate>) {
        location = Location(
            .init(site),
            Elevation(
                elevation: site.place.elevationMetres, townElevation: site.place.townElevationMetres))
        calculation = Calculation(
            .init(site),
            Rules(
                rounding: site.calculation.effectiveRounding.rawValue,
                midnight: site.calculation.effectiveMidnight.rawValue))
        zoneWarning = .init(of: site.zone)
        days = Self.days(Array(dates), site).map { Self.day($0, site: site) }
    }

    /// Joins the days of one site that were requested in parts; `nil` where there are none.
    public init?(_ parts: [TimesDocument]) {
        guard let first = parts.first else { return nil }
        (location, calculation, zoneWarning) = (first.location, first.calculation, first.zoneWarning)
        days = parts.flatMap(\.days)
    }

    /// Computes the days; consecutive ones are cheaper together.
    private static func days(_ dates: [CivilDate], _ site: Site) -> [SiteDay] {
        guard let first = dates.first else { return [] }
        let isRow = dates.enumerated().allSatisfy { $1 == first.adding(days: $0) }
        return isRow ? site.times.days(from: first, count: dates.count) : dates.map(site.times.day)
    }

    private static func day(_ times: SiteDay, site: Site) -> Day {
        let date = times.date
        var events: [String: Nullable<String>] = [:]
        var notes: [String: String] = [:]
        for event in DayEvent.allCases {
            let text = times[event].map {
                InstantText.rfc3339(
                    $0, in: site.zone, milliseconds: site.calculation.effectiveRounding == .none)
            }
            events[event.rawValue] = Nullable(wrappedValue: text)
            notes[event.rawValue] = times.note(for: event)
        }
        let hijri = site.calculation.hijri.date(date)
        var day = Day(
            date: date.description,
            hijri: Hijri(year: hijri.year, month: hijri.month, day: hijri.day, text: hijri.text),
            events: events, notes: notes)
        let mosque = site.times.mosque
        let off = times.prayers.filter(mosque.off.contains)
        let skipped = times.prayers.filter { !off.contains($0) && mosque.skips.contains($0, on: times) }
        day.off = off.isEmpty ? nil : off.map(\.rawValue)
        day.skipped = skipped.isEmpty ? nil : skipped.map(\.rawValue)
        guard !site.times.mosque.isPlain else { return day }
        let text = { (instant: Instant) in InstantText.rfc3339(instant, in: site.zone) }
        func names(_ origin: TimeOrigin) -> [String] {
            DayEvent.allCases.filter { times.origin(of: $0) == origin }.map(\.rawValue)
        }
        day.published = times.published.map(\.rawValue)
        day.exceptions = names(.exception)
        day.iqama = Dictionary(
            uniqueKeysWithValues: times.congregations.map { ($0.rawValue, text($1.at)) })
        day.jumua = times.slots.map { FridayTimes($0, in: site.zone) }
        day.prayers = times.prayers.map(\.rawValue)
        return day
    }
}
