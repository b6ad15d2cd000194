package import PrayerEngine
package import Protocol
package import Texts

/// One act that a phone asks for, with fields that have their form. Whether the values are possible is decided by adhand.
package enum Act: Sendable, Equatable {
    package enum MuteEnd: Sendable, Equatable {
        case seconds(Double)
        case prayer(Prayer)
        /// The next adhan alone.
        case next
        /// Minutes after midnight.
        case time(Int)
    }

    package enum Sighting: String, Sendable, CaseIterable { case sighted, complete }
    package enum Replacement: String, Sendable, CaseIterable { case dates, all }

    package struct Change: Sendable, Equatable {
        package let key: String
        /// Plain words, read as `adhanctl set` reads them.
        package let value: String

        package init(key: String, value: String) { (self.key, self.value) = (key, value) }
    }

    package struct Announcement: Sendable, Equatable {
        package let text: String
        /// `2026-11-29`, or with a time `2026-11-29T08:00`; `nil` for now.
        package let from: String?
        package let until: String
        package let show: [String]
        /// The digest of an accepted picture.
        package let picture: String?
    }

    case pair(PairingProof, PhoneName)
    case mute(MuteEnd)
    /// Mutes one output until an end that comes by itself.
    case muteOutput(String, MuteEnd)
    case unmuteOutput(String)
    case unmute, stop, leave, undoTimetable, removeTimetable
    case setPrayer(Prayer, enabled: Bool)
    case test(Prayer)
    case exception(CivilDate, Prayer, adhan: Int?, iqama: Int?, reason: String?)
    case removeException(CivilDate, Prayer)
    case hijri(Sighting, CivilDate?)
    case announcement(Announcement)
    /// By its place in the list, from 0, with the mark of its text: a list that was changed
    /// meanwhile is not cut in the wrong place.
    case removeAnnouncement(index: Int, mark: String)
    case removeSound(String)
    case answerTimetable([Form.Field])
    /// The mark is that of the upload whose findings the sender saw.
    case takeTimetable(Replacement, mark: Int?)
    case set([Change], expect: Int?)
    /// A prayer's iqama from a date on: `[[iqama.change]]`. The time is in the words of the configuration, `20:15` or `+10m`.
    /// - Parameter until: the last day, after which holds what held before.
    case changeIqama(Prayer, String, from: CivilDate, until: CivilDate? = nil, expect: Int?)
    /// A congregation of Friday, `[[jumua.slot]]`.
    case addSlot(TableList.Row, expect: Int?)
    /// One table out of a list that is set as a whole, by its place and its mark.
    case removeRow(table: String, index: Int, mark: String, expect: Int?)
    case undo(Int?)
    /// A change of ``HandChanges``.
    case undoHand(Int)
    /// A month begins by the calendar again. No form asks for it, but the undo of one that did.
    case removeMonth(String)
    case setup(step: String, [Form.Field])
    case heard(device: String, Bool)
    case revoke(String)
    /// Changes the address for alerts about missed adhans.
    case setMessages(MessagesRequest)
    case join(JoinRequest)

    /// The longest mute by duration, in seconds.
    package static func longestMuteSeconds(_ role: Role) -> Double { role == .keeper ? 7 * 86_400 : 86_400 }

    /// The field for the value of a key as the page showed it: only what was changed is sent on.
    package static let shownPrefix = "was:"
    /// The field that names the page with the form, to which the answer leads back.
    package static let pageField = "page"

    /// - Returns: `nil` for a route that is no act with a form.
    package static func read(
        _ route: Route.Name, _ form: Form, role: Role?, door: RequestHead.Door = .network
    ) throws(FieldRefusal) -> Act? {
        let fields = ActFields(form: form)
        switch route {
        case .enterCode: return try .pair(fields.proof(door), fields.phoneName())
        case .mute:
            let end = try fields.muteEnd(role ?? .household)
            guard let output = try fields.output() else { return .mute(end) }
            // The next adhan is the same one in every room.
            if end == .next { throw FieldRefusal("until", .unknown) }
            return .muteOutput(output, end)
        case .unmute:
            if let output = try fields.output() { return .unmuteOutput(output) }
            return .unmute
        case .stop: return .stop
        case .leave: return .leave
        case .undoTimetable: return .undoTimetable
        case .removeTimetable: return .removeTimetable
        case .prayers: return .setPrayer(try fields.prayer(), enabled: try fields.flag("enabled"))
        case .test: return .test(try fields.prayer())
        case .exception: return try fields.exception()
        case .removeException: return .removeException(try fields.date(), try fields.prayer())
        case .hijri: return .hijri(try fields.choice("do"), try fields.optional("date", fields.date))
        case .announcement: return .announcement(try fields.announcement())
        case .removeAnnouncement:
            return .removeAnnouncement(index: try fields.number("index"), mark: try fields.text("mark"))
        case .removeSound: return .removeSound(try fields.text("name"))
        case .answerTimetable: return .answerTimetable(form.fields)
        case .takeTimetable:
            let mark = try fields.optional("mark") { () throws(FieldRefusal) in try fields.number("mark") }
            return .takeTimetable(try fields.choice("replace"), mark: mark)
        case .set:
            // None of these is a key, so that no setting can be meant.
            if form["iqama"] != nil { return try fields.iqamaChange() }
            if form["jumua"] != nil { return try fields.slot() }
            return form["remove"] == nil ? try fields.changes() : try fields.removedRow()
        case .undo:
            if form["hand"] != nil { return .undoHand(try fields.number("hand")) }
            return .undo(
                try fields.optional("change") { () throws(FieldRefusal) in try fields.number("change") })
        case .answerSetup:
            return .setup(step: try fields.text("step"), form.fields.filter { $0.name != "step" })
        case .heard:
            guard let device = form["device"] else { throw FieldRefusal("device", .missing) }
            return .heard(device: device, try fields.flag("heard"))
        case .revoke: return .revoke(try fields.text("id"))
        case .setMessages: return .setMessages(try fields.messages())
        case .join: return .join(try fields.network())
        case .root, .now, .week, .friday, .ramadan, .announcements, .sounds, .timetable, .health, .log,
            .settings,
            .setup, .phones, .messages, .pair, .network, .style, .script, .nowDocument, .settingsDocument,
            .networkDocument,
            .picture, .sound,
            .uploadTimetable:
            return nil
        }
    }
}
