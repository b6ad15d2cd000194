package import PrayerEngine
public import Settings
public import Texts
package import Times

/// The place and the method of a status.
extension StatusDocument {
    /// The place in force.
    public struct Location: Codable, Sendable, Equatable {
        /// The place's name; its coordinates where it has none.
        public let name: String
        /// Degrees, north positive.
        public let latitude: Double
        /// Degrees, east positive.
        public let longitude: Double
        /// The name of the time zone, such as `America/New_York`.
        public let timezone: String
        /// Whether nobody chose the place, and it is the main place of the time zone.
        public let approximate: Bool

        package init(name: String, latitude: Double, longitude: Double, timezone: String, approximate: Bool) {
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
            self.timezone = timezone
            self.approximate = approximate
        }
    }

    /// The method in force, and who chose it.
    public struct Calculation: Codable, Sendable, Equatable {
        /// The name of the method in force, also where the place chose it.
        public let method: String
        /// The school of Asr: `standard` or `hanafi`.
        public let asr: String
        /// The rule for nights without a Fajr or Isha: `auto`, `none`, `one-seventh` and so on, as the configuration
        /// has it.
        public let highLatitude: String
        /// The chooser of the method; an older adhand does not say.
        public var methodChosenBy: MethodChoice.Chooser?
        /// The town whose country's practice it is, where the place chose it and a town is near.
        @Nullable public var methodPlace: String?
        /// Another country that is as near, and its method.
        @Nullable public var methodNeighbour: Neighbour?
        /// The authority of the calendar, and its chooser; an older adhand leaves it out.
        public var hijriCalendar: String?
        /// The chooser of the calendar; an older adhand leaves it out.
        public var hijriCalendarChosenBy: MethodChoice.Chooser?
        /// An earlier version's calendar, until a person confirms the present one.
        public var hijriCalendarBefore: String?
        /// The days that are added to it; left out where none are, and by an older adhand.
        public var hijriAdjustment: Int?
        /// An earlier version's method, until a person confirms the present one.
        @Nullable public var methodBefore: Before?

        /// The choices that an earlier version of adhand computed by.
        public struct Before: Codable, Sendable, Equatable {
            /// The method's name.
            public let method: String
            /// The school of Asr: `standard` or `hanafi`.
            public let asr: String
            /// An older adhand does not say.
            public var highLatitude: String?

            package init(method: String, asr: String, highLatitude: String? = nil) {
                self.method = method
                self.asr = asr
                self.highLatitude = highLatitude
            }
        }

        /// A country whose towns are as near as those of the chosen one.
        public struct Neighbour: Codable, Sendable, Equatable {
            /// The country's name in English.
            public let country: String
            /// The method that is used there.
            public let method: String

            package init(country: String, method: String) {
                self.country = country
                self.method = method
            }
        }

        package init(
            method: String, asr: String, highLatitude: String, methodChosenBy: MethodChoice.Chooser? = nil,
            methodPlace: String? = nil, methodNeighbour: Neighbour? = nil, hijriCalendar: String? = nil,
            hijriCalendarChosenBy: MethodChoice.Chooser? = nil
        ) {
            (self.hijriCalendar, self.hijriCalendarChosenBy) = (hijriCalendar, hijriCalendarChosenBy)
            (self.method, self.asr, self.highLatitude) = (method, asr, highLatitude)
            self.methodChosenBy = methodChosenBy
            self.methodPlace = methodPlace
            self.methodNeighbour = methodNeighbour
        }

        package init(_ site: Site, before: PractisedMethod? = nil, calendarBefore: HijriRule? = nil) {
            hijriCalendar = site.calculation.hijri.rule.name
            hijriCalendarChosenBy = site.choice.calendar
            hijriCalendarBefore = calendarBefore?.rawValue
            hijriAdjustment = site.calculation.hijri.adjustment == 0 ? nil : site.calculation.hijri.adjustment
            method = site.calculation.method.name
            asr = site.calculation.asr.rawValue
            highLatitude = site.calculation.highLatitude.rawValue
            methodChosenBy = site.choice.chooser
            methodPlace = site.choice.place
            methodNeighbour = site.choice.neighbour.map { .init(country: $0.country, method: $0.method) }
            methodBefore = before.map { .init(method: $0.method, asr: $0.asr, highLatitude: $0.highLatitude) }
        }
    }
}
