package import PrayerEngine
package import Settings
import Texts

/// People's decisions, in the form of `state.json` and of its copy among the daemon's own files.
package struct DecidedRecord: Codable, Sendable {
    package static let fileName = "state.json"
    /// The copy, in case the state is lost.
    package static let copyName = "state.decided.json"

    private struct Exception: Codable {
        let date: String
        let prayer: Prayer
        let adhan: String?
        let iqama: String?
        let reason: String?
    }

    private let toggles: [String: Bool]
    /// Skipped prayers by date; omitted while there are none.
    private let skips: [String: [String]]?
    private let exceptions: [Exception]?
    private let hijriMonths: [String: String]?

    package init(toggles: Toggles, exceptions: DayExceptions, pins: [HijriMonth: CivilDate]) {
        self.toggles = Dictionary(uniqueKeysWithValues: toggles.switches.map { ($0.rawValue, $1) })
        let skipped = Dictionary(grouping: toggles.skips.all) { $0.date.description }
        skips = skipped.isEmpty ? nil : skipped.mapValues { $0.map(\.prayer.rawValue) }
        self.exceptions = exceptions.all.map {
            Exception(
                date: $0.date.description, prayer: $0.prayer, adhan: $0.adhanMinutes.map(ClockText.format),
                iqama: $0.iqamaMinutes.map(ClockText.format), reason: $0.reason)
        }
        hijriMonths = Dictionary(uniqueKeysWithValues: pins.map { ($0.description, $1.description) })
    }

    /// Reads the bytes of either file; throws when they are not a state.
    package init(fileBytes: [UInt8]) throws {
        self = try JSON.decode(Self.self, from: fileBytes)
    }

    /// The decisions, without a timetable. Entries that this version does not understand are from another version.
    package var times: MosqueOverrides {
        var decided = MosqueOverrides()
        let switches = toggles.compactMap { name, on in Prayer(rawValue: name).map { ($0, on) } }
        decided.toggles = Toggles(Dictionary(switches) { _, last in last })
        for (date, prayers) in skips ?? [:] {
            guard let date = CivilDate(date) else { continue }
            for prayer in prayers.compactMap({ Prayer(rawValue: $0) }) {
                decided.toggles.skips.insert(prayer, on: date)
            }
        }
        decided.exceptions = DayExceptions(
            (exceptions ?? []).compactMap { entry in
                CivilDate(entry.date).map {
                    DayException(
                        date: $0, prayer: entry.prayer,
                        adhanMinutes: entry.adhan.flatMap { ClockText.parse($0) },
                        iqamaMinutes: entry.iqama.flatMap { ClockText.parse($0) }, reason: entry.reason)
                }
            })
        for (month, date) in hijriMonths ?? [:] {
            guard let month = HijriMonth(month), let date = CivilDate(date) else { continue }
            decided.pins[month] = date
        }
        return decided
    }
}
