extension Method {
    /// Every method but `custom`, in listing order. docs/METHODS.md is generated from it and explains each
    /// figure.
    public static let all: [Method] =
        americas + europe + middleEast + centralAsia + southAsia + southEastAsia + africa + printed

    private static let americas = [
        Method(
            "isna", 2, "Islamic Society of North America", region: "North America",
            source: "ISNA / Fiqh Council of North America, 15°", fajr: 15, isha: .angle(15)
        ) { $0.asr = .hanafi }
    ]

    private static let middleEast = [
        Method(
            "umm-al-qura", 4, "Umm al-Qura University, Makkah", region: "Saudi Arabia",
            source:
                "Umm al-Qura calendar; rounding inferred from its tables for Makkah, 2016, and the Sun of 12 h UT for Fajr from "
                + "1,825 days of five towns", fajr: 18.5, isha: .minutes(90, ramadan: 120)
        ) {
            $0.dawnEphemeris = .fixed(hour: 12)
            $0.rounding = .up
            // 1430 AH began on 2008-12-29.
            $0.earlierFajr = EarlierFajr(angle: 19, until: CivilDate(dayNumber: 14_242))
        },
        Method(
            "gulf", 8, "Gulf region", region: "Bahrain and other Gulf states",
            source: "Gulf timetables, as AlAdhan lists them", fajr: 19.5, isha: .minutes(90, ramadan: 90)),
        Method(
            "kuwait", 9, "Kuwait", region: "Kuwait", source: "Ministry of Awqaf, Kuwait, as AlAdhan lists it",
            fajr: 18, isha: .angle(17.5)),
        Method(
            "qatar", 10, "Qatar Calendar House", region: "Qatar",
            source: "Qatar Calendar House's perpetual timetable, minutes fitted to 183 published days",
            fajr: 18, isha: .minutes(90, ramadan: 90)
        ) { $0.offsets = EventOffsets(fajr: -1, maghrib: 2, isha: 2) },
        Method(
            "uae", 16, "General Authority of Islamic Affairs, United Arab Emirates",
            region: "United Arab Emirates",
            source: "Islamic Affairs Department, Dubai, as AlAdhan lists it", fajr: 18.2, isha: .angle(18.2)
        ) {
            $0.aliases = ["dubai"]
            $0.offsets = EventOffsets(sunrise: -3, dhuhr: 3, asr: 3, maghrib: 3)
        },
        Method(
            "oman", nil, "Ministry of Endowments and Religious Affairs, Oman", region: "Oman",
            source:
                "inferred from public descriptions of Oman's timetables: 18°, five minutes after noon and sunset; not held "
                + "against a published table", fajr: 18, isha: .angle(18)
        ) { $0.offsets = EventOffsets(dhuhr: 5, maghrib: 5) },
        Method(
            "yemen", nil, "Ministry of Endowments and Guidance, Yemen", region: "Yemen",
            source: "inferred: the Egyptian survey's angles, common in Yemen", fajr: 19.5, isha: .angle(17.5)),
        Method(
            "jordan", 23, "Ministry of Awqaf, Jordan", region: "Jordan",
            source: "Ministry of Awqaf, Jordan, as AlAdhan lists it", fajr: 18, isha: .angle(18)
        ) { $0.offsets = EventOffsets(maghrib: 5) },
        Method(
            "palestine", nil, "Ministry of Awqaf and Religious Affairs, Palestine", region: "Palestine",
            source: "inferred: the Egyptian survey's angles, common in Palestine", fajr: 19.5,
            isha: .angle(17.5)),
        Method(
            "lebanon", nil, "Dar al-Fatwa, Lebanon", region: "Lebanon",
            source: "inferred: the Egyptian survey's angles, common in Lebanon", fajr: 19.5,
            isha: .angle(17.5)
        ),
        Method(
            "syria", nil, "Ministry of Endowments, Syria", region: "Syria",
            source: "inferred: the Egyptian survey's angles, common in Syria", fajr: 19.5, isha: .angle(17.5)),
        Method(
            "iraq", nil, "Sunni Endowment, Iraq", region: "Iraq",
            source: "inferred: the Muslim World League's dawn and nightfall, common among Iraq's Sunnis",
            fajr: 18, isha: .angle(17)),
        Method(
            "tehran", 7, "Institute of Geophysics, University of Tehran", region: "Iran",
            source:
                "Institute of Geophysics, University of Tehran, whose calendar centre makes Iran's timetables; held against "
                + "Tehran's times of four days, 2022–2024",
            fajr: 17.7, isha: .angle(14)
        ) {
            $0.maghribAngle = 4.5
            $0.midnight = .jafari
        },
        Method(
            "jafari", 0, "Shia Ithna-Ashari, Leva Institute, Qum", region: "Shia communities",
            source: "Leva Research Institute, Qum", fajr: 16, isha: .angle(14)
        ) {
            $0.maghribAngle = 4
            $0.midnight = .jafari
        },
    ]

