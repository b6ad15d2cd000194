package import PrayerEngine

extension HijriRule {
    /// The authority's title, `Diyanet`; a name that this version does not know is returned unchanged.
    package static func title(of name: String) -> String { HijriRule(rawValue: name)?.title ?? name }
}
