package import PrayerEngine

/// English is written in both orders: 27 November in most countries, November 27 in a few.
extension Zone {
    /// Whether it is a zone of the United States, of Canada or of the Philippines, as tzdata calls them.
    package var monthStandsFirst: Bool {
        if name.hasPrefix("US/") || name.hasPrefix("Canada/") { return true }
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return false }
        switch parts[0] {
        case "America":
            let isState = ["Indiana/", "Kentucky/", "North_Dakota/"].contains { parts[1].hasPrefix($0) }
            return isState || Self.americanTowns.contains(parts[1])
        case "Pacific": return ["Guam", "Honolulu", "Pago_Pago", "Saipan"].contains(parts[1])
        case "Asia": return parts[1] == "Manila"
        default: return false
        }
    }

    private static let americanTowns: Set = [
        // The United States
        "Adak", "Anchorage", "Boise", "Chicago", "Denver", "Detroit", "Fort_Wayne", "Indianapolis", "Juneau",
        "Los_Angeles", "Louisville", "Menominee", "Metlakatla", "New_York", "Nome", "Phoenix", "Puerto_Rico",
        "Shiprock", "Sitka", "St_Thomas", "Virgin", "Yakutat",
        // Canada
        "Atikokan", "Blanc-Sablon", "Cambridge_Bay", "Creston", "Dawson", "Dawson_Creek", "Edmonton",
        "Fort_Nelson", "Glace_Bay", "Goose_Bay", "Halifax", "Inuvik", "Iqaluit", "Moncton", "Montreal",
        "Nipigon", "Pangnirtung", "Rainy_River", "Rankin_Inlet", "Regina", "Resolute", "St_Johns",
        "Swift_Current", "Thunder_Bay", "Toronto", "Vancouver", "Whitehorse", "Winnipeg", "Yellowknife",
    ]
}
