package import Protocol
internal import Settings

extension SettingsFacts {
    /// - Parameter isShown: selects keys.
    package init(
        _ reply: SettingsReply, _ changes: ChangesReply? = nil,
        where isShown: (String) -> Bool = { _ in true }
    ) {
        let made = Dictionary(reply.settings.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        let keys = reply.keys.filter { isShown($0.key) }.map { document -> Key in
            let setting = made[document.key]
            return Key(
                key: document.key, kind: document.kind, allowed: document.allowed,
                right: Right(rawValue: document.role.rawValue) ?? .fresh,
                value: PlainValue.text(document.inForce ?? setting?.inForce ?? ""),
                state: document.pinned == nil ? setting.map { State($0.state) } : .pinned, by: setting?.by,
                reason: setting?.reason ?? document.pinned)
        }
        self.init(
            change: reply.change, keys: keys,
            changes: (changes?.changes ?? []).suffix(Self.mostChanges).reversed().map { change in
                Change(
                    number: change.change, at: change.at, by: change.by.isEmpty ? change.user : change.by,
                    steps: change.steps.map { Step($0.key, from: $0.before, to: $0.after) })
            })
    }

    /// The values in force that have changed.
    /// - Parameter keys: the keys of the change, if known.
    package static func steps(
        from before: SettingsReply, to after: SettingsReply, keys: Set<String>? = nil
    ) -> [Step] {
        let old = Dictionary(before.keys.map { ($0.key, $0.inForce ?? "") }, uniquingKeysWith: { $1 })
        return after.keys.compactMap { document in
            let (was, now) = (old[document.key] ?? "", document.inForce ?? "")
            guard was != now, keys?.contains(document.key) ?? true else { return nil }
            return Step(document.key, from: was, to: now)
        }
    }

    /// The number of changes that a page shows.
    package static let mostChanges = 10
}

extension SettingsFacts.State {
    fileprivate init(_ state: SettingState) {
        self =
            switch state {
            case .set: .set
            case .pinned: .pinned
            case .superseded: .superseded
            case .invalid: .invalid
            case .unknown: .unknown
            }
    }
}

extension AnnouncementsFacts {
    package init(_ reply: SettingsReply, picture: String? = nil) {
        let key = reply.keys.first { $0.key == SettingsChangeSet.announcementKey }
        let list = TableList(key?.inForce ?? "") ?? TableList()
        entries = list.rows.map { row in
            Entry(
                text: row["text"] ?? "", until: row["until"] ?? "", hasPicture: row["picture"] != nil,
                mark: row.mark)
        }
        self.picture = picture
    }

    /// The digests in a list, which is written in TOML.
    package static func pictures(in toml: String?) -> Set<String> {
        Set((TableList(toml ?? "") ?? TableList()).rows.compactMap { $0["picture"] })
    }

    /// Pictures that are named neither by an announcement nor by one of the newest changes, which a page can still undo. They
    /// will not be seen again.
    package static func forgotten(_ reply: SettingsReply, _ changes: ChangesReply) -> Set<String> {
        func named(_ changes: some Sequence<ChangeDocument>) -> Set<String> {
            let steps = changes.flatMap(\.steps).filter { $0.key == SettingsChangeSet.announcementKey }
            return steps.reduce(into: []) {
                $0.formUnion(pictures(in: $1.before).union(pictures(in: $1.after)))
            }
        }
        let key = reply.keys.first { $0.key == SettingsChangeSet.announcementKey }
        return named(changes.changes.dropLast(SettingsFacts.mostChanges))
            .subtracting(named(changes.changes.suffix(SettingsFacts.mostChanges)))
            .subtracting(pictures(in: key?.inForce))
    }
}

/// Rows of a list that a page shows below each other, each with a button that removes it.
package struct RowFacts: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    package let mark: String
    package let fields: [Field]

    package init(mark: String, fields: [Field]) { (self.mark, self.fields) = (mark, fields) }

    package static func all(_ key: String, _ reply: SettingsReply) -> [RowFacts] {
        let list = reply.keys.first { $0.key == key }.flatMap { TableList($0.inForce ?? "") } ?? TableList()
        return list.rows.map { row in
            RowFacts(
                mark: row.mark, fields: row.fields.map { Field($0.name, PlainValue.text($0.toml)) })
        }
    }
}
