/// The origin of an event's time.
public enum TimeOrigin: String, Sendable, Codable, CaseIterable {
    case computed
    /// The mosque's timetable.
    case published
    /// The configuration: an iqama's rule, a time for Ramadan.
    case rule
    /// An exception that was set by hand for that day.
    case exception
}
