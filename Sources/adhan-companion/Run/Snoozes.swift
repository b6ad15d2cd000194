import Host
import PrayerEngine
import PrayerLog
import Texts

/// The instants until which prayers were put off, saved for the next run of the program.
struct Snoozes {
    private struct Document: Codable {
        struct Entry: Codable {
            let date: String
            let prayer: String
            let at: String
        }

        let snoozed: [Entry]
    }

    private let path: String

    static let fileName = "snoozed.json"

    init(directory: String) { path = directory + "/" + Self.fileName }

    func read() -> [PrayerSlot: Instant] {
        guard let bytes = try? FileBytes.read(path, limit: 1 << 16),
            let document = try? JSON.decode(Document.self, from: bytes)
        else { return [:] }
        var snoozed: [PrayerSlot: Instant] = [:]
        for entry in document.snoozed {
            guard let date = CivilDate(entry.date), let at = InstantText.parse(entry.at),
                let prayer = DailyPrayer.allCases.first(where: { $0.name == entry.prayer })
            else { continue }
            snoozed[PrayerSlot(date, prayer)] = at
        }
        return snoozed
    }

    func write(_ snoozed: [PrayerSlot: Instant]) throws(FileError) {
        let entries = snoozed.sorted { $0.key < $1.key }.map { slot, at in
            Document.Entry(
                date: slot.date.description, prayer: slot.prayer.name, at: InstantText.rfc3339(at, in: .utc))
        }
        guard let bytes = try? JSON.encode(Document(snoozed: entries)) else { return }
        try Directories.makePrivate(Directories.parent(of: path))
        try AtomicFile.replace(path, mode: 0o600) { draft throws(FileError) in try draft.write(bytes) }
    }
}
