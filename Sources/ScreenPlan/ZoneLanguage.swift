internal import Languages

/// The language that most people of a time zone read, among the screen's languages: for a screen that is not configured yet.
enum ZoneLanguage {
    private static let zones: [String: String] = [
        "Asia/Dhaka": "bn", "Asia/Karachi": "ur", "Asia/Kolkata": "ur", "Asia/Calcutta": "ur",
        "Asia/Tehran": "fa", "Asia/Kabul": "fa", "Asia/Dushanbe": "fa",
        "Asia/Jakarta": "id", "Asia/Makassar": "id", "Asia/Jayapura": "id", "Asia/Pontianak": "id",
        "Asia/Kuala_Lumpur": "ms", "Asia/Kuching": "ms", "Asia/Brunei": "ms",
        "Asia/Tashkent": "uz", "Asia/Samarkand": "uz",
        "Asia/Almaty": "ru", "Asia/Bishkek": "ru", "Asia/Ashgabat": "ru",
        "Asia/Istanbul": "tr", "Europe/Istanbul": "tr", "Asia/Nicosia": "tr",
        "Europe/Berlin": "de", "Europe/Vienna": "de", "Europe/Zurich": "de", "Europe/Busingen": "de",
        "Europe/Paris": "fr", "Europe/Brussels": "fr", "Europe/Luxembourg": "fr", "Africa/Dakar": "fr",
        "Africa/Abidjan": "fr", "Africa/Bamako": "fr", "Africa/Conakry": "fr", "Africa/Ouagadougou": "fr",
        "Africa/Niamey": "ha", "Africa/Lagos": "ha", "Africa/Porto-Novo": "fr",
        "Europe/Madrid": "es", "Africa/Ceuta": "es", "Atlantic/Canary": "es", "America/Mexico_City": "es",
        "America/Argentina/Buenos_Aires": "es", "America/Bogota": "es", "America/Lima": "es",
        "America/Santiago": "es", "America/Caracas": "es",
        "Europe/Rome": "it", "Europe/Amsterdam": "nl", "Europe/Sarajevo": "bs",
        "Europe/Tirane": "sq", "Europe/Belgrade": "sq",
        "Europe/Moscow": "ru", "Europe/Samara": "ru", "Europe/Volgograd": "ru", "Asia/Yekaterinburg": "ru",
        "Asia/Omsk": "ru", "Asia/Novosibirsk": "ru", "Asia/Krasnoyarsk": "ru", "Asia/Vladivostok": "ru",
        "Africa/Mogadishu": "so", "Africa/Djibouti": "so",
        "Africa/Dar_es_Salaam": "sw", "Africa/Nairobi": "sw", "Africa/Kampala": "sw",
    ]

    /// The languages of the set-up: Arabic and English for everybody, and that of the zone, or else the configured one.
    static func setUp(zone: String, configured: [String]) -> [String] {
        var codes = ["ar", "en"]
        for code in [zones[zone]].compactMap({ $0 }) + configured.prefix(1)
        where codes.count < 3 && !codes.contains(code) && Language.codes.contains(code) {
            codes.append(code)
        }
        return codes
    }
}
