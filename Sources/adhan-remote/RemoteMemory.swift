internal import Host
internal import PhoneRules
internal import Protocol
internal import Synchronization
internal import Texts

/// Facts between two requests that nobody else keeps: news for a phone's next page, a picture without an announcement, a timetable
/// that waits. They are gone with the program; nothing is in force because of them. Changes by hand are kept in a file, too.
final class RemoteMemory: Sendable {
    /// A file of which nothing is in force yet. Whoever puts it in force has seen its findings.
    struct WaitingTimetable {
        let reply: IntakeReply
        /// Another one with every upload and answer.
        let mark: Int
        /// The phone that sent it or answered about it last.
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

    /// The proposed topic: the same on every page, as a phone is subscribed to it before it is kept.
    let topic = NtfyTopic.new()

    private let content: Mutex<Content>
    private let hand = Mutex(())
    private let joining = Mutex<JoinBegun?>(nil)
    private let handFile: HandFile

    init(_ file: HandFile) {
        handFile = file
        content = Mutex(Content(handChanges: file.read()))
    }

    /// The page on which a code is typed, as phones of the home network call it; `nil` before the server is up.
    var pairingAddress: String? {
        get { content.withLock { $0.pairingAddress } }
        set { content.withLock { $0.pairingAddress = newValue } }
    }

    /// Times of single days and beginnings of months are set one at a time.
    func byHand<Value: Sendable>(
        _ work: () throws(RemoteRefusal) -> Value
    ) throws(RemoteRefusal) -> Value {
        try hand.withLock { _ throws(RemoteRefusal) in try work() }
    }

    /// Hands on one network at a time. One that was handed on a moment ago is not handed on again.
    func join(
        _ request: JoinRequest, of phone: NetworkAddress, _ work: () throws(RemoteRefusal) -> Void
    ) throws(RemoteRefusal) {
        try joining.withLock { begun throws(RemoteRefusal) in
            switch begun?.relation(to: request, of: phone, at: WallClock.boottime()) {
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
            begun = JoinBegun(request, of: phone, at: WallClock.boottime())
        }
    }

    /// Devices by their names for programs, as they were described when they were last listed.
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

    /// The news for a phone's next page, once.
    func removeNotice(for phone: String) -> PageContext.Notice? {
        content.withLock { $0.notices.removeValue(forKey: phone) }
    }

    func note(_ notice: PageContext.Notice, for phone: String) {
        content.withLock { $0.notices[phone] = notice }
    }

    /// The digest of the picture that this phone sent last, until an announcement has it.
    func picture(of phone: String) -> String? { content.withLock { $0.pictures[phone] } }

    func keep(picture: String?, of phone: String) { content.withLock { $0.pictures[phone] = picture } }

    /// Those of some pictures that were not asked for before.
    func forget(_ pictures: Set<String>) -> Set<String> {
        content.withLock { content in
            let new = pictures.subtracting(content.forgotten).subtracting(content.pictures.values)
            content.forgotten.formUnion(new)
            return new
        }
    }

    /// The timetable that waits to be taken, as the intake understood it.
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

    /// One that waits still waits.
    func changedTimetable() { content.withLock { $0.canUndoTimetable = true } }

    /// The answers of a set-up that this phone is at.
    func setup(of phone: String) -> PhoneSetupDraft {
        content.withLock { $0.setups[phone] ?? PhoneSetupDraft() }
    }

    func keep(setup: PhoneSetupDraft, of phone: String) { content.withLock { $0.setups[phone] = setup } }

    /// One undo for what was taken: a second one would put back what was just rejected.
    func claimTimetableUndo() -> Bool {
        content.withLock { content in
            defer { content.canUndoTimetable = false }
            return content.canUndoTimetable
        }
    }

    func returnTimetableUndo() { changedTimetable() }
}
