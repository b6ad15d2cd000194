/// A key and its new TOML value; `nil` removes the setting.
public struct SettingChange: Codable, Sendable, Equatable {
    /// A dotted path such as `adhan.fajr.volume`.
    public let key: String
    /// As TOML writes it; `nil` takes the setting away.
    public let value: String?

    /// Names a change.
    public init(key: String, value: String?) {
        (self.key, self.value) = (key, value)
    }
}

/// A change that form, role and pins permit, with the resulting layer.
package struct SettingsDraft: Sendable, Equatable {
    package let layer: SettingsLayer
    /// The change itself; `nil` where everything already has these values.
    package let change: SettingsLayer.Change?

    package var keys: Set<String> { Set((change?.steps ?? []).map(\.key)) }
}

extension SettingsLayer {
    /// The layer after some changes. Checked in this order: form, role, pins, changes by others meanwhile.
    package func setting(
        _ requests: [SettingChange], expect: Int? = nil, by author: SettingAuthor, as role: SettingRole,
        over files: LayerFiles, at: String
    ) throws(SettingsRefusal) -> SettingsDraft {
        guard (1...Self.mostKeys).contains(requests.count) else { throw .count }
        var steps: [(key: SettableKey, value: String?, over: String?)] = []
        for request in requests {
            guard let key = SettableKey(request.key) else {
                throw .unknown(key: request.key, near: SettableKey.near(request.key))
            }
            guard !steps.contains(where: { $0.key.key == key.key }) else {
                throw .invalid(
                    key: key.key, value: request.value ?? "",
                    reason: "\(key.key) is named twice in one change")
            }
            var value: String?
            if let text = request.value {
                let read = try SettingValue(text, of: key)
                if let reason = files.excess(read, of: key) {
                    throw .invalid(key: key.key, value: text, reason: reason)
                }
                value = read.toml
            }
            steps.append((key, value, files.settings[key.key]?.value))
        }
        try check(steps.map(\.key), role, files)
        if let expect {
            for step in steps {
                guard let last = lastChange(of: step.key.key), last.number > expect else { continue }
                throw .conflict(key: step.key.key, change: last.number, by: last.author.name)
            }
        }
        return draft(steps.map { ($0.key.key, $0.value, $0.over) }, undoes: nil, author, at)
    }

    /// The layer without a change; `nil` is the newest. A key that was set since is a conflict.
    package func undoing(
        _ number: Int?, by author: SettingAuthor, as role: SettingRole, over files: LayerFiles, at: String
    ) throws(SettingsRefusal) -> SettingsDraft {
        guard let newest = changes.last else {
            throw .nothing(reason: "nothing was set by command, so there is nothing to undo")
        }
        let number = number ?? newest.change
        guard let undone = changes.first(where: { $0.change == number }) else {
            throw .nothing(
                reason:
                    "change \(number) cannot be undone: adhand keeps the last \(Self.mostChanges) changes, "
                    + "\(changes[0].change) to \(newest.change)")
        }
        var keys: [SettableKey] = []
        for step in undone.steps {
            guard let key = SettableKey(step.key) else { throw .unknown(key: step.key, near: nil) }
            keys.append(key)
        }
        try check(keys, role, files)
        for (key, step) in zip(keys, undone.steps) {
            if let last = lastChange(of: step.key), last.number > number {
                throw .conflict(key: step.key, change: last.number, by: last.author.name)
            }
            guard let before = step.before else { continue }
            let value = try SettingValue(before, of: key)
            if let reason = files.excess(value, of: key) {
                throw .invalid(key: step.key, value: before, reason: reason)
            }
        }
        return draft(undone.steps.map { ($0.key, $0.before, $0.over) }, undoes: number, author, at)
    }

    private func check(
        _ keys: [SettableKey], _ role: SettingRole, _ files: LayerFiles
    ) throws(SettingsRefusal) {
        let needed = keys.map { $0.role(files.household) }.max() ?? .household
        guard role >= needed else { throw .role(needed) }
        for key in keys {
            guard let pin = files.pin(of: key.key) else { continue }
            throw .pinned(key: key.key, file: pin.place.file, line: pin.place.line)
        }
    }

    private func draft(
        _ wanted: [(key: String, value: String?, over: String?)], undoes: Int?, _ author: SettingAuthor,
        _ at: String
    ) -> SettingsDraft {
        let new = wanted.filter { step in
            let entry = self[step.key]
            return entry?.value != step.value || entry != nil && entry?.over != step.over
        }
        guard !new.isEmpty else { return SettingsDraft(layer: self, change: nil) }
        var layer = self
        layer.change += 1
        let number = layer.change
        let keys = Set(new.map(\.key))
        // Settings that were tried together with one of these are tried together again.
        let units = Set(entries.filter { keys.contains($0.key) }.map(\.unit))
        layer.entries.removeAll { keys.contains($0.key) }
        for index in layer.entries.indices where units.contains(layer.entries[index].unit) {
            layer.entries[index].unit = number
        }
        for step in new {
            guard let value = step.value else { continue }
            layer.entries.append(
                Entry(
                    key: step.key, value: value, over: step.over, change: number, unit: number,
                    author: author, at: at))
        }
        layer.entries.sort { ($0.unit, $0.key) < ($1.unit, $1.key) }
        let change = Change(
            change: number, at: at, author: author, undoes: undoes,
            steps: new.map { step in
                Step(
                    key: step.key, before: self[step.key]?.value, over: self[step.key]?.over,
                    after: step.value)
            })
        layer.changes = (layer.changes + [change]).suffix(Self.mostChanges)
        return SettingsDraft(layer: layer, change: change)
    }
}
