import Announcements
import Daemon
import Protocol
import Settings
import StateFile

/// The state and the history on disk. The state is replaced as a whole or not at all, as rename guarantees; a line of the history
/// is complete or absent, because the start repairs it.
struct Disk {
    private(set) var saved: SavedState?
    private(set) var settings = SettingsLayer()
    /// The whole history.
    private(set) var history: [HistoryEntry] = []
    /// Lines that the history has not accepted yet.
    private var unrecorded: [HistoryEntry] = []
    var failsUntil = 0.0
    /// The state that the disk has not accepted yet, which the program retries for as long as it lives.
    private(set) var unsaved: SavedState?
    /// The true seconds of the next retry.
    private(set) var retryAt: Double?
    /// Whether something was lost since the last start: a write that failed, or the file.
    private(set) var isGappy = false
    private var loads = 0
    private static let heard: Set<Outcome> = [.played, .interrupted, .failed]

    /// Seconds until a refused write is tried again.
    private static let retryAfterSeconds = 60.0
    /// The lines of the history that a starting program reads.
    private static let witnessed = Limits.linesLearntFrom
    /// The number of starts of which one reads the state from bytes; the others reuse the value, because parsing takes
    /// as long as a simulated day.
    private static let startsPerReading = 16

    mutating func save(_ state: SavedState, at elapsed: Double) -> Bool {
        guard elapsed >= failsUntil else {
            unsaved = state
            retryAt = retryAt ?? elapsed + Self.retryAfterSeconds
            isGappy = true
            return false
        }
        saved = state
        unsaved = nil
        if unrecorded.isEmpty { retryAt = nil }
        return true
    }

    /// The settings are replaced as a whole or not at all. A refused write is not retried.
    mutating func save(_ settings: SettingsLayer, at elapsed: Double) -> Bool {
        guard elapsed >= failsUntil, let bytes = try? settings.fileBytes(),
            let read = try? SettingsLayer(fileBytes: bytes)
        else { return false }
        self.settings = read
        return true
    }

    /// - Returns: whether the disk has accepted it now; `nil` when there was nothing to do.
    mutating func retry(at elapsed: Double) -> Bool? {
        retryAt = nil
        _ = append([], at: elapsed)
        return unsaved.map { save($0, at: elapsed) }
    }

    /// The batch is written as a whole or not at all, after the lines that were refused before.
    mutating func append(_ entries: [HistoryEntry], at elapsed: Double) -> Bool {
        unrecorded += entries
        guard elapsed >= failsUntil else {
            retryAt = retryAt ?? elapsed + Self.retryAfterSeconds
            isGappy = true
            return false
        }
        history += unrecorded
        unrecorded = []
        return true
    }

    // MARK: Damage

    mutating func ruin() {
        saved = nil
        isGappy = true
    }

    /// Cuts the file short. If it no longer loads it is set aside; if it loads, nothing must be missing.
    mutating func tear(keeping part: Double) -> String? {
        guard let bytes = try? saved?.fileBytes() else { return nil }
        let kept = Array(bytes.prefix(Int(Double(bytes.count) * part)))
        // Losing the last line feed, or the brace before it, loses nothing.
        if kept.count < bytes.count - 2, (try? SavedState(fileBytes: kept)) != nil {
            return "a torn state is taken for a whole one"
        }
        ruin()
        return nil
    }

    /// - Returns: the announcement of the lost line.
    mutating func loseLastLine() -> String? {
        isGappy = true
        return history.popLast()?.id
    }

    // MARK: A starting program's knowledge

    /// The announcements that were heard, from the part of the history that is read. A record by a wrong clock, in a future in
    /// which an announcement was switched off, does not count for the day on which it was called.
    func witnesses() -> Set<AnnouncementID> {
        Set(
            history.suffix(Limits.linesSurelyLearnt).lazy.filter { Self.heard.contains($0.outcome) }
                .compactMap {
                    AnnouncementID($0.id)
                })
    }

    /// Whether a program that starts now would know that an announcement was heard.
    func knowsHeard(_ id: AnnouncementID, witnesses: Set<AnnouncementID>) -> Bool {
        guard saved?.outcome(of: id) == .playing else { return knows(id, witnesses: witnesses) }
        return saved?.underway.contains { $0.id == id && $0.startedAt != nil } == true
    }

    /// Whether a program that starts now would know that an announcement has been called.
    func knows(_ id: AnnouncementID, witnesses: Set<AnnouncementID>? = nil) -> Bool {
        if let saved,
            saved.outcome(of: id)?.isFinal == true || saved.underway.contains(where: { $0.id == id })
        {
            return true
        }
        return (witnesses ?? self.witnesses()).contains(id)
    }

    /// The input of a starting program.
    mutating func load(checker: inout Checker) -> (state: SavedState?, recorded: [HistoryEntry]) {
        unsaved = nil
        unrecorded = []
        retryAt = nil
        isGappy = false
        let recorded = Array(history.suffix(Self.witnessed))
        guard let saved else { return (nil, recorded) }
        loads += 1
        guard loads % Self.startsPerReading == 1 else { return (saved, recorded) }
        do {
            return (try SavedState(fileBytes: try saved.fileBytes()), recorded)
        } catch {
            checker.broken("the state on disk does not load: \(error)")
            return (nil, recorded)
        }
    }
}
