import PrayerEngine

/// Checks of the whole that single keys cannot express.
extension ConfigSchema {
    private static let angleTable = ["calculation", "angles"]

    static func relations(_ facts: SchemaFacts) -> [SchemaComplaint] {
        var complaints: [SchemaComplaint] = []
        let place = ["location"]
        for (given, missing) in [("latitude", "longitude"), ("longitude", "latitude")]
        where facts.has(place + [given]) && !facts.has(place + [missing]) {
            complaints.append(
                .init(place + [given], "location.\(given) needs location.\(missing) beside it"))
        }
        for name in ["name", "elevation", "town-elevation"]
        where facts.has(place + [name]) && !facts.has(place + ["latitude"]) {
            // If the other of the two is missing, that was reported.
            if facts.has(place + ["longitude"]) { continue }
            complaints.append(
                .init(
                    place + [name],
                    "location.\(name) needs location.latitude and location.longitude beside it"))
        }
        return complaints + angleRelations(facts)
    }

    private static func angleRelations(_ facts: SchemaFacts) -> [SchemaComplaint] {
        let method = ["calculation", "method"]
        guard facts.value(method) == .text(CalculationSettings.custom) else {
            guard facts.hasTable(angleTable) else { return [] }
            return [
                .init(
                    angleTable,
                    "calculation.angles is read only with method = \"custom\"; set it, or remove the angles")
            ]
        }
        func has(_ name: String) -> Bool { facts.has(angleTable + [name]) }
        var complaints: [SchemaComplaint] = []
        if !has("fajr") || !has("isha") && !has("isha-minutes") {
            complaints.append(
                .init(
                    method,
                    "calculation.method = \"custom\" needs fajr and isha (or isha-minutes) in [calculation.angles]"
                ))
        }
        if has("isha"), has("isha-minutes") {
            complaints.append(
                .init(
                    angleTable + ["isha-minutes"],
                    "calculation.angles.isha-minutes excludes calculation.angles.isha; keep one of them"))
        }
        return complaints
    }

    /// Checks that only the engine can do, such as a maghrib angle that must be smaller than isha's.
    static func wholeComplaints(_ config: Config, _ facts: SchemaFacts) -> [SchemaComplaint] {
        do throws(EngineError) {
            _ = try config.calculation.calculation()
            return []
        } catch {
            let hasAngles = facts.has(angleTable + ["fajr"])
            let key = facts.has(["calculation", "zone"]) && !hasAngles ? "zone" : "angles"
            return [.init(["calculation", key], "calculation.\(key): \(error.description)")]
        }
    }
}
