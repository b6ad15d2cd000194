import CommandKit
import Console
import Glibc
import Host
import Settings
import Texts
import Times

/// Replaces a configuration's text, and keeps the old one beside it for `--undo`. Use it only while the configuration is
/// locked.
struct ConfigurationReplacement {
    private let target: SetupTarget
    /// The content to replace; `nil` if there is no file.
    private let old: [UInt8]?
    private let oldBackup: FileContent
    private let oldRecord: FileContent

    /// - Parameter old: the text on which the new one is based.
    init(of target: SetupTarget, over old: [UInt8]?) {
        (self.target, self.old) = (target, old)
        oldBackup = FileContent(target.backup, limit: ConfigLoader.longestFile)
        oldRecord = FileContent(target.record, limit: SetupTarget.longestRecord)
    }

    /// Replaces the file at once.
    /// - Parameter isWhole: whether the text on which the new one is based was complete.
    /// - Returns: whether there is a backup.
    func write(_ new: [UInt8], _ record: ChangeRecord, isWhole: Bool) throws(CommandError) -> Bool {
        var record = record
        record.written = isWhole ? ConfigurationMark.digest(new) : nil
        guard try target.textNow() == old else {
            throw CommandError(
                .failed,
                "\"\(target.path)\" was changed meanwhile by another program; nothing was changed; run this command again"
            )
        }
        do throws(FileError) {
            if let old { try AtomicFile.write(old, to: target.backup, like: target.path) }
            // Remove a backup of an earlier file, because it does not belong to this one.
            if old == nil { unsafe unlink(target.backup) }
            try keep(record)
            try AtomicFile.write(new, to: target.path, like: target.path)
            return old != nil
        } catch {
            restoreBackup()
            throw SetupTarget.refusal(error)
        }
    }

    /// Undoes ``write(_:_:)``. Restoring the file needs no space on the disk.
    func putBack() {
        if old != nil {
            unsafe rename(target.backup, target.path)
        } else {
            unsafe unlink(target.path)
        }
        restoreBackup()
    }

    private func keep(_ record: ChangeRecord) throws(FileError) {
        guard !record.isEmpty, let bytes = try? JSON.encode(record) else {
            unsafe unlink(target.record)
            return
        }
        try AtomicFile.write(bytes, to: target.record, like: target.path)
    }

    private func restoreBackup() {
        for (was, path) in [(oldBackup, target.backup), (oldRecord, target.record)] {
            switch was {
            case .bytes(let bytes): try? AtomicFile.write(bytes, to: path, like: target.path)
            case .none: unsafe unlink(path)
            case .unreadable: break
            }
        }
    }
}
