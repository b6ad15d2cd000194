package import PrayerEngine
package import Protocol
package import Texts

/// One act that a phone requests, with well-formed fields. adhand decides whether the values are possible.
package enum Act: Sendable, Equatable {
    package enum MuteEnd: Sendable, Equatable {
        case seconds(Double)
        case prayer(Prayer)
        /// Mutes the next adhan only.
        case next
        /// Minutes after midnight.
        case time(Int)
    }

    package enum Sighting: String, Sendable, CaseIterable { case sighted, complete }
    package enum Replacement: String, Sendable, CaseIterable { case dates, all }

    package struct Change: Sendable, Equatable {
        package let key: String
        /// The value as plain text, which is parsed as by `adhanctl set`.
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
    /// Mutes one output for a time that ends by itself.
    case muteOutput(String, MuteEnd)
    case unmuteOutput(String)
    case unmute, stop, leave, undoTimetable, removeTimetable
    case setPrayer(Prayer, enabled: Bool)
    case test(Prayer)
    case exception(CivilDate, Prayer, adhan: Int?, iqama: Int?, reason: String?)
    case removeException(CivilDate, Prayer)
    case hijri(Sighting, CivilDate?)
    case announcement(Announcement)
    /// Removes an announcement by its index in the list, from 0, and the mark of its text: if the list has changed meanwhile,
    /// no other announcement is removed.
    case removeAnnouncement(index: Int, mark: String)
    case removeSound(String)
    case answerTimetable([Form.Field])
    /// Puts a timetable in force. The mark identifies the upload whose findings the sender saw.
    case takeTimetable(Replacement, mark: Int?)
    case set([Change], expect: Int?)
    /// Sets a prayer's iqama from a date on: `[[iqama.change]]`. The time is written as in the configuration, `20:15` or
    /// `+10m`.
    /// - Parameter until: the last day, after which the previous rule applies again.
    case changeIqama(Prayer, String, from: CivilDate, until: CivilDate? = nil, expect: Int?)
    /// Adds a Friday congregation, `[[jumua.slot]]`.
    case addSlot(TableList.Row, expect: Int?)
    /// Removes one table of a list that is set as a whole, by its index and its mark.
    case removeRow(table: String, index: Int, mark: String, expect: Int?)
    case undo(Int?)
    /// Undoes a change of ``HandChanges``.
    case undoHand(Int)
    /// Lets a month begin by the calendar again. No form requests this; it undoes a change of the month's beginning.
    case removeMonth(String)
    case setup(step: String, [Form.Field])
    case heard(device: String, Bool)
    case revoke(String)
    /// Changes the address for alerts about missed adhans.
    case setMessages(MessagesRequest)
    case join(JoinRequest)

    /// The prefix of fields that hold a key's value as the page showed it, so that only changed values are sent on.
    package static let shownPrefix = "was:"
    /// The field that names the form's page, to which the answer leads back.
    package static let pageField = "page"

    /// - Returns: `nil` for a route that is not an act with a form.
    package static func read(
        _ route: Route.Name, _ form: Form, role: Role?, entryPoint: RequestHead.EntryPoint = .network
    ) throws(FieldRefusal) -> Act? {
        let fields = ActFields(form: form)
        switch route {
        case .enterCode: return try .pair(fields.proof(entryPoint), fields.phoneName())
        case .mute:
            let end = try fields.muteEnd(role ?? .household)
            guard let output = try fields.output() else { return .mute(end) }
            // The next adhan concerns all outputs, so it cannot be muted on one.
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
            // None of these names is a key, so they cannot be mistaken for settings.
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
