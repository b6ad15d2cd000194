internal import PrayerEngine
internal import Protocol
internal import Settings
internal import Texts

/// Reads the fields of acts and checks their form and bounds.
struct ActFields {
    let form: Form

    static let longestText = 1000

    /// Reads one line or several, without characters that a terminal or a page would interpret.
    func text(_ name: String, longest: Int = longestText) throws(FieldRefusal) -> String {
        guard let text = form[name], !text.isEmpty else { throw FieldRefusal(name, .missing) }
        guard text.count <= longest else { throw FieldRefusal(name, .range) }
        let wrong = text.unicodeScalars.first {
            !"\r\n".unicodeScalars.contains($0) && !PhoneName.isPlain($0) && !isMark($0)
        }
        if let wrong {
            throw FieldRefusal(
                name, .format, reason: "it has the invisible character \(Self.name(of: wrong))")
        }
        return text
    }

    /// Direction marks, which people type between words of two scripts. Unlike overrides they reorder no text.
    private func isMark(_ scalar: Unicode.Scalar) -> Bool { [0x200E, 0x200F, 0x061C].contains(scalar.value) }

    /// The name of a character, such as `U+202E`.
    private static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// A field that may be empty or absent.
    func optional<Value>(_ name: String, _ read: () throws(FieldRefusal) -> Value) throws(FieldRefusal)
        -> Value?
    {
        form.all(name).allSatisfy(\.isEmpty) ? nil : try read()
    }

    func number(_ name: String) throws(FieldRefusal) -> Int {
        let text = try text(name, longest: 9)
        guard let number = Int(text), number >= 0, String(number) == text else {
            throw FieldRefusal(name, .format)
        }
        return number
    }

    func flag(_ name: String) throws(FieldRefusal) -> Bool {
        switch try text(name, longest: 40) {
        case "yes", "true", "on", "1": true
        case "no", "false", "off", "0": false
        default: throw FieldRefusal(name, .unknown)
        }
    }

    func choice<Value: RawRepresentable<String>>(_ name: String) throws(FieldRefusal) -> Value {
        guard let value = Value(rawValue: try text(name, longest: 40)) else {
            throw FieldRefusal(name, .unknown)
        }
        return value
    }

    func prayer() throws(FieldRefusal) -> Prayer { try choice("prayer") }

    func date() throws(FieldRefusal) -> CivilDate { try date("date") }

    func date(_ name: String) throws(FieldRefusal) -> CivilDate {
        guard let date = CivilDate(try text(name, longest: 10)) else { throw FieldRefusal(name, .format) }
        return date
    }

    func clock(_ name: String) throws(FieldRefusal) -> Int {
        guard let minutes = ClockText.parse(try text(name, longest: 5)) else {
            throw FieldRefusal(name, .format)
        }
        return minutes
    }

    func proof(_ entryPoint: RequestHead.EntryPoint) throws(FieldRefusal) -> PairingProof {
        // The script fills in the key if the page's address contained one.
        if let key = form["key"], !key.isEmpty { return .key(try text("key", longest: 64)) }
        if entryPoint == .setUp, form["code"]?.isEmpty ?? true { return .joined }
        return .code(try text("code", longest: PairingWord.longest))
    }

    /// Reads a network exactly as typed: a password may begin with a space.
    func network() throws(FieldRefusal) -> JoinRequest {
        guard let ssid = form["ssid"], !ssid.isEmpty else { throw FieldRefusal("ssid", .missing) }
        let password = form["password"].flatMap { $0.isEmpty ? nil : $0 }
        let country = form["country"].flatMap { $0.isEmpty ? nil : $0.uppercased() }
        if let field = JoinRequest.wrongField(ssid: ssid, password: password, country: country) {
            throw FieldRefusal(field, .format)
        }
        guard
            let request = JoinRequest(
                ssid: ssid, password: password, hidden: form["hidden"] == "yes", country: country)
        else { throw FieldRefusal("ssid", .format) }
        return request
    }

    func phoneName() throws(FieldRefusal) -> PhoneName {
        guard let name = PhoneName(try text("name", longest: 4 * PhoneName.longest)) else {
            throw FieldRefusal("name", .format)
        }
        return name
    }

    func muteEnd(_ role: Role) throws(FieldRefusal) -> Act.MuteEnd {
        if let length = try optional("for", { () throws(FieldRefusal) in try text("for", longest: 12) }) {
            guard let seconds = DurationText.parse(length), seconds > 0 else {
                throw FieldRefusal("for", .format)
            }
            if let longest = role.setting.longestMuteSeconds, seconds > longest {
                throw FieldRefusal("for", .range)
            }
            return .seconds(seconds)
        }
        let until = try text("until", longest: 20)
        if until == "next" { return .next }
        if let prayer = Prayer(rawValue: until) { return .prayer(prayer) }
        return .time(try clock("until"))
    }

    func messages() throws(FieldRefusal) -> MessagesRequest {
        let act: MessagesRequest.Act = try choice("do")
        return switch act {
        case .set: MessagesRequest(.set, address: try text("address"))
        case .test, .remove: MessagesRequest(act)
        case .show, .forgetFleet: throw FieldRefusal("do", .unknown)
        }
    }

