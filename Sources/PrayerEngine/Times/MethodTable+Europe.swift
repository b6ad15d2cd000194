extension Method {
    static let europe = western + southEastern + diyanetAndRussia

    private static let western = [
        Method(
            "mwl", 3, "Muslim World League", region: "Europe, Far East, parts of the Americas",
            source: "Muslim World League, Islamic Fiqh Council resolutions, Makkah", fajr: 18,
            isha: .angle(17)),
        Method(
            "moonsighting", 15, "Moonsighting Committee Worldwide", region: "Worldwide, much used in Britain",
            source: "Moonsighting Committee Worldwide (K. Shaukat), seasonal functions of latitude",
            fajr: 18, isha: .angle(18)
        ) {
            $0.offsets = EventOffsets(dhuhr: 5, maghrib: 3)
            $0.season = .moonsighting
        },
        Method(
            "london", nil, "London Unified Prayer Timetable", region: "London",
            source:
                "the unified timetable as London's mosques print it: three minutes around sunrise and sunset, five at noon, and "
                + "the season's minutes of dawn and nightfall, all fitted to the 365 published days of 2018",
            fajr: 18, isha: .angle(18)
        ) {
            $0.offsets = EventOffsets(sunrise: -3, dhuhr: 5, asr: 0.3, maghrib: 3)
            $0.season = .table(.london)
        },
        Method(
            "uoif", 12, "Musulmans de France (formerly UOIF)", region: "France",
            source: "Musulmans de France, 12°, as AlAdhan lists it", fajr: 12, isha: .angle(12)),
        Method(
            "portugal", 22, "Comunidade Islâmica de Lisboa", region: "Portugal",
            source: "Comunidade Islâmica de Lisboa, as AlAdhan lists it", fajr: 18,
            isha: .minutes(77, ramadan: 77)
        ) { $0.offsets = EventOffsets(maghrib: 3) },
    ]

    private static let diyanetAndRussia = [
        Method(
            "diyanet", 13, "Diyanet İşleri Başkanlığı", region: "Türkiye",
            source:
                "Diyanet, vakit hesaplama: angles and temkin minutes; the Sun of 0 h UT found in 1,624 published days, "
                + "2022–2023", fajr: 18, isha: .angle(17)
        ) {
            $0.ephemeris = .fixed(hour: 0)
            $0.offsets = EventOffsets(sunrise: -7, dhuhr: 5, asr: 4, maghrib: 7)
            // In Diyanet's tables İmsak is the first light itself.
            $0.imsakMinutes = 0
        },
        Method(
            "russia", 14, "Spiritual Administration of Muslims of Russia", region: "Russia",
            source: "Spiritual Administration of Muslims of Russia, as AlAdhan lists it", fajr: 16,
            isha: .angle(15)
        ) { $0.asr = .hanafi },
    ]
}

