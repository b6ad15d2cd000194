import PrayerEngine
import Protocol

extension ControlRequest {
    /// Replaces relative days in a scenario's request: `+1` is tomorrow.
    func dated(from today: CivilDate) -> ControlRequest {
        func date(_ text: String) -> String {
            text.hasPrefix("+") ? Int(text).map { today.adding(days: $0).description } ?? text : text
        }
        switch self {
        case .setException(var asked):
            asked.date = date(asked.date)
            return .setException(asked)
        case .removeException(var asked):
            asked.date = date(asked.date)
            return .removeException(asked)
        case .skipPrayers(var asked):
            asked.date = asked.date.map(date)
            return .skipPrayers(asked)
        case .unskipPrayers(var asked):
            asked.date = asked.date.map(date)
            return .unskipPrayers(asked)
        case .hijriSighted(let day?): return .hijriSighted(date: date(day))
        default: return self
        }
    }
}
