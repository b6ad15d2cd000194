package import PrayerEngine
package import Protocol
package import Settings
internal import Texts

/// The changes of settings for a phone's act, in the form of `SetSettings`.
package struct SettingsChangeSet: Sendable, Equatable {
    package let changes: [SettingChange]
    package let expect: Int?

    /// - Parameters:
    ///   - reply: the reply of `GetSettings`, needed for lists of tables, which are set as a whole.
    ///   - today: announcements that ended before this date are removed when another one is added.
    ///   - minute: the minute of the current day, after midnight.
    /// - Returns: `nil` for an act that changes no setting, such as a repeated one.
    package init?(
        _ act: Act, _ reply: SettingsReply, today: CivilDate?, minute: Int? = nil
    ) throws(FieldRefusal) {
        switch act {
        case .set(let asked, let expect):
            var changes: [SettingChange] = []
            for change in asked { changes.append(try Self.change(change)) }
            self.init(changes, expect: expect)
        case .changeIqama(let prayer, let words, let from, let until, let expect):
            guard let time = try? IqamaReading(words, for: prayer).time.text else {
                throw FieldRefusal("iqama", .format)
            }
            if let today, let until, until < today { throw FieldRefusal("until", .past) }
            var changes = IqamaChanges(try Self.list(Self.iqamaKey, reply, field: "iqama"))
            changes.set(prayer, time, from: from, until: until)
            self.init(Self.iqamaKey, changes.list, expect ?? reply.change)
            if isInForce(reply) { return nil }
        case .addSlot(let row, let expect):
            var list = try Self.list(Self.slotKey, reply, field: "jumua")
            guard !list.rows.contains(where: row.isSame) else { return nil }
            list.rows.append(row)
            self.init(Self.slotKey, list, expect ?? reply.change)
        case .announcement(let announcement):
            var list = try Self.list(Self.announcementKey, reply, field: "text")
            try Self.requireAhead(announcement, today, minute)
            if let today { list.rows.removeAll { Self.isOver($0, today) } }
            let row = Self.row(announcement)
            // A form that was sent twice adds one announcement.
            guard !list.rows.contains(where: row.isSame) else { return nil }
            list.rows.append(row)
            self.init(Self.announcementKey, list, reply.change)
        case .removeAnnouncement(let index, let mark):
            try self.init(removing: index, mark, of: Self.announcementKey, reply, expect: nil)
        case .removeRow(let table, let index, let mark, let expect):
            try self.init(removing: index, mark, of: table, reply, expect: expect)
        default: return nil
        }
    }

    package static let iqamaKey = "iqama.change"
    package static let slotKey = "jumua.slot"
    package static let announcementKey = "display.announcement"

    package init(_ changes: [SettingChange], expect: Int? = nil) {
        (self.changes, self.expect) = (changes, expect)
    }

    private init(_ key: String, _ list: TableList, _ expect: Int?) {
        changes = [SettingChange(key: key, value: list.toml)]
        self.expect = expect
    }

    private init(
        removing index: Int, _ mark: String, of key: String, _ reply: SettingsReply, expect: Int?
    ) throws(FieldRefusal) {
        var list = try Self.list(key, reply, field: "index")
        // If the list has changed meanwhile, the index may refer to another row.
        guard list.rows.indices.contains(index), list.rows[index].mark == mark else {
            throw FieldRefusal("index", .stale)
        }
        list.rows.remove(at: index)
        self.init(key, list, expect ?? reply.change)
    }

    /// The list in force.
    package static func list(
        _ key: String, _ reply: SettingsReply, field: String
    ) throws(FieldRefusal) -> TableList {
        guard let document = reply.keys.first(where: { $0.key == key }),
            let list = TableList(document.inForce ?? "")
        else { throw FieldRefusal(field, .unknown) }
        return list
    }

    /// An empty value removes the setting.
    private static func change(_ change: Act.Change) throws(FieldRefusal) -> SettingChange {
        guard !change.value.isEmpty else { return SettingChange(key: change.key, value: nil) }
        do throws(ConfigRefusal) {
            let words = ConfigChange.KeyChange(key: change.key, words: [change.value])
            let (key, value) = try ConfigChange.understood(words)
            return SettingChange(key: key, value: value)
        } catch {
            throw FieldRefusal(
                change.key, SettableKey(change.key) == nil ? .unknown : .format, reason: error.message)
        }
    }

    /// Whether the requested settings are already in force.
    private func isInForce(_ reply: SettingsReply) -> Bool {
        changes.allSatisfy { change in
            reply.keys.contains { $0.key == change.key && $0.inForce == change.value }
        }
    }

    /// Whether this phone's own settings already equal the requested ones, because it has sent the form twice.
    package func isDone(_ reply: SettingsReply, by name: String?) -> Bool {
        changes.allSatisfy { change in
            guard let setting = reply.settings.first(where: { $0.key == change.key }) else {
                return change.value == nil
            }
            return setting.value == change.value && setting.by == name
        }
    }

    /// Refuses an announcement that would never be shown, because its end is in the past or before its start.
    private static func requireAhead(
        _ announcement: Act.Announcement, _ today: CivilDate?, _ minute: Int?
    ) throws(FieldRefusal) {
        let until = moment(announcement.until)
        if let today, let until {
            let isOver = until.day < today || until.day == today && minute.map { until.minute <= $0 } ?? false
            if isOver { throw FieldRefusal("until", .past) }
        }
        if let from = announcement.from.flatMap({ moment($0, isEnd: false) }), let until,
            (until.day, until.minute) <= (from.day, from.minute)
        {
            throw FieldRefusal("until", .past)
        }
    }

    /// The minute that a date stands for: the end of its day, or the beginning.
    private static func moment(_ text: String, isEnd: Bool = true) -> (day: CivilDate, minute: Int)? {
        guard let day = CivilDate(String(text.prefix(10))) else { return nil }
        guard text.contains("T") else { return (day, isEnd ? 1440 : 0) }
        return ClockText.parse(String(text.dropFirst(11).prefix(5))).map { (day, $0) }
    }

    private static func isOver(_ row: TableList.Row, _ today: CivilDate) -> Bool {
        guard let until = row["until"], let date = CivilDate(String(until.prefix(10))) else { return false }
        return date < today
    }

    private static func row(_ announcement: Act.Announcement) -> TableList.Row {
        // A browser ends lines with CR LF, and omits the seconds of a time.
        func moment(_ text: String) -> String { text.contains("T") ? text + ":00" : text }
        var fields = [("text", TOMLEscapes.quote(announcement.text.replacing("\r\n", with: "\n")))]
        if let from = announcement.from { fields.append(("from", moment(from))) }
        fields.append(("until", moment(announcement.until)))
        fields.append(("show", "[" + announcement.show.map(TOMLEscapes.quote).joined(separator: ", ") + "]"))
        if let picture = announcement.picture { fields.append(("picture", TOMLEscapes.quote(picture))) }
        return TableList.Row(fields)
    }
}
