import Announcements
import PrayerEngine
import Protocol
import Settings
import Texts

extension StatusDocument.ExceptionProblem {
    init(_ exception: DayException, _ sentence: String) {
        let (date, prayer) = (exception.date.description, exception.prayer.rawValue)
        self.init(
            date: date, prayer: prayer, message: sentence,
            fix: "adhanctl exception remove \(date) \(prayer)")
    }
}
