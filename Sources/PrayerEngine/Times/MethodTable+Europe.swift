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
                + "2022–2023; outside Türkiye 16° and the rule of short nights in 1,464 days of four towns of Sweden, 2024",
            fajr: 18, isha: .angle(17)
        ) {
            $0.abroad = Abroad(
                home: (35.5...42.2, 25.5...44.9), isha: .angle(16), shortNights: .shares(.diyanet))
            $0.ephemeris = .fixed(hour: 0)
            $0.offsets = EventOffsets(sunrise: -7, dhuhr: 5, asr: 4, maghrib: 7)
            // Diyanet's İmsak is Fajr itself, the first light.
            $0.imsakMinutes = 0
        },
        Method(
            "russia", 14, "Spiritual Administration of Muslims of Russia", region: "Russia",
            source: "Spiritual Administration of Muslims of Russia, as AlAdhan lists it", fajr: 16,
            isha: .angle(15)
        ) { $0.asr = .hanafi },
        Method(
            "tatarstan", nil, "Spiritual Administration of the Muslims of Tatarstan", region: "Tatarstan",
            source:
                "the administration's tables of 2023: minutes fitted to 1,460 published days of four towns; two hours before "
                + "sunrise and an hour and a half after sunset where a night does not become dark", fajr: 18,
            isha: .angle(15)
        ) {
            $0.asr = .hanafi
            $0.offsets = EventOffsets(sunrise: -0.15, asr: 0.4, maghrib: 0.2)
            $0.shortNights = .bright(.tatarstan)
        },
    ]
}

