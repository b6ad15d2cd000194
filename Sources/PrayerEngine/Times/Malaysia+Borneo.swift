/// JAKIM's zones. JAKIM computes each for one point, which it does not name. The points, and the minutes by which a zone's
/// sunrise or mountain differs, were derived from the days that it published in 2023 and 2024.
extension ReferencePlace {
    static let borneo = [
        ReferencePlace(
            "SBH01", "Sandakan (east), Bukit Garam, Semawang, Temanggong, Tambisan, Bandar Sandakan, Sukau",
            5.58, 117.930, until2023: (5.32, 117.613), towns: [(5.8402, 118.118), (5.56, 117.85)]),
        ReferencePlace(
            "SBH02", "Beluran, Telupid, Pinangah, Terusan, Kuamut, Sandakan (west)", 5.31, 116.951,
            until2023: (5.14, 116.622), towns: [(5.894, 117.556), (5.625, 117.123)]),
        ReferencePlace(
            "SBH03", "Lahad Datu, Silabukan, Kunak, Sahabat, Semporna, Tungku, Tawau (east)", 5.10, 118.435,
            until2023: (5.03, 118.335), towns: [(5.0268, 118.327), (4.682, 118.249), (4.481, 118.611)]),
        ReferencePlace(
            "SBH04", "Bandar Tawau, Balong, Merotai, Kalabakan, Tawau (west)", 4.50, 117.631,
            until2023: (4.27, 117.420), towns: [(4.2448, 117.891), (4.417, 117.483)]),
        ReferencePlace(
            "SBH05", "Kudat, Kota Marudu, Pitas, Pulau Banggi", 6.98, 116.963, until2023: (6.53, 116.631),
            towns: [(6.883, 116.847), (6.487, 116.772), (6.711, 117.034)]),
        // The tables of 2023 and 2024 ignore the height of the mountain.
        ReferencePlace(
            "SBH06", "Gunung Kinabalu", 6.18, 116.658, offsets: EventOffsets(sunrise: -7.7, maghrib: 7.8),
            until2023: (6.06, 116.444), towns: [(6.075, 116.558)]),
        ReferencePlace(
            "SBH07", "Kota Kinabalu, Ranau, Kota Belud, Tuaran, Penampang, Papar, Putatan", 5.72, 116.060,
            until2023: (5.45, 115.684),
            towns: [(5.9749, 116.072), (5.953, 116.664), (6.351, 116.43), (6.178, 116.233), (5.733, 115.932)]),
        ReferencePlace(
            "SBH08", "Pensiangan, Keningau, Tambunan, Nabawan", 5.36, 116.298, until2023: (5.23, 116.224),
            towns: [(5.3378, 116.16), (5.669, 116.365), (5.05, 116.44)]),
        ReferencePlace(
            "SBH09", "Beaufort, Kuala Penyu, Sipitang, Tenom, Long Pasia, Membakut, Weston", 5.15, 115.682,
            until2023: (5.08, 115.453),
            towns: [(5.3473, 115.745), (5.57, 115.597), (5.079, 115.55), (5.121, 115.949)]),
        ReferencePlace(
            "SWK01", "Limbang, Lawas, Sundar, Trusan", 4.80, 114.954, towns: [(4.75, 115), (4.854, 115.409)]),
        ReferencePlace(
            "SWK02", "Miri, Niah, Bekenu, Sibuti, Marudi", 3.90, 113.846,
            towns: [(4.3995, 113.991), (3.8, 113.77), (4.18, 114.32)]),
        ReferencePlace(
            "SWK03", "Pandan, Belaga, Suai, Tatau, Sebauh, Bintulu", 2.91, 112.987,
            towns: [(3.1713, 113.042), (2.7, 113.783), (2.88, 112.85)]),
        ReferencePlace(
            "SWK04", "Sibu, Mukah, Dalat, Song, Igan, Oya, Balingian, Kanowit, Kapit", 2.84, 111.826,
            towns: [(2.287, 111.831), (2.899, 112.092), (2.01, 112.933), (2.1, 112.15)]),
        ReferencePlace(
            "SWK05", "Sarikei, Matu, Julau, Rajang, Daro, Bintangor, Belawai", 2.26, 111.345,
            towns: [(2.127, 111.518), (2.52, 111.43), (2.02, 111.91)]),
        ReferencePlace(
            "SWK06",
            "Lubok Antu, Sri Aman, Roban, Debak, Kabong, Lingga, Engkelili, Betong, Spaoh, Pusa, Saratok",
            1.81, 111.240, towns: [(1.237, 111.462), (1.043, 111.831), (1.41, 111.525), (1.747, 111.352)]),
        ReferencePlace(
            "SWK07", "Serian, Simunjan, Samarahan, Sebuyau, Meludam", 1.49, 110.616,
            towns: [(1.167, 110.566), (1.393, 110.752), (1.4596, 110.494)]),
        ReferencePlace(
            "SWK08", "Kuching, Bau, Lundu, Sematan", 1.83, 109.895,
            towns: [(1.5533, 110.359), (1.417, 110.15), (1.67, 109.85)]),
        ReferencePlace("SWK09", "Kampung Patarikan (Limbang)", 4.98, 115.615),
        ReferencePlace(
            "WLY02", "Labuan", 5.28, 115.270, offsets: EventOffsets(sunrise: -0.8), towns: [(5.2831, 115.231)]
        ),
    ]
}
