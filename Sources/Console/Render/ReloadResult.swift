package import Settings
package import Texts

/// Whether a running adhand uses a file that was just written.
package struct ReloadResult: Sendable, Equatable {
    package let reloaded: Bool
    /// The result in one sentence.
    package var message: String
    /// The command to type, where something is left to do.
    package var fix: String?

    package init(_ reloaded: Bool, _ message: String, fix: String? = nil) {
        self.reloaded = reloaded
        self.message = message
        self.fix = fix
    }

    /// The text for people: the command on a line of its own, so that it can be copied.
    package static func text(_ message: String, fix: String?) -> String {
        message + "\n" + (fix.map { "Try: \($0)\n" } ?? "")
    }
}

/// `set --undo` and `setup --undo`: the file that was restored, and the resulting changes.
package struct UndoDocument: Encodable, Sendable, Equatable {
    package let file: String
    package let reloaded: Bool
    package let message: String
    @Nullable package var fix: String?
    package let changes: [ConfigDifference]
    private let isUnread: Bool

    private enum CodingKeys: CodingKey {
        case file, reloaded, message, fix, changes
    }

    /// - Parameter isUnread: whether the replaced text cannot be used, so that its content is known only in part.
    package init(
        file: String, changes: [ConfigDifference], isUnread: Bool = false, _ result: ReloadResult
    ) {
        self.file = file
        self.changes = changes
        self.isUnread = isUnread
        reloaded = result.reloaded
        message =
            "\(file) is as it was before the last change; --undo again brings that change back. \(result.message)"
        fix = result.fix
    }

    package var text: String {
        let lines = changes.map { "  \($0.text)\n" }.joined()
        let nothing = isUnread ? "" : "  No key differs, only comments or spaces.\n"
        let unread =
            isUnread
            ? "  The text that goes could not be used; what else it was meant to say is not known.\n" : ""
        return (lines.isEmpty ? nothing : lines) + unread
            + ReloadResult.text(message, fix: fix)
    }
}
