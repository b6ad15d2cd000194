package import PrayerEngine

/// A change of a country's clocks that this version of adhand knows of, so that zone files from before it can be recognised.
package struct ZoneChange: Sendable {
    /// The affected zones, under every name that is in use.
    package let zones: [String]
    /// An instant after the change at which older files differ. It lies before this version was made: later decisions may only be
    /// in newer files.
    package let instant: Instant
    /// Seconds east of UTC after the change.
    package let offsetSeconds: Int
    /// The change as a clause of a sentence.
    package let sentence: String

    private init(_ zones: [String], atUnixSeconds instant: Double, offsetSeconds: Int, _ sentence: String) {
        (self.zones, self.offsetSeconds, self.sentence) = (zones, offsetSeconds, sentence)
        self.instant = Instant(unixSeconds: instant)
    }

    /// Whether the rules of a zone lack the change.
    package func isMissing(in zone: Zone) -> Bool {
        zones.contains(zone.name) && zone.offset(at: instant) != offsetSeconds
    }

    /// All known changes, the latest first. Source: the file NEWS of the tz database, releases 2022b to 2026f.
    package static let all = [
        ZoneChange(
            ["Africa/Casablanca", "Africa/El_Aaiun"], atUnixSeconds: 1_790_812_800, offsetSeconds: 0,
            "Morocco has kept UTC all year since 20 September 2026"),
        ZoneChange(
            ["America/Havana", "Cuba"], atUnixSeconds: 1_794_700_800, offsetSeconds: -14_400,
            "Cuba did not put its clocks back on 1 November 2026"),
        ZoneChange(
            ["America/Winnipeg", "Canada/Central"], atUnixSeconds: 1_794_700_800, offsetSeconds: -18_000,
            "Manitoba did not put its clocks back on 1 November 2026"),
        ZoneChange(
            ["America/Inuvik"], atUnixSeconds: 1_794_700_800, offsetSeconds: -21_600,
            "the Northwest Territories did not put their clocks back on 1 November 2026"),
        ZoneChange(
            ["America/Edmonton", "America/Yellowknife", "Canada/Mountain"], atUnixSeconds: 1_794_700_800,
            offsetSeconds: -21_600,
            "Alberta and the Northwest Territories did not put their clocks back on 1 November 2026"),
        ZoneChange(
            ["America/Vancouver", "Canada/Pacific"], atUnixSeconds: 1_794_700_800, offsetSeconds: -25_200,
            "British Columbia did not put its clocks back on 1 November 2026"),
        ZoneChange(
            ["America/Asuncion"], atUnixSeconds: 1_749_945_600, offsetSeconds: -10_800,
            "Paraguay has kept summer time all year since October 2024"),
        ZoneChange(
            ["Asia/Almaty", "Asia/Qostanay"], atUnixSeconds: 1_718_409_600, offsetSeconds: 18_000,
            "the whole of Kazakhstan has kept UTC+5 since 1 March 2024"),
        ZoneChange(
            ["America/Nuuk", "America/Godthab"], atUnixSeconds: 1_705_276_800, offsetSeconds: -7_200,
            "Greenland has been an hour closer to UTC since 25 March 2023"),
        ZoneChange(
            ["Africa/Cairo", "Egypt"], atUnixSeconds: 1_688_169_600, offsetSeconds: 10_800,
            "Egypt has had summer time again since 28 April 2023"),
        ZoneChange(
            [
                "America/Mexico_City", "America/Merida", "America/Monterrey", "America/Bahia_Banderas",
                "Mexico/General",
            ], atUnixSeconds: 1_688_169_600, offsetSeconds: -21_600,
            "most of Mexico has had no summer time since 30 October 2022"),
        ZoneChange(
            ["America/Mazatlan", "Mexico/BajaSur"], atUnixSeconds: 1_688_169_600, offsetSeconds: -25_200,
            "most of Mexico has had no summer time since 30 October 2022"),
        ZoneChange(
            ["America/Chihuahua"], atUnixSeconds: 1_673_740_800, offsetSeconds: -21_600,
            "Chihuahua has kept UTC-6 all year since 30 October 2022"),
        ZoneChange(
            ["Pacific/Fiji"], atUnixSeconds: 1_672_531_200, offsetSeconds: 43_200,
            "Fiji has had no summer time since 2022"),
        ZoneChange(
            ["Asia/Amman"], atUnixSeconds: 1_673_740_800, offsetSeconds: 10_800,
            "Jordan has kept summer time all year since 28 October 2022"),
        ZoneChange(
            ["Asia/Damascus"], atUnixSeconds: 1_673_740_800, offsetSeconds: 10_800,
            "Syria has kept summer time all year since 28 October 2022"),
        ZoneChange(
            ["Asia/Tehran", "Iran"], atUnixSeconds: 1_688_169_600, offsetSeconds: 12_600,
            "Iran has had no summer time since 21 September 2022"),
    ]
}
