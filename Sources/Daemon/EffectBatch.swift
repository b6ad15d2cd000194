import Announcements
import PrayerEngine
import Protocol
import StateFile

extension Notice.Kind {
    /// Whether the notice is about a person's change, so that it includes their name.
    fileprivate var isMadeByPeople: Bool {
        switch self {
        case .muteChanged, .toggleChanged, .exceptionChanged, .hijriChanged, .settingsChanged, .testStarted,
            .fleetChanged:
            true
        default: false
        }
    }
}

/// The effects of one event, collected while it is decided.
struct EffectBatch {
    let now: Instant
    /// Whether ``explain(_:_:)`` sends anything.
    let explains: Bool
    /// Effects that must not wait for the disk: starting a cued sound (its id was saved seconds ago), and silencing.
    private(set) var urgent: [Effect] = []
    /// Records for the history, in one batch, before the save: after a crash between the two the next start completes
    /// its state from the history, whereas a line missing from the history would stay missing.
    private(set) var records: [HistoryEntry] = []
    private(set) var rest: [Effect] = []
    private(set) var notices: [Notice] = []
    /// Whether something sounded until this moment.
    var deviceIsAwake = false
    /// The caller that changes something with this event: the person for whom it acts, and its user.
    var caller: (actor: String?, user: String)?

    init(now: Instant, explains: Bool = false) {
        self.now = now
        self.explains = explains
    }

    /// Sends a decision to the monitors; without a monitor the sentence is not built.
    mutating func explain(_ message: @autoclosure () -> String, _ announcement: Announcement? = nil) {
        guard explains else { return }
        let fields = announcement.map { Notice.Fields($0) } ?? Notice.Fields()
        publish(.decisionMade, .debug, message(), fields)
    }

    mutating func add(_ effect: Effect) { rest.append(effect) }

    mutating func record(_ entry: HistoryEntry) { records.append(entry) }

    mutating func addUrgent(_ effect: Effect) {
        // A sound that this same event prepares can be ended only afterwards.
        if case .stop(let token, _) = effect, prepares(token) { return rest.append(effect) }
        urgent.append(effect)
    }

    var hasCued: Bool { rest.contains { if case .cue = $0 { true } else { false } } }

    private func prepares(_ token: Int) -> Bool {
        rest.contains { if case .cue(let order) = $0 { order.token == token } else { false } }
    }

    mutating func publish(_ notice: Notice) {
        var notice = notice
        if let caller, notice.kind.isMadeByPeople {
            (notice.fields.actor, notice.fields.user) = (caller.actor, caller.user)
        }
        notices.append(notice)
        rest.append(.publish(notice))
    }

    mutating func publish(
        _ kind: Notice.Kind, _ level: Notice.Level, _ message: String,
        _ fields: Notice.Fields = Notice.Fields()
    ) {
        publish(Notice(kind, level, at: now, message, fields))
    }

    /// All effects in the order of their execution: nothing of the rest happens before the state is saved.
    func effects(saving state: SavedState?) -> [Effect] {
        urgent + (records.isEmpty ? [] : [.record(records)]) + (state.map { [.save($0)] } ?? []) + rest
    }
}
