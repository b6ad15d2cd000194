internal import Clocks
internal import Host
internal import PhoneRules
internal import Protocol
internal import Synchronization
internal import Texts

/// Facts that only this program keeps between two requests: news for a phone's next page, a picture without an announcement, a
/// timetable that waits. They are lost when the program ends, and none of them is in force. Changes by hand are also saved in a
/// file.
final class RemoteMemory: Sendable {
    /// An uploaded timetable that is not in force yet. Only a phone that has seen its findings may put it in force.
    struct WaitingTimetable {
        let reply: IntakeReply
        /// A number that changes with every upload and answer.
        let mark: Int
        /// The phone that last uploaded it or answered a question about it.
        let phone: String?
    }

    private struct Content {
        var notices: [String: PageContext.Notice] = [:]
        var pictures: [String: String] = [:]
        var forgotten: Set<String> = []
        var timetable: WaitingTimetable?
        var uploads = 0
        var canUndoTimetable = false
        var setups: [String: PhoneSetupDraft] = [:]
        var deviceTexts: [String: String] = [:]
        var handChanges = HandChanges()
        var pairingAddress: String?
    }

    /// The proposed topic. It stays the same on every page, because a phone subscribes to it before it is saved.
    let topic = NtfyTopic.new()

    private let content: Mutex<Content>
    private let hand = Mutex(())
    private let joining = Mutex<JoinBegun?>(nil)
    private let handFile: HandFile

    init(_ file: HandFile) {
        handFile = file
        content = Mutex(Content(handChanges: file.read()))
    }

    /// The page for typing a code, as phones of the home network address it; `nil` before the server is up.
    var pairingAddress: String? {
        get { content.withLock { $0.pairingAddress } }
        set { content.withLock { $0.pairingAddress = newValue } }
    }

    /// Sets times of single days and beginnings of months, one at a time.
    func byHand<Value: Sendable>(
        _ work: () throws(RemoteRefusal) -> Value
    ) throws(RemoteRefusal) -> Value {
        try hand.withLock { _ throws(RemoteRefusal) in try work() }
    }

    /// Passes on one network at a time. A network that was passed on a moment ago is not passed on again.
    func join(
        _ request: JoinRequest, of phone: NetworkAddress, _ work: () throws(RemoteRefusal) -> Void
    ) throws(RemoteRefusal) {
        try joining.withLock { begun throws(RemoteRefusal) in
            switch begun?.relation(to: request, of: phone, at: Uptime.now()) {
            case .same: return
            case .changed:
                throw RemoteRefusal(
                    409, "busy",
                    "The box tries what this phone sent before; if that fails, send this once more.",
                    problem: .busy)
            case .other:
                throw RemoteRefusal(
                    409, "busy",
                    "The box tries a network that another phone named; if that fails, name yours.",
                    problem: .busy)
            case nil: try work()
            }
            begun = JoinBegun(request, of: phone, at: Uptime.now())
        }
    }

    /// The devices' descriptions by their technical names, as of the last listing.
    var deviceTexts: [String: String] { content.withLock { $0.deviceTexts } }

    func keep(deviceTexts: [String: String]) { content.withLock { $0.deviceTexts = deviceTexts } }

    var handChanges: HandChanges { content.withLock { $0.handChanges } }

    func change<Value: Sendable>(_ work: (inout HandChanges) -> Value) -> Value {
        let (value, changes) = content.withLock { content in
            let value = work(&content.handChanges)
            return (value, content.handChanges)
        }
        handFile.write(changes)
        return value
    }

    /// Returns the news for a phone's next page, and removes it.
    func removeNotice(for phone: String) -> PageContext.Notice? {
        content.withLock { $0.notices.removeValue(forKey: phone) }
    }

    func note(_ notice: PageContext.Notice, for phone: String) {
        content.withLock { $0.notices[phone] = notice }
    }

    /// The digest of the picture that this phone uploaded last, until an announcement uses it.
    func picture(of phone: String) -> String? { content.withLock { $0.pictures[phone] } }

    func keep(picture: String?, of phone: String) { content.withLock { $0.pictures[phone] = picture } }

    /// The pictures of this set that are to be removed: neither removed before nor waiting for an announcement.
    func forget(_ pictures: Set<String>) -> Set<String> {
        content.withLock { content in
            let new = pictures.subtracting(content.forgotten).subtracting(content.pictures.values)
            content.forgotten.formUnion(new)
            return new
        }
    }

    /// The timetable that waits to be put in force, as the intake understood it.
    var timetable: WaitingTimetable? { content.withLock { $0.timetable } }
    var canUndoTimetable: Bool { content.withLock { $0.canUndoTimetable } }

    func keep(timetable: IntakeReply, of phone: String?) {
        content.withLock { content in
            content.uploads += 1
            content.timetable = WaitingTimetable(reply: timetable, mark: content.uploads, phone: phone)
        }
    }

    func dropTimetable() { content.withLock { $0.timetable = nil } }

    func tookTimetable() {
        dropTimetable()
        changedTimetable()
    }

    /// Notes that the timetable in force was changed. A waiting timetable still waits.
    func changedTimetable() { content.withLock { $0.canUndoTimetable = true } }

    /// The answers in the set-up that this phone has begun.
    func setup(of phone: String) -> PhoneSetupDraft {
        content.withLock { $0.setups[phone] ?? PhoneSetupDraft() }
    }

    func keep(setup: PhoneSetupDraft, of phone: String) { content.withLock { $0.setups[phone] = setup } }

    /// Claims the single undo of a timetable: a second undo would restore the timetable that was just rejected.
    func claimTimetableUndo() -> Bool {
        content.withLock { content in
            defer { content.canUndoTimetable = false }
            return content.canUndoTimetable
        }
    }

    func returnTimetableUndo() { changedTimetable() }
}
