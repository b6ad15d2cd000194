package import PrayerEngine

extension HijriRule {
    /// `Diyanet`; a name that this version does not know stays as it is.
    package static func title(of name: String) -> String { HijriRule(rawValue: name)?.title ?? name }
}
