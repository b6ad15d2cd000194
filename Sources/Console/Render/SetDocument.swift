package import Settings
package import Texts

/// `set --json`: the written values, and whether they are in force.
package struct SetDocument: Codable, Sendable, Equatable {
    package let file: String
    /// The file's content before; `null` when there was none, or nothing changed.
    @Nullable package var backup: String?
    package let changes: [ConfigChange.Step]
    /// Whether a running adhand uses it now.
    package let reloaded: Bool
    /// The result in one sentence.
    package let message: String
    /// The command that puts it in force; `null` when there is nothing to do.
    @Nullable package var fix: String?

    package init(
        file: String, backup: String?, changes: [ConfigChange.Step], _ result: ReloadResult
    ) {
        self.file = file
        self.backup = backup
        self.changes = changes
        reloaded = result.reloaded
        message = result.message
        fix = result.fix
    }
}

/// `adhanctl set` for people.
package enum SetText {
    package static func render(_ document: SetDocument, _ style: Style) -> String {
        var text = ""
        for change in document.changes {
            if let instead = change.instead {
                let was = change.before.map { "was \($0)" } ?? "was not set"
                let origin = instead == "default" ? "the default" : "by \(instead)"
                let value = change.value.isEmpty ? "nothing" : change.value
                text +=
                    style("\(change.key) is not set any more", .good) + " (\(was)); now \(value), \(origin)\n"
                continue
            }
            let before =
                switch change.before {
                case change.value?: "as before"
                case let before?: "was \(before)"
                case nil: "was not set"
                }
            text += style("\(change.key) = \(change.value)", .good) + " (\(before))\n"
        }
        let isNothing = document.changes.allSatisfy {
            $0.instead == nil ? $0.before == $0.value : $0.before == nil
        }
        if isNothing {
            text += "\(document.file) says so already.\n"
        } else {
            let undo = document.backup == nil ? "" : "; \"adhanctl set --undo\" undoes it"
            text += "Saved in \(document.file)\(undo).\n"
        }
        return text + ReloadResult.text(document.message, fix: document.fix)
    }
}
