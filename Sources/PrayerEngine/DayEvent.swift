/// The ten events of a day, in the names that the contract fixes.
public enum DayEvent: String, CaseIterable, Sendable {
    case imsak, fajr, sunrise, dhuhr, asr, sunset, maghrib, isha, midnight, lastThird
}
