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

/// `set --undo` and `setup --undo`: which file is as it was before.
package struct UndoDocument: Codable, Sendable, Equatable {
    package let file: String
    package let reloaded: Bool
    package let message: String
    @Nullable package var fix: String?

    /// - Parameter change: what is undone, `setup` or `change`.
    package init(file: String, change: String, _ result: ReloadResult) {
        self.file = file
        reloaded = result.reloaded
        message = "\(file) is as it was before the last \(change). \(result.message)"
        fix = result.fix
    }

    package var text: String { ReloadResult.text(message, fix: fix) }
}
