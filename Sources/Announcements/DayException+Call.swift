package import Protocol
package import Settings
package import Texts

extension DayException {
    /// Why the adhan of this exception is not called at its time, if its day has already decided that.
    /// - Parameter prayer: Jumu'ah where it replaces Dhuhr.
    package func cautionOfCall(as prayer: Prayer, isSkipped: Bool, _ outcome: Outcome?) -> String? {
        guard adhanMinutes != nil else { return nil }
        let title = "\(prayer.title) of this day"
        if isSkipped, outcome?.isHeard != true {
            return "\(title) is skipped, and is not called: \"adhanctl unskip \(prayer.rawValue) \(date)\" "
                + "undoes that"
        }
        guard let outcome, outcome.isFinal else { return nil }
        return outcome.isHeard
            ? "\(title) has been called already, and is not called again"
            : "\(title) is recorded as \(outcome.rawValue) already, and is not called any more"
    }
}
