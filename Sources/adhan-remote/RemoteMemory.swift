internal import Protocol
internal import RemoteProgramme
internal import Synchronization

/// Facts between two requests that nobody else keeps: news for a phone's next page, a picture without an announcement, a timetable
/// that waits. They are gone with the program; nothing is in force because of them.
final class RemoteMemory: Sendable {
    private struct Content {
        var notices: [String: PageContext.Notice] = [:]
        var pictures: [String: String] = [:]
        var forgotten: Set<String> = []
        var timetable: IntakeReply?
        var canUndoTimetable = false
        var setups: [String: SetupDraft] = [:]
    }

    private let content = Mutex(Content())

    /// The news for a phone's next page, once.
    func takeNotice(_ phone: String) -> PageContext.Notice? {
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
    var timetable: IntakeReply? { content.withLock { $0.timetable } }
    var canUndoTimetable: Bool { content.withLock { $0.canUndoTimetable } }

    func keep(timetable: IntakeReply?) { content.withLock { $0.timetable = timetable } }

    func tookTimetable() {
        content.withLock { content in
            content.timetable = nil
            content.canUndoTimetable = true
        }
    }

    /// The answers of a set-up that this phone is at.
    func setup(of phone: String) -> SetupDraft { content.withLock { $0.setups[phone] ?? SetupDraft() } }

    func keep(setup: SetupDraft?, of phone: String) { content.withLock { $0.setups[phone] = setup } }

    func undidTimetable() { content.withLock { $0.canUndoTimetable = false } }
}
