package import PrayerEngine
package import Protocol
import Settings
package import Texts

/// One parsed line of the daemon's agenda.
package struct Occasion: Sendable, Equatable {
    package let kind: OccasionDocument.Kind
    package let prayer: Prayer?
    /// The number of the congregation, from 1.
    package let slot: Int
    /// The day to which it belongs: isha after midnight belongs to the day before.
    package let date: CivilDate
    package let at: Instant
    package let id: String
    package let isEnabled: Bool
    package let isPublished: Bool

    package init(
        kind: OccasionDocument.Kind, prayer: Prayer? = nil, slot: Int = 1, date: CivilDate, at: Instant,
        id: String = "", isEnabled: Bool = true, isPublished: Bool = false
    ) {
        self.kind = kind
        self.prayer = prayer
        self.slot = slot
        self.date = date
        self.at = at
        self.id = id
        self.isEnabled = isEnabled
        self.isPublished = isPublished
    }

    /// Parses a line; `nil` for an entry without a readable instant.
    package init?(_ document: OccasionDocument, in zone: Zone) {
        guard let at = InstantText.parse(document.at) else { return nil }
        self.init(
            kind: document.kind, prayer: document.prayer.flatMap(Prayer.init(rawValue:)),
            slot: document.slot ?? 1,
            date: AnnouncementID.date(in: document.id) ?? zone.civilDate(of: at), at: at, id: document.id,
            isEnabled: document.enabled, isPublished: document.source == .published)
    }
}

/// The days around now as a display knows them.
package struct Schedule: Sendable, Equatable {
    package var zone: Zone
    /// The occasions in the order of their instants.
    package var occasions: [Occasion]
    /// The Hijri day that begins at the maghrib before each date.
    package var hijri: [CivilDate: HijriDay]
    /// Computed imsak, for days of a fast without an announcement.
    package var imsak: [CivilDate: Instant] = [:]

    package struct HijriDay: Sendable, Equatable {
        static let ramadan = 9

        package let year: Int
        package let month: Int
        package let day: Int

        package init(year: Int, month: Int, day: Int) {
            self.year = year
            self.month = month
            self.day = day
        }
    }

    package init(zone: Zone, occasions: [Occasion], hijri: [CivilDate: HijriDay] = [:]) {
        self.zone = zone
        self.occasions = occasions.sorted { $0.at < $1.at }
        self.hijri = hijri
    }

    package init(zone: Zone, agenda: [OccasionDocument], days: [TimesDocument.Day]) {
        self.init(
            zone: zone, occasions: agenda.compactMap { Occasion($0, in: zone) },
            hijri: Dictionary(
                days.compactMap { day in
                    CivilDate(day.date).map {
                        ($0, HijriDay(year: day.hijri.year, month: day.hijri.month, day: day.hijri.day))
                    }
                }, uniquingKeysWith: { first, _ in first }))
        for day in days {
            guard let date = CivilDate(day.date),
                let imsak = day.events[DayEvent.imsak.rawValue]?.wrappedValue
            else { continue }
            self.imsak[date] = InstantText.parse(imsak)
        }
    }
}
