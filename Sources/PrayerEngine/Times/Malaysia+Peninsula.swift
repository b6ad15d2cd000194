/// JAKIM's zones. JAKIM computes each for one point, which it does not name. The points, and the minutes by which a zone's
/// sunrise or mountain differs, were derived from the days that it published in 2023 and 2024; those of zones with two points
/// and of PHG07 from the odd days of 2026.
extension ReferencePlace {
    static let peninsula = [
        ReferencePlace(
            "JHR01", "Pulau Aur and Pulau Pemanggil", 2.58, 104.436, towns: [(2.45, 104.52), (2.58, 104.33)]),
        ReferencePlace(
            "JHR02", "Johor Bahru, Kota Tinggi, Mersing, Kulai", 1.72, 103.649,
            towns: [(1.4927, 103.741), (1.7381, 103.9), (2.4312, 103.841), (1.6626, 103.599)]),
        ReferencePlace(
            "JHR03", "Kluang, Pontian", 1.66, 103.317, towns: [(2.0301, 103.319), (1.4869, 103.389)]),
        ReferencePlace(
            "JHR04", "Batu Pahat, Muar, Segamat, Gemas Johor, Tangkak", 2.28, 102.648,
            towns: [(1.8548, 102.933), (2.0442, 102.569), (2.5148, 102.816), (2.2673, 102.545)]),
        ReferencePlace(
            "KDH01", "Kota Setar, Kubang Pasu, Pokok Sena", 6.24, 100.311,
            offsets: EventOffsets(sunrise: -2.1),
            towns: [(6.1248, 100.368), (6.2667, 100.417), (6.1667, 100.517), (6.4333, 100.433)]),
        ReferencePlace(
            "KDH02", "Kuala Muda, Yan, Pendang", 5.78, 100.560,
            offsets: EventOffsets(fajr: 0.8, sunrise: -1.3, asr: 0.7, maghrib: 0.7, isha: 0.7),
            towns: [(5.647, 100.488), (5.8, 100.383), (5.9939, 100.475)]),
        ReferencePlace(
            "KDH03", "Padang Terap, Sik", 6.27, 100.561, offsets: EventOffsets(sunrise: -2.9),
            towns: [(6.25, 100.617), (5.8125, 100.741)]),
        ReferencePlace(
            "KDH04", "Baling", 5.67, 100.810,
            offsets: EventOffsets(fajr: 0.5, sunrise: -1.8, asr: 0.7, maghrib: 0.5, isha: 0.5),
            towns: [(5.6756, 100.918)]),
        ReferencePlace(
            "KDH05", "Bandar Baharu, Kulim", 5.27, 100.560,
            offsets: EventOffsets(fajr: 0.3, sunrise: -1.9, asr: 0.3, maghrib: 0.3, isha: 0.3),
            towns: [(5.1333, 100.494), (5.3649, 100.562)]),
        ReferencePlace(
            "KDH06", "Langkawi", 6.49, 99.803, offsets: EventOffsets(sunrise: -1, maghrib: 0.3),
            towns: [(6.3265, 99.8432)]),
        ReferencePlace(
            "KDH07", "Puncak Gunung Jerai", 5.91, 100.560,
            offsets: EventOffsets(fajr: -4.4, sunrise: -4.6, asr: 0.8, maghrib: 4.5, isha: 4.5),
            towns: [(5.788, 100.435)]),
        ReferencePlace(
            "KTN01",
            "Bachok, Kota Bharu, Machang, Pasir Mas, Pasir Puteh, Tanah Merah, Tumpat, Kuala Krai, Mukim Chiku",
            6.02, 102.108, isha: 17,
            towns: [
                (6.1254, 102.238), (6.0667, 102.4), (5.7644, 102.217), (6.0493, 102.14), (5.835, 102.405),
                (5.809, 102.147), (5.5306, 102.202),
            ]),
        ReferencePlace(
            "KTN02", "Gua Musang (Galas, Bertam), Jeli, Jajahan Kecil Lojing", 4.96, 101.622, isha: 17,
            towns: [(4.8823, 101.964), (5.7, 101.85), (4.66, 101.45)]),
        ReferencePlace(
            "MLK01", "All of Melaka", 2.41, 102.117, towns: [(2.1896, 102.25), (2.3803, 102.209)]),
        ReferencePlace(
            "NGS01", "Tampin, Jempol", 2.517, 102.326, offsets: EventOffsets(sunrise: -1.9),
            andLaterAt: (3.076, 102.403),
            towns: [(2.4701, 102.23), (2.9, 102.4)]),
        ReferencePlace(
            "NGS02", "Jelebu, Kuala Pilah, Rembau", 3.035, 102.047, offsets: EventOffsets(sunrise: -1.65),
            andLaterAt: (2.320, 102.213),
            towns: [(2.9418, 102.06), (2.7389, 102.249), (2.5927, 102.094)]),
        ReferencePlace(
            "NGS03", "Port Dickson, Seremban", 2.603, 101.829, offsets: EventOffsets(sunrise: -1.5),
            andLaterAt: (2.887, 101.897),
            towns: [(2.5228, 101.796), (2.7258, 101.942)]),
        ReferencePlace("PHG01", "Pulau Tioman", 2.79, 104.270, towns: [(2.817, 104.16)]),
        ReferencePlace(
            "PHG02", "Kuantan, Pekan, Muadzam Shah", 3.09, 102.900,
            towns: [(3.8077, 103.326), (3.4836, 103.4), (3.0646, 103.075)]),
        ReferencePlace(
            "PHG03", "Jerantut, Temerloh, Maran, Bera, Chenor, Jengka", 3.48, 102.227,
            towns: [(3.936, 102.363), (3.4506, 102.418), (3.5856, 102.774), (3.27, 102.45)]),
        ReferencePlace(
            "PHG04", "Bentong, Lipis, Raub", 3.99, 101.855,
            towns: [(3.5221, 101.908), (4.1842, 102.054), (3.7903, 101.857)]),
        ReferencePlace(
            "PHG05", "Genting Sempah, Janda Baik, Bukit Tinggi", 3.40, 101.950,
            offsets: EventOffsets(sunrise: -3.8, maghrib: 3.7), towns: [(3.35, 101.79), (3.323, 101.864)]),
        ReferencePlace(
            "PHG06", "Cameron Highlands, Genting Highlands, Bukit Fraser", 4.50, 101.517,
            offsets: EventOffsets(sunrise: -5.8, maghrib: 5.7),
            towns: [(4.4721, 101.38), (3.4236, 101.793), (3.7119, 101.737)]),
        ReferencePlace(
            "PHG07", "Rompin (Mukim Rompin, Endau and Pontian)", 2.891, 103.358,
            towns: [(2.817, 103.489), (2.65, 103.617)]),
        ReferencePlace(
            "PLS01", "Kangar, Padang Besar, Arau", 6.49, 100.251, offsets: EventOffsets(fajr: -0.4),
            towns: [(6.4414, 100.199), (6.6622, 100.322), (6.4297, 100.27)]),
        ReferencePlace(
            "PNG01", "All of Pulau Pinang", 5.35, 100.276, offsets: EventOffsets(sunrise: -1.8),
            towns: [(5.4141, 100.329), (5.3991, 100.364), (5.216, 100.435)]),
        ReferencePlace(
            "PRK01", "Tapah, Slim River, Tanjung Malim", 4.220, 101.204,
            offsets: EventOffsets(sunrise: -1.85),
            andLaterAt: (3.648, 101.416),
            towns: [(4.198, 101.261), (3.829, 101.405), (3.685, 101.52)]),
        ReferencePlace(
            "PRK02", "Kuala Kangsar, Sg. Siput, Ipoh, Batu Gajah, Kampar", 4.519, 100.842,
            offsets: EventOffsets(sunrise: -2.8), andLaterAt: (4.841, 100.944),
            towns: [(4.773, 100.942), (4.816, 101.076), (4.5975, 101.09), (4.469, 101.041), (4.308, 101.154)]),
        ReferencePlace(
            "PRK03", "Lenggong, Pengkalan Hulu, Grik", 4.980, 101.001, offsets: EventOffsets(sunrise: -2.2),
            andLaterAt: (5.662, 101.046),
            towns: [(5.107, 100.967), (5.705, 100.999), (5.429, 101.129)]),
        ReferencePlace(
            "PRK04", "Temengor, Belum", 5.713, 101.382, offsets: EventOffsets(sunrise: -2.15),
            andLaterAt: (5.365, 101.336),
            towns: [(5.32, 101.38), (5.55, 101.45)]),
        ReferencePlace(
            "PRK05",
            "Kg Gajah, Teluk Intan, Bagan Datuk, Seri Iskandar, Beruas, Parit, Lumut, Sitiawan, Pulau Pangkor",
            4.12, 100.654, offsets: EventOffsets(sunrise: -3.1),
            towns: [
                (4.0259, 101.021), (3.99, 100.786), (4.357, 100.968), (4.5, 100.78), (4.2323, 100.63),
                (4.217, 100.698),
            ]),
        ReferencePlace(
            "PRK06", "Selama, Taiping, Bagan Serai, Parit Buntar", 5.07, 100.492,
            offsets: EventOffsets(sunrise: -2.3),
            towns: [(5.22, 100.692), (4.85, 100.733), (5.011, 100.541), (5.1267, 100.493)]),
        ReferencePlace(
            "PRK07", "Bukit Larut", 4.75, 100.921, offsets: EventOffsets(sunrise: -5, maghrib: 5),
            towns: [(4.862, 100.793)]),
        ReferencePlace(
            "SGR01", "Gombak, Petaling, Sepang, Hulu Langat, Hulu Selangor, Shah Alam", 3.751, 101.513,
            offsets: EventOffsets(sunrise: -1.1), andLaterAt: (2.443, 101.812),
            towns: [
                (3.0733, 101.519), (3.1073, 101.607), (2.822, 101.719), (2.9935, 101.787), (3.559, 101.655),
                (3.22, 101.68),
            ]),
        ReferencePlace(
            "SGR02", "Kuala Selangor, Sabak Bernam", 3.71, 100.922, offsets: EventOffsets(sunrise: -2.9),
            towns: [(3.339, 101.25), (3.769, 100.985)]),
        ReferencePlace(
            "SGR03", "Klang, Kuala Langat", 3.031, 101.381, offsets: EventOffsets(sunrise: -1.45),
            andLaterAt: (3.639, 101.476),
            towns: [(3.0449, 101.446), (2.8, 101.495)]),
        ReferencePlace(
            "TRG01", "Kuala Terengganu, Marang, Kuala Nerus", 5.27, 103.097,
            towns: [(5.3302, 103.141), (5.2056, 103.206)]),
        ReferencePlace("TRG02", "Besut, Setiu", 5.43, 102.551, towns: [(5.83, 102.56), (5.57, 102.75)]),
        ReferencePlace("TRG03", "Hulu Terengganu", 5.02, 102.658, towns: [(5.078, 103.011)]),
        ReferencePlace(
            "TRG04", "Dungun, Kemaman", 4.52, 102.993, towns: [(4.757, 103.424), (4.2333, 103.417)]),
        ReferencePlace(
            "WLY01", "Kuala Lumpur, Putrajaya", 3.751, 101.513, offsets: EventOffsets(sunrise: -0.85),
            andLaterAt: (2.443, 101.812),
            towns: [(3.1412, 101.686), (2.9264, 101.696)]),
    ]
}
