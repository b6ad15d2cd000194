import CommandKit
import Host

/// Lets one command at a time change a configuration, from reading it until adhand has read it, so that no command
/// overwrites another's change.
enum ConfigurationLock {
    /// Seconds to wait for another command, which may be trying sounds and devices.
    private static let patienceSeconds = 20.0

    /// - Parameter path: the file itself, not a link to it.
    static func hold<Value>(
        _ path: String, _ work: () throws(CommandError) -> Value
    ) throws(CommandError) -> Value {
        let lock: LockFile?
        do throws(FileError) {
            try Directories.make(Directories.parent(of: path), mode: 0o755)
            lock = try LockFile.acquire(path + ".lock", patienceSeconds: patienceSeconds)
        } catch {
            throw SetupTarget.refusal(error)
        }
        guard let lock else {
            throw CommandError(
                .failed,
                "another command is changing \"\(path)\" and has not finished within \(Int(patienceSeconds)) seconds; nothing was "
                    + "changed; run this command again")
        }
        defer { lock.release() }
        ConfigurationTrial.removeDraft(of: path)
        return try work()
    }
}
