import PrayerEngine
package import Texts

/// `prayed --json`, `undo --json`, `redo --json`
package struct LogChangeDocument: Encodable, Sendable {
    package struct Entry: Encodable, Sendable {
        package let date: String
        package let prayer: String
        @Nullable package var before: MarkDocument?
        @Nullable package var after: MarkDocument?
    }

    /// The present entries of the prayers that were named.
    package let marks: [MarkDocument]
    /// The new entry, and the one before; `null` if there is none.
    package let changes: [Entry]
    /// Whether anything was written.
    package let changed: Bool
    /// Today's prayers that were prayed, of five.
    package let done: Int
    package let streak: StreakDocument

    package init(_ change: LogChange, _ log: Logbook, _ streak: Streak) {
        marks = (change.slots.compactMap(\.after) + change.kept).sorted { $0.slot < $1.slot }.map {
            MarkDocument($0)
        }
        changes = change.slots.map {
            Entry(
                date: $0.slot.date.description, prayer: $0.slot.prayer.name,
                before: $0.before.map { MarkDocument($0) }, after: $0.after.map { MarkDocument($0) })
        }
        changed = !change.slots.isEmpty
        done = log.doneToday
        self.streak = StreakDocument(streak)
    }
}
