/// Whether a running adhand goes by a file that was just written.
package struct ReloadResult: Sendable, Equatable {
    package let reloaded: Bool
    /// One sentence about that.
    package var message: String
    /// What to type, where something is left to do.
    package var fix: String?

    package init(_ reloaded: Bool, _ message: String, fix: String? = nil) {
        self.reloaded = reloaded
        self.message = message
        self.fix = fix
    }

    /// For people: the command on a line of its own, whole, so that it can be copied.
    static func text(_ message: String, fix: String?) -> String {
        message + "\n" + (fix.map { "Try: \($0)\n" } ?? "")
    }
}

/// `set --undo` and `setup --undo`: which file is as it was before, and what that changes.
package struct UndoDocument: Codable, Sendable, Equatable {
    package let file: String
    package let reloaded: Bool
    package let message: String
    @Nullable package var fix: String?
    package let changes: [ConfigDifference]

    package init(file: String, changes: [ConfigDifference], _ result: ReloadResult) {
        self.file = file
        self.changes = changes
        reloaded = result.reloaded
        message =
            "\(file) is as it was before the last change; --undo again brings that change back. \(result.message)"
        fix = result.fix
    }

    package var text: String {
        let lines = changes.map { "  \($0.text)\n" }.joined()
        return (lines.isEmpty ? "  No key differs, only comments or spaces.\n" : lines)
            + ReloadResult.text(message, fix: fix)
    }
}
