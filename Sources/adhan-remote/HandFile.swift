internal import Host
internal import PhoneRules

/// `hand.json`: what was set by hand and can be undone, also after a restart. For this user alone. Without it nothing is lost but
/// the way back: a file that cannot be read is reported and replaced with the next change.
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
