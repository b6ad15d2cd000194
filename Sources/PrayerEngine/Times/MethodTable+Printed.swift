/// Rules that were fitted to tables without a year, as shown by mosques' displays. Structure and towns match a ministry's tables;
/// no source is stated. Each rule is listed beside the method that the authority itself describes.
extension Method {
    static let printed = gulf + levant + [libyaPrinted]

    private static let gulf = [
        Method(
            "bahrain", nil, "Sunni Endowments, Bahrain", region: "Bahrain",
            source:
                "inferred: angles and minutes fitted to 179 days of a table for Manama that displays of mosques carry",
            fajr: 18.2, isha: .angle(18)
        ) {
            $0.ephemeris = .perpetualExact(year: 2025)
            $0.offsets = EventOffsets(
                fajr: 0.1, sunrise: -0.7, dhuhr: 1.2, asr: 0.05, maghrib: 0.5, isha: -0.9)
        },
        Method(
            "uae-printed", nil, "United Arab Emirates, as tables of towns have it",
            region: "United Arab Emirates",
            source:
                "inferred: angles and minutes fitted to tables for Dubai, Sharjah and Ras Al Khaimah that displays of mosques "
                + "carry, 1,080 days; the angles of Dubai's department are 18.2°", fajr: 18,
            isha: .angle(17.9)
        ) {
            $0.ephemeris = .perpetualExact(year: 2025)
            $0.offsets = EventOffsets(
                fajr: -0.8, sunrise: -3.4, dhuhr: 2.2, asr: 0.3, maghrib: 2.8, isha: 0.6)
            $0.places = .emirates
        },
        Method(
            "oman-printed", nil, "Oman, as tables of towns have it", region: "Oman",
            source:
                "inferred: 18° and five minutes at noon, Asr and sunset, by the Sun of 0 h UT, found in tables for five towns "
                + "that displays of mosques carry, 1,825 days", fajr: 18, isha: .angle(18)
        ) {
            $0.ephemeris = .perpetual(year: 2023)
            $0.offsets = EventOffsets(dhuhr: 5, asr: 5, maghrib: 5)
            $0.places = .oman
        },
        Method(
            "iraq-printed", nil, "Iraq, as Baghdad's table has it", region: "Iraq",
            source:
                "inferred: minutes fitted to 179 days of a table for Baghdad that displays of mosques carry",
            fajr: 18, isha: .angle(17)
        ) {
            $0.ephemeris = .perpetualExact(year: 2025)
            $0.offsets = EventOffsets(sunrise: -0.9, dhuhr: 5.05, asr: 3.2, maghrib: 2.95)
        },
    ]

    private static let levant = [
        Method(
            "jordan-printed", nil, "Jordan, as Amman's table has it", region: "Jordan",
            source:
                "inferred: the horizon two degrees lower, angles and minutes fitted to 179 days of a table for Amman that "
                + "displays of mosques carry", fajr: 18.2, isha: .angle(18.2)
        ) {
            $0.ephemeris = .perpetualExact(year: 2025)
            $0.sunriseDepressionDegrees = 2
            $0.sunsetDepressionDegrees = 2
            $0.offsets = EventOffsets(
                fajr: 0.75, sunrise: -0.55, dhuhr: 0.45, asr: 0.6, maghrib: 0.8, isha: -0.5)
        },
        Method(
            "palestine-printed", nil, "Palestine, as Gaza's table has it", region: "Palestine",
            source:
                "inferred: Jerusalem's table with whole minutes added, angles and minutes fitted to 179 days of a table for Gaza "
                + "that displays of mosques carry", fajr: 18.2, isha: .angle(18.1)
        ) {
            $0.ephemeris = .perpetualExact(year: 2024)
            $0.centres = .palestine
            $0.offsets = EventOffsets(
                fajr: 0.3, sunrise: -3.2, dhuhr: -0.45, asr: -0.45, maghrib: 6.2, isha: -0.95)
        },
    ]

    private static let libyaPrinted = Method(
        "libya-printed", nil, "Libya, as tables of towns have it", region: "Libya",
        source:
            "inferred: angles and minutes fitted to tables for Tripoli, Misratah and Tobruk that displays of mosques carry, "
            + "1,095 days", fajr: 18, isha: .angle(17.6)
    ) {
        $0.ephemeris = .perpetual(year: 2025)
        $0.offsets = EventOffsets(
            fajr: -2.2, sunrise: -0.65, dhuhr: 3.4, asr: -0.65, maghrib: 3.45, isha: 3.05)
    }
}
