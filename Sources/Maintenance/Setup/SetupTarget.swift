import CommandKit
import Console
import Glibc
import Host
import Settings
import Texts
import Times

/// The configuration file that `setup` and `set` write: the given one; else the system's for root, and the user's own for others.
package struct SetupTarget {
    package let path: String
    /// The present content; `nil` if the file does not exist.
    let text: [UInt8]?
    let config: Config

    /// The path as given. Drop-ins are beside this path, wherever a link leads.
    let named: String
    /// The command that writes the file, for advice.
    private let command: String

    var backup: String { path + ".bak" }
    /// The record of other items that the change removed, besides the text in ``backup``.
    var record: String { ConfigurationMark.record(of: path) }

    /// `mayBeWrong`: an invalid file counts as the default, because it will be replaced.
    package init(named: String?, for command: String = "setup", mayBeWrong: Bool = false) throws(CommandError)
    {
        let path = named.map(Directories.absolute) ?? Self.usual
        (self.named, self.command) = (path, command)
        // Replace the target of a link and keep the link.
        self.path = Self.resolved(path)
        do throws(FileError) {
            text = try FileBytes.read(self.path, limit: ConfigLoader.longestFile)
        } catch  where error.isMissing {
            text = nil
        } catch {
            throw Self.refusal(error)
        }
        config = try Self.config(text, self.path, command, mayBeWrong)
        try checkWritable()
    }

    private static func config(
        _ text: [UInt8]?, _ path: String, _ command: String, _ mayBeWrong: Bool
    ) throws(CommandError) -> Config {
        guard let text else { return .default }
        do throws(ConfigError) {
            return try ConfigLoader.load(text: text, file: path)
        } catch {
            if mayBeWrong { return .default }
            throw CommandError(
                .invalidInput, "\(error.message); fix it, or move the file away, and run \(command) again")
        }
    }

    private static var usual: String {
        let environment = Environment.process
        return environment.userID == 0
            ? Paths.systemConfiguration : Paths.userConfiguration(environment)
    }

    /// Checks before the first question whether the file can be written.
    private func checkWritable() throws(CommandError) {
        var directory = Directories.parent(of: path)
        while !Directories.isDirectory(directory), directory != "/" {
            directory = Directories.parent(of: directory)
        }
        guard unsafe access(directory, W_OK) == 0 else {
            throw Self.refusal(FileError("write", path, code: errno))
        }
    }

    static func refusal(_ error: FileError) -> CommandError {
        let refused = error.code == EACCES || error.code == EPERM
        return refused
            ? CommandError(.notPermitted, "\(error.message); run \"\(CommandError.asRoot)\"")
            : CommandError(.failed, "\(error.message); nothing was changed")
    }

    // MARK: - Writing

    /// The file's present content.
    func textNow() throws(CommandError) -> [UInt8]? {
        do throws(FileError) {
            return try FileBytes.read(path, limit: ConfigLoader.longestFile)
        } catch  where error.isMissing {
            return nil
        } catch {
            throw Self.refusal(error)
        }
    }

    /// The other items that the last change removed.
    func lastRecord() -> ChangeRecord? {
        guard let bytes = try? FileBytes.read(record, limit: Self.longestRecord) else { return nil }
        return try? JSON.decode(ChangeRecord.self, from: bytes)
    }

    static let longestRecord = 1 << 20

    /// The file's content before the last change. When it is restored, the undone text becomes the backup.
    func restored() throws(CommandError) -> [UInt8] {
        let old: [UInt8]
        do throws(FileError) {
            old = try FileBytes.read(backup, limit: ConfigLoader.longestFile)
        } catch  where error.isMissing {
            throw CommandError(
                .failed,
                text == nil
                    ? "there is no \"\(backup)\": \(command) has not changed anything here"
                    : "there is no \"\(backup)\": \(command) has not changed this file, or has begun it; "
                        + "without the file adhand runs on its defaults")
        } catch {
            throw Self.refusal(error)
        }
        do throws(ConfigError) {
            _ = try ConfigLoader.load(text: old, file: backup)
        } catch {
            throw CommandError(.invalidInput, "\(error.message); \"\(path)\" stays as it is")
        }
        return old
    }

    // MARK: - Paths

    private static func resolved(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
