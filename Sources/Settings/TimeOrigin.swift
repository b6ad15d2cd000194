/// Where the instant of an event comes from.
public enum TimeOrigin: String, Sendable, Codable, CaseIterable {
    case computed
    /// The mosque's timetable.
    case published
    /// The configuration: an iqama's rule, a time for Ramadan.
    case rule
    /// Set by hand for that day.
    case exception
}
