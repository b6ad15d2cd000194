/// `set --json`: what was written, and whether it is in force.
package struct SetDocument: Codable, Sendable, Equatable {
    package let file: String
    /// What the file was before; `null` when there was none, or nothing changed.
    @Nullable package var backup: String?
    package let changes: [ConfigChange.Step]
    /// Whether a running adhand goes by it now.
    package let reloaded: Bool
    /// One sentence about that, with what to do.
    package let message: String

    package init(
        file: String, backup: String?, changes: [ConfigChange.Step], reloaded: Bool, message: String
    ) {
        self.file = file
        self.backup = backup
        self.changes = changes
        self.reloaded = reloaded
        self.message = message
    }
}

package enum SetText {
    package static func render(_ document: SetDocument, _ style: Style) -> String {
        var text = ""
        for change in document.changes {
            let before =
                switch change.before {
                case change.value?: "as before"
                case let before?: "was \(before)"
                case nil: "was not set"
                }
            text += style("\(change.key) = \(change.value)", .good) + " (\(before))\n"
        }
        if document.changes.allSatisfy({ $0.before == $0.value }) {
            text += "\(document.file) says so already.\n"
        } else {
            let undo = document.backup == nil ? "" : "; \"adhanctl set --undo\" takes it back"
            text += "Saved in \(document.file)\(undo).\n"
        }
        return text + document.message + "\n"
    }
}
