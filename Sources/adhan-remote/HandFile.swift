internal import Host
internal import PhoneRules

/// `hand.json`: changes by hand that can be undone, even after a restart. Only this user can read it. Losing it loses only the
/// ability to undo: a file that cannot be read is reported and replaced with the next change.
struct HandFile: Sendable {
    private static let mostBytes = 1 << 16
    private let path: String
    private let report: @Sendable (String) -> Void

    init(folder: String, report: @escaping @Sendable (String) -> Void) {
        (path, self.report) = (folder + "/hand.json", report)
    }

    func read() -> HandChanges {
        do throws(FileError) {
            let bytes = try FileBytes.read(path, limit: Self.mostBytes, followsLink: false)
            if let changes = try? HandChanges(json: bytes) { return changes }
            report("\"\(path)\" is damaged; what was set by hand before cannot be undone from a phone")
        } catch {
            if !error.isMissing { report(error.message) }
        }
        return HandChanges()
    }

    func write(_ changes: HandChanges) {
        guard let bytes = try? changes.json else { return }
        do throws(FileError) {
            try AtomicFile.replace(path, mode: 0o600) { draft throws(FileError) in try draft.write(bytes) }
        } catch {
            report(error.message)
        }
    }
}
