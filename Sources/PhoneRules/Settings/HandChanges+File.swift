internal import PrayerEngine
internal import Settings
internal import Texts

/// The content of `hand.json`, which preserves undo across restarts. Even a forged file can only undo a change that is still in
/// force.
extension HandChanges {
    package struct UnreadableError: Error {}

    private struct Document: Codable {
        var version = 1
        let last: Int
        let changes: [Entry]
    }

    private struct Entry: Codable {
        let number: Int
        let by: String
        var date: String?
        var prayer: String?
        var month: String?
        let before: Held?
        let after: Held?
    }

    private struct Held: Codable {
        var adhan: String?
        var iqama: String?
        var reason: String?
        var begins: String?
    }

    package init(json: [UInt8]) throws {
        let document = try JSON.decode(Document.self, from: json)
        let changes = try document.changes.map(Self.change)
        let numbers = changes.map(\.number)
        guard document.version == 1, changes.count <= Self.most, numbers == Set(numbers).sorted(),
            (numbers.first ?? 1) > 0, document.last >= numbers.last ?? 0, document.last < 1 << 53
        else { throw UnreadableError() }
        self.init(changes: changes, last: document.last)
    }

    package var json: [UInt8] {
        get throws {
            try JSON.encode(Document(last: newest, changes: changes.map(Self.entry)), pretty: true)
        }
    }

    private static func entry(_ change: Change) -> Entry {
        var entry = Entry(
            number: change.number, by: change.by, before: change.before.map(held),
            after: change.after.map(held))
        switch change.subject {
        case .exception(let day, let prayer): (entry.date, entry.prayer) = (day.description, prayer.rawValue)
        case .month(let month): entry.month = month
        }
        return entry
    }

    private static func change(_ entry: Entry) throws -> Change {
        let subject: Subject
        switch (entry.date.flatMap { CivilDate($0) }, entry.prayer.flatMap(Prayer.init), entry.month) {
        case (let day?, let prayer?, nil): subject = .exception(day, prayer)
        case (nil, nil, let month?): subject = .month(month)
        default: throw UnreadableError()
        }
        return Change(
            number: entry.number, by: entry.by, subject: subject,
            before: try entry.before.map { try value($0, of: subject) },
            after: try entry.after.map { try value($0, of: subject) })
    }

    private static func held(_ value: Value) -> Held {
        switch value {
        case .times(let adhan, let iqama, let reason):
            Held(adhan: adhan.map(ClockText.format), iqama: iqama.map(ClockText.format), reason: reason)
        case .begins(let day): Held(begins: day.description)
        }
    }

    private static func value(_ held: Held, of subject: Subject) throws -> Value {
        if case .month = subject {
            guard let day = held.begins.flatMap({ CivilDate($0) }) else { throw UnreadableError() }
            return .begins(day)
        }
        let (adhan, iqama) = (held.adhan.map { ClockText.parse($0) }, held.iqama.map { ClockText.parse($0) })
        // A time that is present must be well-formed.
        guard held.begins == nil, adhan != .some(nil), iqama != .some(nil), adhan != nil || iqama != nil
        else {
            throw UnreadableError()
        }
        return .times(adhan: adhan ?? nil, iqama: iqama ?? nil, reason: held.reason)
    }
}
