/// A solar calendar, given by the first days of its years: six months of 31 days, five of 30, and the last with the rest.
package struct SolarCalendar: Codable, Sendable, Equatable {
    package let months: [String]
    /// The first known year.
    package let firstYear: Int
    /// The day of March on which each year begins, two digits each.
    package let newYears: String
}