    private static let centralAsia = [
        Method(
            "uzbekistan", nil, "Muslim Board of Uzbekistan", region: "Uzbekistan",
            source:
                "the Board's own page, Tashkent's times of seven days from May 2025 to January 2026: angles and minutes fitted",
            fajr: 15.4, isha: .angle(15)
        ) {
            $0.asr = .hanafi
            $0.offsets = EventOffsets(dhuhr: 5.1, asr: 0.3, maghrib: 4.2)
        },
        Method(
            "kazakhstan", nil, "Spiritual Administration of the Muslims of Kazakhstan", region: "Kazakhstan",
            source:
                "inferred: 15° for dawn and nightfall, with three minutes around sunrise, noon and sunset",
            fajr: 15, isha: .angle(15)
        ) {
            $0.asr = .hanafi
            $0.offsets = EventOffsets(sunrise: -3, dhuhr: 3, asr: 3, maghrib: 3)
        },
        Method(
            "azerbaijan", nil, "Caucasus Muslims Office", region: "Azerbaijan",
            source: "inferred: the angles of the Institute of Geophysics, Tehran", fajr: 17.7,
            isha: .angle(14)
        ) {
            $0.maghribAngle = 4.5
            $0.midnight = .jafari
        },
    ]

    private static let southAsia = [
        Method(
            "karachi", 1, "University of Islamic Sciences, Karachi", region: "Pakistan, India, Afghanistan",
            source:
                "University of Islamic Sciences, Karachi; held against the times that Pakistan's press gave for eight cities on "
                + "three days of 2025 and 2026", fajr: 18,
            isha: .angle(18)
        ) { $0.asr = .hanafi },
        Method(
            "bangladesh", nil, "Islamic Foundation Bangladesh", region: "Bangladesh",
            source:
                "Islamic Foundation's tables for Ramadan 2026, one for each district: 18° and sunset for its western end, rounded "
                + "up; the minutes that this comes to in the chief town were found in 57 days of five districts. Before 2025 "
                + "minutes that were fitted to Dhaka's Ramadan, 2017–2024", fajr: 18, isha: .angle(18)
        ) {
            $0.asr = .hanafi
            $0.offsets = EventOffsets(fajr: 1.4, maghrib: 1.2)
            // 2025-01-01
            $0.earlierOffsets = EarlierOffsets(
                offsets: EventOffsets(fajr: 0.5, maghrib: 3.5), until: CivilDate(dayNumber: 20_089))
            $0.rounding = .up
        },
        Method(
            "sri-lanka", nil, "All Ceylon Jamiyyathul Ulama", region: "Sri Lanka",
            source:
                "ACJU's table of zone 1 (Colombo) for 2026: angles and minutes fitted to 179 published days",
            fajr: 19.8, isha: .angle(18.2)
        ) {
            $0.offsets = EventOffsets(fajr: 0.1, sunrise: 0.2, dhuhr: 1.3, asr: 1.4, maghrib: 1.45)
        },
        Method(
            "maldives", nil, "Ministry of Islamic Affairs, Maldives", region: "Maldives",
            source:
                "the ministry's perpetual tables: angles and minutes fitted to 1,095 published days of three of its 42 groups of "
                + "islands", fajr: 18.9, isha: .angle(18.9)
        ) {
            $0.ephemeris = .perpetualExact(year: 2011)
            $0.offsets = EventOffsets(
                fajr: 0.2, sunrise: -1.7, dhuhr: 4.3, asr: 1.1, maghrib: 2.3, isha: 0.8)
        },
    ]

