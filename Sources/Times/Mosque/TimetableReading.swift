/// The outcome of reading the timetable in the state directory.
package enum TimetableReading: Sendable, Equatable {
    case table(PublishedTimetable)
    /// It cannot be used; the sentence names the place and the reason.
    case unusable(String)
}
