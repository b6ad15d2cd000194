/// In which order a file writes day and month, where the year does not stand first.
package enum DateOrder: String, CaseIterable, Sendable {
    case dayFirst = "day-month"
    case monthFirst = "month-day"
}
