import AdhanCore

/// The state on disk: replaced as a whole or not at all, as rename promises.
struct Disk {
    private var saved: SavedState?
    var failsUntil = 0.0
    /// Whether the program knows that the last write failed.
    var hadFailed = false

    mutating func save(_ state: SavedState, at elapsed: Double) -> Bool {
        guard elapsed >= failsUntil else { return false }
        saved = state
        return true
    }

    /// The end of the history.
    private(set) var history: [HistoryEntry] = []

    mutating func append(_ entry: HistoryEntry, at elapsed: Double) -> Bool {
        guard elapsed >= failsUntil else { return false }
        if history.count > 100 { history.removeFirst(50) }
        history.append(entry)
        return true
    }

    /// What a starting program reads: through the bytes, so that whatever can be saved is known to load.
    mutating func load(watch: inout Watch) -> SavedState? {
        hadFailed = false
        guard let saved else { return nil }
        do {
            return try SavedState(fileBytes: try saved.fileBytes())
        } catch {
            watch.broken("the state on disk does not load: \(error)")
            return nil
        }
    }
}
