package import PrayerEngine
package import Protocol
package import Settings
internal import Texts

/// Changes of settings that acts of a phone mean, in the words of `SetSettings`.
package struct SettingsWish: Sendable, Equatable {
    package let changes: [SettingChange]
    package let expect: Int?

    /// - Parameters:
    ///   - reply: of `GetSettings`, for lists of tables, which are set as a whole.
    ///   - today: announcements that ended before it go when another one comes.
    /// - Returns: `nil` for an act that changes no setting.
    package init?(_ act: Act, _ reply: SettingsReply, today: CivilDate?) throws(FieldRefusal) {
        switch act {
        case .set(let asked, let expect):
            var changes: [SettingChange] = []
            for change in asked { changes.append(try Self.change(change)) }
            self.init(changes, expect: expect)
        case .changeIqama(let prayer, let words, let date, let expect):
            var list = try Self.list(Self.iqamaKey, reply, field: "iqama")
            guard let time = try? IqamaReading(words, for: prayer).time.text else {
                throw FieldRefusal("iqama", .format)
            }
            var row =
                list.rows.first { $0["from"] == date.description }
                ?? TableList.Row([("from", date.description)])
            row.set(prayer.rawValue, toml: TOMLEscapes.quote(time))
            list.rows.removeAll { $0["from"] == date.description }
            list.rows.append(row)
            list.rows.sort { ($0["from"] ?? "") < ($1["from"] ?? "") }
            self.init(Self.iqamaKey, list, expect ?? reply.change)
        case .addSlot(let slot, let expect):
            var list = try Self.list(Self.slotKey, reply, field: "jumua")
            let fields = [
                ("adhan", slot.adhan), ("khutba", slot.khutba), ("prayer", slot.prayer), ("from", slot.from),
                ("until", slot.until),
            ]
            list.rows.append(
                TableList.Row(fields.compactMap { name, text in text.map { (name, TOMLEscapes.quote($0)) } }))
            self.init(Self.slotKey, list, expect ?? reply.change)
        case .announcement(let announcement):
            var list = try Self.list(Self.announcementKey, reply, field: "text")
            if let today { list.rows.removeAll { Self.isOver($0, today) } }
            list.rows.append(Self.row(announcement))
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
        // A list that was changed meanwhile is not cut in the wrong place.
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

    /// Empty words take the setting away.
    private static func change(_ change: Act.Change) throws(FieldRefusal) -> SettingChange {
        guard !change.value.isEmpty else { return SettingChange(key: change.key, value: nil) }
        do throws(ConfigRefusal) {
            let wish = ConfigChange.KeyChange(key: change.key, words: [change.value])
            let (key, value) = try ConfigChange.understood(wish)
            return SettingChange(key: key, value: value)
        } catch {
            throw FieldRefusal(
                change.key, SettableKey(change.key) == nil ? .unknown : .format, reason: error.message)
        }
    }

    private static func isOver(_ row: TableList.Row, _ today: CivilDate) -> Bool {
        guard let until = row["until"], let date = CivilDate(String(until.prefix(10))) else { return false }
        return date < today
    }

    private static func row(_ announcement: Act.Announcement) -> TableList.Row {
        // A browser ends lines with CR LF, and leaves out the seconds of a time.
        func moment(_ text: String) -> String { text.contains("T") ? text + ":00" : text }
        var fields = [("text", TOMLEscapes.quote(announcement.text.replacing("\r\n", with: "\n")))]
        if let from = announcement.from { fields.append(("from", moment(from))) }
        fields.append(("until", moment(announcement.until)))
        fields.append(("show", "[" + announcement.show.map(TOMLEscapes.quote).joined(separator: ", ") + "]"))
        if let picture = announcement.picture { fields.append(("picture", TOMLEscapes.quote(picture))) }
        return TableList.Row(fields)
    }
}
