import Texts

/// `user-data` as Raspberry Pi Imager writes it: three settings, and many keys that are skipped.
struct UserDataReader {
    private var lines: ImagerLines
    private let isZone: (String) -> Bool
    private(set) var settings = ImagerSettings()
    /// Whether the first user was read. Others are skipped.
    private var hasUser = false

    init(_ lines: ImagerLines, isZone: @escaping (String) -> Bool) {
        self.lines = lines
        self.isZone = isZone
    }

    mutating func readFile() throws(ImagerError) {
        var file = ImagerMapping()
        while let entry = try file.next(in: &lines) {
            switch entry.key.text {
            case "hostname": settings.hostname = try Self.hostname(entry)
            case "timezone": settings.timezone = try timezone(entry)
            case "users" where !hasUser: try readUsers(entry)
            case "user" where !hasUser: try readUser(entry)
            default: try skip(entry)
            }
        }
    }

    private mutating func skip(_ entry: ImagerEntry) throws(ImagerError) {
        settings.skip(entry)
        lines.skipBlock(at: entry.indent)
    }

    private static func hostname(_ entry: ImagerEntry) throws(ImagerError) -> String {
        let name = try entry.scalar()
        let bytes = name.bytes
        let isLabel =
            (1...63).contains(bytes.count) && bytes.first != UInt8(ascii: "-")
            && bytes.last != UInt8(ascii: "-")
            && bytes.allSatisfy { ZonePlaces.isWord($0) && $0 != UInt8(ascii: "_") }
        guard isLabel, name.isQuoted || name.text != "null" else {
            throw ImagerError(
                entry.line, "the name of a box has 1 to 63 letters, digits and hyphens. Write such a name")
        }
        return name.text
    }

    private func timezone(_ entry: ImagerEntry) throws(ImagerError) -> String {
        let name = try entry.scalar().text
        guard ZonePlaces.isName(name), isZone(name) else {
            throw ImagerError(
                entry.line, "this time zone is not known. Write one such as Europe/London or Asia/Riyadh")
        }
        return name
    }

    // MARK: The first user

    /// A list of users, as Imager wrote it up to 2.0.8.
    private mutating func readUsers(_ users: ImagerEntry) throws(ImagerError) {
        switch try users.value() {
        case .emptyList, .emptyMapping: return
        case .scalar: return try skip(users)
        case .nothing: break
        }
        guard let first = lines.next, first.isItem, first.indent >= users.indent else {
            throw ImagerError(users.line, "a list of users belongs below this key. " + ImagerEntry.remedy)
        }
        while let line = lines.next, line.isItem, line.indent == first.indent {
            // A name without keys, as "default" for the user of the system, is no user of its own.
            guard !hasUser, Self.hasKey(line) else {
                settings.skipped.append(ImagerSettings.Skipped(line: line.number, key: users.key.text))
                lines.skipItem(at: line.indent)
                continue
            }
            guard let indent = lines.enterItem() else {
                throw ImagerError(line.number, "this user has no name. " + ImagerEntry.remedy)
            }
            try readUser(ImagerMapping(at: indent))
        }
    }

    /// Whether the item is a mapping, whose first key may be in the next line.
    private static func hasKey(_ item: ImagerLines.Line) -> Bool {
        let body = item.text.dropFirst().drop { $0 == 0x20 }
        return body.isEmpty || body.first == UInt8(ascii: "#")
            || body.indices.contains {
                body[$0] == UInt8(ascii: ":") && [nil, 0x20].contains(body[($0 + 1)...].first)
            }
    }

    /// One user, as Imager writes it since 2.0.9.
    private mutating func readUser(_ user: ImagerEntry) throws(ImagerError) {
        if case .scalar = try user.value() { return try skip(user) }
        guard let mapping = try ImagerMapping(below: user, in: lines) else { return }
        try readUser(mapping)
    }

    private mutating func readUser(_ user: ImagerMapping) throws(ImagerError) {
        hasUser = true
        var user = user
        while let entry = try user.next(in: &lines) {
            if entry.key.text == "ssh_authorized_keys" {
                settings.keys = try readKeys(entry)
            } else {
                try skip(entry)
            }
        }
    }

    private mutating func readKeys(_ entry: ImagerEntry) throws(ImagerError) -> [String] {
        switch try entry.value() {
        case .emptyList: return []
        case .nothing: break
        default: throw ImagerError(entry.line, "a list of keys belongs below this key. " + ImagerEntry.remedy)
        }
        guard let first = lines.next, first.isItem, first.indent >= entry.indent else {
            throw ImagerError(entry.line, "no key is below this line. " + ImagerEntry.remedy)
        }
        var keys: [String] = []
        while let line = lines.next, line.isItem, line.indent == first.indent {
            guard case .scalar(let scalar) = try ImagerEntry.value(of: line.text.dropFirst(), line.number),
                SSHPublicKey.isValid(scalar.text)
            else {
                throw ImagerError(
                    line.number,
                    "this is no public SSH key. One begins with ssh-ed25519 or ssh-rsa: write it into authorized_keys"
                )
            }
            keys.append(scalar.text)
            lines.advance()
        }
        return keys
    }
}
