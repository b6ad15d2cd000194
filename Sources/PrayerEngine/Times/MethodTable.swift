extension Method {
    /// Every method but `custom`, in the order in which they are listed. docs/METHODS.md says why each figure
    /// was chosen.
    public static let all: [Method] = americasAndEurope + middleEast + asia + africa + seasons

    private static let americasAndEurope = [
        Method(
            "isna", 2, "Islamic Society of North America", region: "North America",
            source: "ISNA / Fiqh Council of North America, 15°", fajr: 15, isha: .angle(15)),
        Method(
            "mwl", 3, "Muslim World League", region: "Europe, Far East, parts of the Americas",
            source: "Muslim World League, Islamic Fiqh Council resolutions, Makkah", fajr: 18,
            isha: .angle(17)),
        Method(
            "uoif", 12, "Musulmans de France (formerly UOIF)", region: "France",
            source: "Musulmans de France, 12°, as AlAdhan lists it", fajr: 12, isha: .angle(12)),
        Method(
            "portugal", 22, "Comunidade Islâmica de Lisboa", region: "Portugal",
            source: "Comunidade Islâmica de Lisboa, as AlAdhan lists it", fajr: 18,
            isha: .minutes(77, ramadan: 77),
            offsets: EventMinutes(maghrib: 3)),
        Method(
            "russia", 14, "Spiritual Administration of Muslims of Russia", region: "Russia",
            source: "Spiritual Administration of Muslims of Russia, as AlAdhan lists it", fajr: 16,
            isha: .angle(15)),
        Method(
            "diyanet", 13, "Diyanet İşleri Başkanlığı", region: "Türkiye",
            source: "Diyanet, vakit hesaplama: angles and temkin minutes", fajr: 18, isha: .angle(17),
            offsets: EventMinutes(sunrise: -7, dhuhr: 5, asr: 4, maghrib: 7)),
    ]

    private static let middleEast = [
        Method(
            "umm-al-qura", 4, "Umm al-Qura University, Makkah", region: "Saudi Arabia",
            source: "Umm al-Qura calendar; rounding inferred from its published tables",
            fajr: 18.5, isha: .minutes(90, ramadan: 120), rounding: .up, sunriseRoundsDown: true,
            // 1430 AH began on 2008-12-29.
            earlierFajr: EarlierFajr(angle: 19, until: CivilDate(dayNumber: 14_242))),
        Method(
            "gulf", 8, "Gulf region", region: "Gulf states", source: "Gulf timetables, as AlAdhan lists them",
            fajr: 19.5, isha: .minutes(90, ramadan: 90)),
        Method(
            "kuwait", 9, "Kuwait", region: "Kuwait", source: "Ministry of Awqaf, Kuwait, as AlAdhan lists it",
            fajr: 18, isha: .angle(17.5)),
        Method(
            "qatar", 10, "Qatar", region: "Qatar", source: "Qatar Calendar House, as AlAdhan lists it",
            fajr: 18, isha: .minutes(90, ramadan: 90)),
        Method(
            "dubai", 16, "Dubai", region: "United Arab Emirates",
            source: "Islamic Affairs Department, Dubai, as AlAdhan lists it", fajr: 18.2, isha: .angle(18.2),
            offsets: EventMinutes(sunrise: -3, dhuhr: 3, asr: 3, maghrib: 3)),
        Method(
            "jordan", 23, "Ministry of Awqaf, Jordan", region: "Jordan",
            source: "Ministry of Awqaf, Jordan, as AlAdhan lists it", fajr: 18, isha: .angle(18),
            offsets: EventMinutes(maghrib: 5)),
        Method(
            "tehran", 7, "Institute of Geophysics, University of Tehran", region: "Iran",
            source: "Institute of Geophysics, University of Tehran", fajr: 17.7, isha: .angle(14),
            maghrib: 4.5,
            midnight: .jafari),
        Method(
            "jafari", 0, "Shia Ithna-Ashari, Leva Institute, Qum", region: "Shia communities",
            source: "Leva Research Institute, Qum", fajr: 16, isha: .angle(14), maghrib: 4, midnight: .jafari),
    ]

    private static let asia = [
        Method(
            "karachi", 1, "University of Islamic Sciences, Karachi",
            region: "Pakistan, India, Bangladesh, Afghanistan",
            source: "University of Islamic Sciences, Karachi", fajr: 18, isha: .angle(18)),
        Method(
            "singapore", 11, "Majlis Ugama Islam Singapura (MUIS)", region: "Singapore",
            source: "MUIS timetable; rounding and the minute at Dhuhr inferred from it", fajr: 20,
            isha: .angle(18),
            offsets: EventMinutes(dhuhr: 1), rounding: .up),
        Method(
            "jakim", 17, "Jabatan Kemajuan Islam Malaysia (JAKIM)", region: "Malaysia",
            source: "JAKIM; Fajr 18° by the 116th Muzakarah, 20–21 November 2019", fajr: 18, isha: .angle(18),
            // 2019-11-22, the day after the Muzakarah.
            earlierFajr: EarlierFajr(angle: 20, until: CivilDate(dayNumber: 18_222))),
        Method(
            "kemenag", 20, "Kementerian Agama, Indonesia", region: "Indonesia",
            source: "Kementerian Agama criteria: 20°, 18°, sunrise at 1°, two minutes of ihtiyat",
            fajr: 20, isha: .angle(18),
            offsets: EventMinutes(fajr: 2, sunrise: -2, dhuhr: 2, asr: 2, maghrib: 2, isha: 2), rounding: .up,
            sunriseRoundsDown: true, sunriseDepression: 1),
    ]

    private static let africa = [
        Method(
            "egyptian", 5, "Egyptian General Authority of Survey", region: "Egypt, Sudan, parts of Africa",
            source: "Egyptian General Authority of Survey", fajr: 19.5, isha: .angle(17.5)),
        Method(
            "tunisia", 18, "Tunisia", region: "Tunisia",
            source: "Ministry of Religious Affairs, Tunisia, as AlAdhan lists it",
            fajr: 18, isha: .angle(18)),
        Method(
            "algeria", 19, "Algeria", region: "Algeria",
            source: "Ministry of Religious Affairs, Algeria, as AlAdhan lists it",
            fajr: 18, isha: .angle(17)),
        Method(
            "morocco", 21, "Morocco", region: "Morocco",
            source: "Ministry of Habous, Morocco, as AlAdhan lists it",
            fajr: 19, isha: .angle(17)),
    ]

    private static let seasons = [
        Method(
            "moonsighting", 15, "Moonsighting Committee Worldwide", region: "Worldwide, much used in Britain",
            source: "Moonsighting Committee Worldwide (K. Shaukat), seasonal functions of latitude",
            fajr: 18, isha: .angle(18), offsets: EventMinutes(dhuhr: 5, maghrib: 3), isSeasonal: true)
    ]
}