/// Tables of the western Balkans are perpetual: computed once and reprinted every year.
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
                "the community's perpetual timetable; it follows no rule that was found, so its minutes are fitted to 183 "
                + "published days of 2016, at ten days' distance, and late rather than early for dawn and sunset",
            fajr: 18, isha: .angle(17)
        ) {
            $0.ephemeris = .perpetual(year: 2015)
            $0.seasonalOffsets = PerEvent(
                fajr: [
                    -3.3, -5, -3.4, -3.4, -4.9, -4.5, -4.4, -4.2, -3.4, -5.7, -5, -4.5, -6.2, -7.6, -5.5,
                    -7.2, -9.7, -7.8, -8.1, -8.4, -8.1, -7.4, -5.9, -4.3, -3.8, -5.2, -2.9, -5.5, -4.5, -4.3,
                    -5.2, -3.6, -3.9, -3.8, -3.1, -2,
                ],
                sunrise: [
                    -3.1, -4.2, -2.8, -4.5, -3.9, -4.6, -7.2, -5.6, -7.5, -8.1, -7.6, -8.3, -6.3, -8.3, -8,
                    -8.2, -9.2, -6.6, -7, -8, -9.3, -7.1, -6.7, -8, -7.2, -6.6, -8, -7.6, -7.2, -5.6, -4.1,
                    -4.7, -3, -2.9, -2.8, -2.8,
                ],
                dhuhr: [
                    5.5, 4.5, 5.5, 5.2, 4.8, 5.2, 2.6, 4.1, 4.7, 3.5, 3.2, 2.7, 3.4, 2.7, 2.7, 2.7, 2.2, 3.7,
                    4.2, 2.8, 1.9, 3.3, 4.6, 2.9, 4.3, 4.5, 4.2, 2.7, 4, 4.6, 4.9, 5.1, 5.4, 5.7, 6, 6.6,
                ],
                asr: [
                    10.8, 8.9, 9, 9, 8.7, 8.7, 6.9, 5.6, 4.2, 4.3, 3.6, 0.9, 3.6, 1.9, 3, 4.2, 1.8, 4.6, 3.9,
                    3.8, 2.8, 3.4, 4.8, 2, 4.7, 5.5, 5.4, 3.7, 8.6, 8.3, 8.8, 8.6, 8.8, 9.9, 11, 13.1,
                ],
                maghrib: [
                    9.3, 9, 9.3, 9.3, 8.8, 10.2, 9.3, 9.8, 9.5, 9.4, 9.1, 8.8, 8.6, 7.3, 8, 7.9, 6.1, 8.8,
                    7.4, 6.9, 5.8, 6.8, 8, 6.7, 7.6, 7.1, 7, 6.2, 8.2, 7.5, 6.8, 6.4, 7.4, 8.4, 8.9, 10.2,
                ],
                isha: [
                    11.8, 11.1, 11.9, 10.9, 11.3, 12.3, 11.5, 12.7, 11.8, 11.2, 11.1, 10.8, 11.6, 7.5, 8.7,
                    8.6, 5.7, 8.9, 8.2, 7.5, 6.6, 7.3, 9.9, 8.9, 9.5, 9.4, 9.5, 8.5, 9.7, 9.6, 8.9, 8.3, 9.5,
                    10.8, 11.2, 12.6,
                ])
        },
        Method(
            "bosnia", nil, "Rijaset of the Islamic Community in Bosnia and Herzegovina",
            region: "Bosnia and Herzegovina",
            source:
                "the Rijaset's perpetual timetable of Sarajevo: 19° and 17° found in it, its minutes fitted to 142 of its days, "
                + "at ten days' distance", fajr: 19, isha: .angle(17)
        ) {
            $0.ephemeris = .perpetual(year: 2017)
            $0.seasonalOffsets = PerEvent(
                fajr: [
                    0.1, 0.4, 0.6, 0.8, 1, 0.9, 0.1, -0.1, -0.3, -0.5, -0.7, -0.9, -1, 0, -0.2, -0.6, -0.5,
                    -0.4, -0.2, -0.8, -0.1, -0.7, 0.3, -0.4, 0.2, 0.3, 0.4, 0.4, 0.4, 0.4, 0.5, 0.5, -0.3,
                    0.4, -0.7, 1.2,
                ],
                sunrise: [
                    -5.7, -5, -6, -5.1, -5.7, -5.2, -5.6, -5.3, -5.4, -5.5, -5.6, -5.7, -5.7, -6.2, -6, -6.7,
                    -7.4, -7.4, -7.4, -7.9, -7.2, -7.6, -7, -6.9, -8.1, -7, -7.3, -7.1, -7, -6.9, -6.8, -6.7,
                    -6.5, -6, -5.2, -6.4,
                ],
                dhuhr: [
                    1, 1, 0.8, 0.7, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.8, 0.8, 0.7, 0.7, 0.6, 0.4, 0.6, 0.5, 0.2,
                    0.4, 0.6, 0.5, 0.6, 0.6, 0.7, 0.8, 0.8, 0.7, 0.7, 0.8, 0.8, 0.8, 0.9, 0.9, 0.8, 0.9,
                ],
                asr: [
                    0, -0.5, -0.5, -0.5, -0.2, -1.9, -0.1, 0.6, 0.3, 0.1, -0.2, -0.4, -0.7, 0.1, 0.5, -1.1, 0,
                    -0.1, -1.1, -0.7, 0.4, -0.7, -0.8, -0.1, -0.3, -0.2, -0.5, 0.2, -0.1, -0.3, -0.5, -0.8,
                    -0.5, -0.8, -0.6, 0.5,
                ],
                maghrib: [
                    5.5, 5.8, 5.4, 6.1, 6, 5.7, 5.5, 6, 5.7, 5.9, 6.1, 6.3, 6.5, 5.9, 6, 6, 5.5, 5.6, 5.6, 6,
                    6, 5.5, 6, 5.9, 6.1, 5.5, 5.6, 6.1, 5.9, 5.7, 5.6, 5.4, 5.2, 5.8, 5.5, 5.5,
                ],
                isha: [
                    -0.1, 0, -0.7, -0.9, -0.6, -1.1, 0, 1.1, 0.4, 0.4, 0.4, 0.4, 0.4, 0.6, 0.4, 0.5, 0.5,
                    -0.7, -0.4, 0, 0.3, -0.3, -0.2, -0.2, -0.2, 0.2, -0.2, 0, 0.1, 0.3, -0.1, -0.4, -1, -0.3,
                    -0.8, 0.4,
                ])
        },
    ]
}