    /// The output that an act concerns; `nil` for all outputs.
    func output() throws(FieldRefusal) -> String? {
        try optional("output") { () throws(FieldRefusal) in try text("output", longest: 16) }
    }

    func exception() throws(FieldRefusal) -> Act {
        let adhan = try optional("adhan") { () throws(FieldRefusal) in try clock("adhan") }
        let iqama = try optional("iqama") { () throws(FieldRefusal) in try clock("iqama") }
        guard adhan != nil || iqama != nil else { throw FieldRefusal("iqama", .missing) }
        let reason = try optional("reason") { () throws(FieldRefusal) in try text("reason", longest: 100) }
        return .exception(try date(), try prayer(), adhan: adhan, iqama: iqama, reason: reason)
    }

    func announcement() throws(FieldRefusal) -> Act.Announcement {
        let text = try text("text", longest: ScreenAnnouncement.longestText)
        let show = form.all("show")
        guard !show.isEmpty else { throw FieldRefusal("show", .missing) }
        guard Set(show).count == show.count,
            show.allSatisfy({ ScreenAnnouncement.Place(rawValue: $0) != nil })
        else { throw FieldRefusal("show", .unknown) }
        return Act.Announcement(
            text: text, from: try optional("from") { () throws(FieldRefusal) in try moment("from") },
            until: try moment("until"), show: show,
            picture: try optional("picture") { () throws(FieldRefusal) in try digest("picture") })
    }

    private func digest(_ name: String) throws(FieldRefusal) -> String {
        let text = try text(name, longest: 64)
        guard SHA256.isHex(text) else { throw FieldRefusal(name, .format) }
        return text
    }

    /// Reads a Friday congregation. `jumua` is the time of the khutba, which may be empty if `prayer` is given.
    func slot() throws(FieldRefusal) -> Act {
        func word(_ name: String) throws(FieldRefusal) -> String? {
            try optional(name) { () throws(FieldRefusal) in try text(name, longest: 40) }
        }
        let (khutba, prayer) = (try word("jumua"), try word("congregation"))
        let row = TableList.Row(texts: [
            ("adhan", try word("adhan")), ("khutba", khutba), ("prayer", prayer), ("from", try word("from")),
            ("until", try word("until")),
        ])
        guard khutba != nil || prayer != nil else { throw FieldRefusal("jumua", .missing) }
        return .addSlot(row, expect: try expect())
    }

    private static let lists = [SettingsChangeSet.iqamaKey, SettingsChangeSet.slotKey]

    func removedRow() throws(FieldRefusal) -> Act {
        let table = try text("remove", longest: 40)
        guard Self.lists.contains(table) else { throw FieldRefusal("remove", .unknown) }
        return .removeRow(
            table: table, index: try number("index"), mark: try text("mark", longest: 64),
            expect: try expect())
    }

    /// Reads a moment as a browser sends it: `2026-11-29` or `2026-11-29T08:00`.
    private func moment(_ name: String) throws(FieldRefusal) -> String {
        let text = try text(name, longest: 16)
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), CivilDate(parts[0]) != nil,
            parts.count == 1 || ClockText.parse(String(parts[1])) != nil
        else { throw FieldRefusal(name, .format) }
        return text
    }

    func iqamaChange() throws(FieldRefusal) -> Act {
        let (words, prayer) = (try text("iqama", longest: 40), try prayer())
        do throws(IqamaError) {
            _ = try IqamaReading(words, for: prayer)
        } catch {
            throw FieldRefusal("iqama", .format, reason: "The iqama \(error.reason).")
        }
        let from = try date("from")
        let until = try optional("until") { () throws(FieldRefusal) in try date("until") }
        if let until, until < from { throw FieldRefusal("until", .past) }
        return .changeIqama(prayer, words, from: from, until: until, expect: try expect())
    }

    private func expect() throws(FieldRefusal) -> Int? {
        try optional("expect") { () throws(FieldRefusal) in try number("expect") }
    }

    /// The fields that differ from the values on the page.
    func changes() throws(FieldRefusal) -> Act {
        var changes: [Act.Change] = []
        // A key that was selected from a list, with its value in another field.
        let isChosen = form["key"] != nil
        let key = try optional("key") { () throws(FieldRefusal) in try text("key", longest: 100) }
        if let key {
            guard Self.isKey(key) else { throw FieldRefusal("key", .unknown) }
            changes.append(Act.Change(key: key, value: form["value"] ?? ""))
        }
        for field in form.fields
        where !["expect", Act.pageField].contains(field.name) && !field.name.hasPrefix(Act.shownPrefix)
            && !(isChosen && ["key", "value"].contains(field.name))
        {
            guard form.all(field.name).count == 1, Self.isKey(field.name) else {
                throw FieldRefusal(field.name, .unknown)
            }
            guard field.value.count <= 20_000 else { throw FieldRefusal(field.name, .range) }
            let shown = form[Act.shownPrefix + field.name]
            guard shown != field.value else { continue }
            changes.append(Act.Change(key: field.name, value: field.value))
        }
        guard changes.count <= SettingsLayer.mostKeys else { throw FieldRefusal("expect", .range) }
        return .set(changes, expect: try expect())
    }

    private static func isKey(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
            }
    }
}
