import PrayerEngine

/// The author of the choice of the calculation method, and of the calendar.
public struct MethodChoice: Sendable, Equatable {
    /// The kinds of choosers.
    public enum Chooser: String, Codable, Sendable, CaseIterable {
        /// No person chose: the practice of the place is in force.
        case place, configuration, option
    }

    package var chooser: Chooser
    /// The chooser of the calendar: the place or the configuration.
    package var calendar = Chooser.configuration
    /// The town whose country's practice it is: `Queens, New York (United States)`. `nil` where a person chose or no town is
    /// near.
    package var place: String?
    /// Another country at the same distance, and its method.
    package var neighbour: Neighbour?

    package struct Neighbour: Sendable, Equatable {
        package let country: String
        package let method: String

        package init(country: String, method: String) {
            (self.country, self.method) = (country, method)
        }
    }

    package init(_ chooser: Chooser, calendar: Chooser = .configuration) {
        (self.chooser, self.calendar) = (chooser, calendar)
    }

    /// The most widely used method; for places in no known country.
    package static let generic = "mwl"
}
