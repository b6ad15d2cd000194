import AdhanCore

/// State and history on disk. The state is replaced as a whole or not at all, as rename promises; a line of the history
/// is there as a whole or not, as its mending at the start promises.
struct Disk {
    private(set) var saved: SavedState?
    /// The whole history.
    private(set) var history: [HistoryEntry] = []
    var failsUntil = 0.0
    /// What the disk has not taken yet. The program tries again, as long as it lives.
    private(set) var unsaved: SavedState?
    /// True seconds at which it does.
    private(set) var retryAt: Double?
    /// Whether something was lost since the last start: a write that failed, or the file.
    private(set) var isGappy = false

    /// Seconds until what could not be kept is tried again.
    private static let retryAfter = 60.0
    /// How much of the history a starting program reads.
    static let witnessed = 300

    mutating func save(_ state: SavedState, at elapsed: Double) -> Bool {
        guard elapsed >= failsUntil else {
            unsaved = state
            retryAt = retryAt ?? elapsed + Self.retryAfter
            isGappy = true
            return false
        }
        saved = state
        unsaved = nil
        retryAt = nil
        return true
    }

    /// - Returns: whether the disk has taken it now; `nil` when there was nothing to do.
    mutating func retry(at elapsed: Double) -> Bool? {
        retryAt = nil
        return unsaved.map { save($0, at: elapsed) }
    }

    mutating func append(_ entry: HistoryEntry, at elapsed: Double) -> Bool {
        guard elapsed >= failsUntil else {
            isGappy = true
            return false
        }
        history.append(entry)
        return true
    }

    mutating func ruin() {
        saved = nil
        isGappy = true
    }

    /// Whether a program that starts now would know that an announcement was heard.
    func knowsHeard(_ id: String) -> Bool {
        guard saved?.outcome(of: id) == .playing else { return knows(id) }
        return saved?.underway.contains { $0.id == id && $0.startedAt != nil } == true
    }

    /// Whether a program that starts now would know that an announcement has been called.
    func knows(_ id: String) -> Bool {
        if let saved,
            saved.outcome(of: id)?.isFinal == true || saved.underway.contains(where: { $0.id == id })
        {
            return true
        }
        return history.suffix(Self.witnessed).contains { $0.id == id && $0.outcome.isFinal }
    }

    /// What a starting program reads: through the bytes, so that whatever can be saved is known to load.
    mutating func load(watch: inout Watch) -> (state: SavedState?, recorded: [HistoryEntry]) {
        unsaved = nil
        retryAt = nil
        isGappy = false
        let recorded = Array(history.suffix(Self.witnessed))
        guard let saved else { return (nil, recorded) }
        do {
            return (try SavedState(fileBytes: try saved.fileBytes()), recorded)
        } catch {
            watch.broken("the state on disk does not load: \(error)")
            return (nil, recorded)
        }
    }
}