    private static let southEastAsia = [
        Method(
            "singapore", 11, "Majlis Ugama Islam Singapura (MUIS)", region: "Singapore",
            source:
                "MUIS timetables 2018–2022; the Sun of the following day, the minutes and the place fitted to 1,826 "
                + "published days, held against 2024", fajr: 20, isha: .angle(18)
        ) {
            // The declination and equation of time of the day after: derived from published days, not stated by the authority.
            $0.ephemeris = .fixed(hour: 28.8)
            $0.offsets = EventOffsets(dhuhr: 1)
            $0.ramadanOffsets = EventOffsets(maghrib: 1)
            $0.rounding = .up
            $0.roundingByEvent.sunrise = .up
            $0.places = .singapore
        },
        Method(
            "jakim", 17, "Jabatan Kemajuan Islam Malaysia (JAKIM)", region: "Malaysia",
            source:
                "JAKIM e-Solat: minutes and every zone's point fitted to 456 published days, 2023–2024, held against 2026; "
                + "zones of two points fitted to odd days of 2023–2026, held against the even ones; Fajr 18° by the 116th "
                + "Muzakarah, 20–21 November 2019, printed from 2020 on, in Kedah from March 2020, in Perlis, Kelantan and Sabah "
                + "from 2021", fajr: 18, isha: .angle(18)
        ) {
            $0.offsets = EventOffsets(fajr: 1, dhuhr: 2.07, asr: 1, maghrib: 1, isha: 1)
            // 2020-01-01
            $0.earlierFajr = EarlierFajr(angle: 20, until: CivilDate(dayNumber: 18_262))
            $0.places = .malaysia
        },
        Method(
            "brunei", nil, "Ministry of Religious Affairs, Brunei", region: "Brunei",
            source: "the ministry's timetable 2020–2021, held against 183 published days", fajr: 20,
            isha: .angle(18)
        ) {
            $0.ephemeris = .fixed(hour: 0)
            $0.offsets = EventOffsets(dhuhr: 1.1)
        },
        Method(
            "kemenag", 20, "Kementerian Agama, Indonesia", region: "Indonesia",
            source:
                "Kementerian Agama's criteria: 20°, 18°, two minutes of ihtiyat; sunrise and sunset at 1°, the noon shadow "
                + "of 0 h UT and the dip of Bandung found in 2,924 published days, 2023–2024, and the other regencies of the highlands in 514 "
                + "tables of earlier years",
            fajr: 20, isha: .angle(18)
        ) {
            $0.sunriseDepressionDegrees = 1
            $0.sunsetDepressionDegrees = 1
            $0.elevation.dipMinutes = 2.165
            $0.noonShadowHour = 0
            $0.offsets = EventOffsets(fajr: 2, sunrise: -2, dhuhr: 2, asr: 2, maghrib: 2, isha: 2)
            $0.rounding = .up
            $0.places = .indonesia
        },
    ]

    private static let africa = [
        Method(
            "egyptian", 5, "Egyptian General Authority of Survey", region: "Egypt, parts of Africa",
            source: "Egyptian General Authority of Survey", fajr: 19.5, isha: .angle(17.5)),
        Method(
            "sudan", nil, "Islamic Fiqh Academy, Sudan", region: "Sudan",
            source: "inferred: the Egyptian survey's angles, common in Sudan", fajr: 19.5, isha: .angle(17.5)),
        Method(
            "libya", nil, "General Authority of Awqaf, Libya", region: "Libya",
            source: "inferred: 18.5° for dawn and nightfall, as described by public programs", fajr: 18.5,
            isha: .angle(18.5)),
        Method(
            "tunisia", 18, "National Institute of Meteorology, Tunisia", region: "Tunisia",
            source:
                "the institute's tables for 2026, held against 4,015 published days of eleven towns: 0 h UT for noon and "
                + "Asr, the dip of the horizon at the town's height for all that is low", fajr: 18,
            isha: .angle(18)
        ) {
            $0.daylightEphemeris = .fixed(hour: 0)
            $0.elevation.lowersTwilight = true
            $0.elevation.isTown = true
            $0.offsets = EventOffsets(dhuhr: 7.05, asr: 0.05, maghrib: 2)
            $0.places = .tunisia
        },
        Method(
            "algeria", 19, "Ministry of Religious Affairs, Algeria", region: "Algeria",
            source:
                "the ministry's tables of 1442 AH for seven wilayas, 2,478 published days: Algiers, Djelfa and Adrar are computed "
                + "and rounded up, the others have whole minutes more or less, the same for a Hijri month",
            fajr: 18, isha: .angle(17)
        ) {
            $0.offsets = EventOffsets(maghrib: 3)
            $0.rounding = .up
            $0.roundingByEvent.sunrise = .up
            $0.centres = .algeria
        },
        Method(
            "morocco", 21, "Ministry of Habous, Morocco", region: "Morocco",
            source:
                "the ministry's tables of three towns, September and October 2026: minutes and the dip of the horizon at the "
                + "town's height fitted to 21 published days", fajr: 19, isha: .angle(17)
        ) {
            $0.elevation.isTown = true
            $0.offsets = EventOffsets(
                fajr: -0.3, sunrise: -1.9, dhuhr: 5.07, asr: 0.1, maghrib: 3, isha: 0.1)
        },
        Method(
            "nigeria", nil, "Nigerian Supreme Council for Islamic Affairs", region: "Nigeria",
            source: "inferred: the Muslim World League's angles, common in Nigeria", fajr: 18,
            isha: .angle(17)),
        Method(
            "senegal", nil, "Senegal", region: "Senegal",
            source: "inferred: the Muslim World League's angles, common in West Africa", fajr: 18,
            isha: .angle(17)),
        Method(
            "somalia", nil, "Somalia", region: "Somalia",
            source: "inferred: the Egyptian survey's angles, common in the Horn of Africa", fajr: 19.5,
            isha: .angle(17.5)),
    ]
}
