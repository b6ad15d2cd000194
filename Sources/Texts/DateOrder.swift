/// The order of day and month in a file in which the year is not first.
package enum DateOrder: String, CaseIterable, Sendable {
    case dayFirst = "day-month"
    case monthFirst = "month-day"
}
