/// How much a mute silences.
public enum MuteScope: String, Sendable, Codable, CaseIterable {
    /// Everything until the end, or until `unmute`.
    case all
    /// The next adhan and its reminders.
    case next
}

/// Why a muted adhan would be silent anyway.
public enum MuteObstacle: String, Sendable, Codable, CaseIterable {
    /// It is skipped for its day.
    case skipped
    /// Its prayer is switched off.
    case disabled
    /// The timetable lacks its day, and nothing is called then.
    case missing
}

extension MuteObstacle {
    /// The sentence why nothing is muted; `adhan`: `Asr 14:31`.
    public func sentence(of adhan: String) -> String {
        let why =
            switch self {
            case .skipped: "is skipped"
            case .disabled: "is switched off"
            case .missing: "is not called, because the timetable does not have its day"
            }
        return "nothing is muted: \(adhan), which was muted, \(why)"
    }
}
