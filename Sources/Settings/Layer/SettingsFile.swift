import Texts

/// `settings.json`: the layer in adhand's own form.
extension SettingsLayer {
    package static let fileName = "settings.json"
    /// The file before the last change.
    package static let oldFileName = "settings.json.old"
    /// The most bytes of the file.
    package static let longestFile = 256 << 10

    /// The bytes of the file, with as many changes as there is room for, the newest first.
    /// - Throws: when the settings alone are too many.
    package func fileBytes() throws(SettingsRefusal) -> [UInt8] {
        var layer = self
        while true {
            guard let bytes = try? JSON.encode(Whole(layer), pretty: true) + [UInt8(ascii: "\n")] else {
                throw .tooLarge
            }
            if bytes.count <= Self.longestFile { return bytes }
            guard !layer.changes.isEmpty else { throw .tooLarge }
            layer.changes.removeFirst()
        }
    }

    /// Reads the file; throws when the bytes are not one.
    package init(fileBytes: [UInt8]) throws {
        let whole = try JSON.decode(Whole.self, from: fileBytes)
        self.init()
        change = whole.change
        entries = whole.settings.map {
            Entry(
                key: $0.key, value: $0.value, over: $0.over, change: $0.change, unit: $0.unit ?? $0.change,
                author: SettingAuthor(actor: $0.by, user: $0.user ?? ""), at: $0.at ?? "")
        }
        // Only adhand writes the file: a duplicate key is damage.
        guard Set(entries.map(\.key)).count == entries.count else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a key is there twice"))
        }
        entries.sort { ($0.unit, $0.key) < ($1.unit, $1.key) }
        changes = whole.changes.map { change in
            Change(
                change: change.change, at: change.at,
                author: SettingAuthor(actor: change.by, user: change.user), undoes: change.undoes,
                steps: change.steps.map {
                    Step(key: $0.key, before: $0.before, over: $0.over, after: $0.after)
                })
        }
    }

    private struct Whole: Codable {
        struct Setting: Codable {
            let key: String
            let value: String
            let over: String?
            let change: Int
            /// The unit; omitted where it is the change.
            let unit: Int?
            let by: String?
            let user: String?
            let at: String?
        }

        struct Change: Codable {
            struct Step: Codable {
                let key: String
                let before: String?
                let over: String?
                let after: String?
            }

            let change: Int
            let at: String
            let by: String?
            let user: String
            let undoes: Int?
            let steps: [Step]
        }

        let version: Int
        let change: Int
        let settings: [Setting]
        let changes: [Change]

        init(_ layer: SettingsLayer) {
            version = 1
            change = layer.change
            settings = layer.entries.map {
                Setting(
                    key: $0.key, value: $0.value, over: $0.over, change: $0.change,
                    unit: $0.unit == $0.change ? nil : $0.unit, by: $0.author.actor, user: $0.author.user,
                    at: $0.at)
            }
            changes = layer.changes.map { change in
                Change(
                    change: change.change, at: change.at, by: change.author.actor, user: change.author.user,
                    undoes: change.undoes,
                    steps: change.steps.map {
                        Change.Step(key: $0.key, before: $0.before, over: $0.over, after: $0.after)
                    })
            }
        }
    }
}
