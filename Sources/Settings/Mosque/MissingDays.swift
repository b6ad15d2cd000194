/// The rule for days that the timetable lacks.
public enum MissingDays: String, CaseIterable, Sendable, Codable {
    case compute, silent
}
