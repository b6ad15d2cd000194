import PrayerEngine
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
        /// Whether the place was not chosen, and is the main place of the time zone.
        public let approximate: Bool

        package init(name: String, latitude: Double, longitude: Double, timezone: String, approximate: Bool) {
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
            self.timezone = timezone
            self.approximate = approximate
        }

        package init(_ site: Site) {
            self.init(
                name: site.name, latitude: site.place.latitude, longitude: site.place.longitude,
                timezone: site.zone.name, approximate: site.approximate)
        }
    }

    /// The method in force, and who chose it.
    public typealias Calculation = ExtendedDocument<CalculationBasics, CalculationDetails>

    /// The parts of a calculation that only the daemon knows.
    public struct CalculationDetails: Codable, Sendable, Equatable {
        /// An earlier version's calendar, until a person confirms the present one.
        public var hijriCalendarBefore: String?
        /// The days that are added to the calendar; omitted where there are none, and by an older adhand.
        public var hijriAdjustment: Int?
        /// An earlier version's method, until a person confirms the present one.
        @Nullable public var methodBefore: Before?

        /// The choices with which an earlier version of adhand computed.
        public struct Before: Codable, Sendable, Equatable {
            /// The method's name.
            public let method: String
            /// The school of Asr: `standard` or `hanafi`.
            public let asr: String
            /// The rule for high latitudes; omitted by an older adhand.
            public var highLatitude: String?
        }
    }
}