/// Tables of the western Balkans are perpetual: reckoned once, and printed again every year.
extension Method {
    static let southEastern = [
        Method(
            "albania", nil, "Komuniteti Mysliman i Shqipërisë (KMSH)", region: "Albania",
            source: "KMSH's timetable of 2016, a perpetual one: minutes fitted to 183 published days",
            fajr: 18,
            isha: .angle(17)
        ) {
            $0.ephemeris = .perpetual(year: 2017)
            $0.offsets = EventOffsets(
                fajr: -5.1, sunrise: -4.95, dhuhr: 7.03, asr: 4.17, maghrib: 6.76, isha: 1.8)
        },
        Method(
            "macedonia", nil, "Islamic Religious Community in North Macedonia", region: "North Macedonia",
            source:
                "the community's timetable of 2016, a perpetual one: minutes fitted to 183 published days",
            fajr: 18, isha: .angle(17)
        ) {
            $0.ephemeris = .perpetual(year: 2015)
            $0.offsets = EventOffsets(
                fajr: -5.2, sunrise: -5.1, dhuhr: 7, asr: 4.1, maghrib: 6.72, isha: 1.78)
        },
        Method(
            "kosovo", nil, "Islamic Community of Kosovo", region: "Kosovo",
            source:
                "the community's perpetual timetable; it follows no rule that was found, so each month's minutes are fitted "
                + "to 183 published days", fajr: 18, isha: .angle(17)
        ) {
            $0.ephemeris = .perpetual(year: 2015)
            $0.monthlyOffsets = [
                EventOffsets(fajr: -3.9, sunrise: -3.7, dhuhr: 5.3, asr: 9.3, maghrib: 9, isha: 11.5),
                EventOffsets(fajr: -4.4, sunrise: -4.2, dhuhr: 4.7, asr: 8.5, maghrib: 9.4, isha: 11.3),
                EventOffsets(fajr: -4.6, sunrise: -6.9, dhuhr: 4.2, asr: 4.8, maghrib: 9.6, isha: 12.2),
                EventOffsets(fajr: -5.4, sunrise: -7.8, dhuhr: 3.2, asr: 3.1, maghrib: 9, isha: 11.3),
                EventOffsets(fajr: -6.8, sunrise: -7.8, dhuhr: 2.9, asr: 3.2, maghrib: 8.1, isha: 8.4),
                EventOffsets(fajr: -8.1, sunrise: -7.8, dhuhr: 3.1, asr: 3.9, maghrib: 7.6, isha: 7.6),
                EventOffsets(fajr: -8.3, sunrise: -8.1, dhuhr: 2.9, asr: 3.4, maghrib: 6.5, isha: 7.3),
                EventOffsets(fajr: -5.8, sunrise: -7.3, dhuhr: 3.5, asr: 3.4, maghrib: 7.2, isha: 8.8),
                EventOffsets(fajr: -4.2, sunrise: -7.4, dhuhr: 4.1, asr: 5.4, maghrib: 7, isha: 9.1),
                EventOffsets(fajr: -4.8, sunrise: -6.5, dhuhr: 4.3, asr: 8.4, maghrib: 7.1, isha: 9.3),
                EventOffsets(fajr: -3.7, sunrise: -3.8, dhuhr: 5.1, asr: 8.8, maghrib: 6.9, isha: 8.9),
                EventOffsets(fajr: -3, sunrise: -2.9, dhuhr: 6, asr: 11.5, maghrib: 9.4, isha: 11.9),
            ]
        },
        Method(
            "bosnia", nil, "Rijaset of the Islamic Community in Bosnia and Herzegovina",
            region: "Bosnia and Herzegovina",
            source:
                "the Rijaset's perpetual timetable of Sarajevo: 19° and 17° found in it, each month's minutes fitted to its "
                + "365 days", fajr: 19, isha: .angle(17)
        ) {
            $0.ephemeris = .perpetual(year: 2017)
            $0.monthlyOffsets = [
                EventOffsets(fajr: 0.6, sunrise: -5.4, dhuhr: 0.8, asr: -0.6, maghrib: 5.8, isha: -0.4),
                EventOffsets(fajr: 0.8, sunrise: -5.3, dhuhr: 0.9, asr: -1.1, maghrib: 5.9, isha: -0.9),
                EventOffsets(fajr: -0.4, sunrise: -5.4, dhuhr: 0.9, asr: 0.5, maghrib: 5.8, isha: 0.6),
                EventOffsets(fajr: -0.7, sunrise: -5.7, dhuhr: 0.7, asr: -0.1, maghrib: 5.8, isha: 0.3),
                EventOffsets(fajr: -0.5, sunrise: -6.1, dhuhr: 0.9, asr: -0.2, maghrib: 6, isha: 0.4),
                EventOffsets(fajr: -0.7, sunrise: -7.2, dhuhr: 0.5, asr: -0.5, maghrib: 5.6),
                EventOffsets(fajr: -0.5, sunrise: -7.7, dhuhr: 0.7, asr: -0.4, maghrib: 5.7, isha: -0.1),
                EventOffsets(fajr: -0.3, sunrise: -7.2, dhuhr: 0.5, asr: -0.5, maghrib: 5.9, isha: -0.1),
                EventOffsets(fajr: 0.1, sunrise: -7.3, dhuhr: 0.7, asr: -0.4, maghrib: 5.6, isha: -0.3),
                EventOffsets(fajr: -0.1, sunrise: -6.8, dhuhr: 0.7, asr: -0.2, maghrib: 5.7, isha: -0.2),
                EventOffsets(fajr: -0.1, sunrise: -6.5, dhuhr: 0.8, asr: -0.8, maghrib: 5.6, isha: -0.2),
                EventOffsets(fajr: 0.1, sunrise: -5.7, dhuhr: 0.7, maghrib: 5.6, isha: -0.2),
            ]
        },
    ]
}
