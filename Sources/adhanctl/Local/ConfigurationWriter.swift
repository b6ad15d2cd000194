import AdhanCore
import ControlClient
import Glibc
import Host

/// Sets keys of the configuration: tried as a whole, saved, and put to work.
struct ConfigurationWriter {
    private let target: SetupTarget
    private let daemon: ControlClient

    /// Seconds that a daemon has to say which file it reads.
    private static let patience = 2.0

    init(named: String?, _ daemon: ControlClient, mayBeWrong: Bool = false) throws(CommandError) {
        self.daemon = daemon
        target = try SetupTarget(
            named: named ?? Self.file(of: daemon), for: "set", mayBeWrong: mayBeWrong)
    }

    /// What an ordinary user sets is the configuration of the daemon that they talk to. Root writes the system's, wherever an
    /// answer leads.
    private static func file(of daemon: ControlClient) -> String? {
        guard geteuid() != 0,
            let status = try? daemon.ask("GetStatus", for: StatusReply.self, patience: patience).status,
            status.configuration.hasPrefix("/")
        else { return nil }
        return status.configuration
    }

    /// What was done, for whoever asked.
    func set(_ wishes: [ConfigChange.Wish]) throws(CommandError) -> SetDocument {
        let file = target.named
        let dropIns = try target.dropIns()
        let change: ConfigChange
        do throws(ConfigRefusal) {
            change = try ConfigChange(wishes, in: target.text, file: file, dropIns: dropIns)
        } catch {
            let status: ExitStatus =
                switch error.kind {
                case .word: .usage
                case .text: .invalidInput
                case .drop: .failed
                }
            throw CommandError(status, "\(error.message); nothing was changed")
        }
        do throws(SiteError) {
            _ = try SiteReader.site(for: change.effective.config, ZoneFiles(in: .process))
        } catch {
            throw CommandError(.invalidInput, "\(error.message); nothing was changed")
        }
        var backup: String?
        if !change.isEmpty, try target.replace(with: change.text) { backup = target.backup }
        let (reloaded, message) = ConfigurationReload(daemon, file: file).reload(isChanged: !change.isEmpty)
        return SetDocument(
            file: file, backup: backup, changes: change.steps, reloaded: reloaded, message: message)
    }

    /// Brings back what the file was before the last change by a command.
    func undo() throws(CommandError) -> SaidReply {
        try target.undo()
        let (_, message) = ConfigurationReload(daemon, file: target.named).reload(isChanged: true)
        return SaidReply("\(target.named) is as it was before the last change. \(message)")
    }
}

extension SetupTarget {
    /// What is read after the file, and has the say over it.
    func dropIns() throws(CommandError) -> [ConfigSource] {
        do throws(FileError) {
            var sources: [ConfigSource] = []
            for file in try ConfigFiles.dropIns(of: named) { sources.append(try ConfigFiles.source(file)) }
            return sources
        } catch {
            throw CommandError(.failed, "\(error.message); nothing was changed")
        }
    }

    /// Refuses keys that a drop-in sets: what is written here would not count.
    func refuseHeld(_ keys: [String]) throws(CommandError) {
        let dropIns = try dropIns()
        guard !dropIns.isEmpty else { return }
        let settings: [ConfigSetting]
        do throws(ConfigError) {
            settings = try ConfigLoader.load([ConfigSource(file: named, text: text ?? [])] + dropIns).settings
        } catch {
            throw CommandError(.invalidInput, "\(error.summary); nothing was changed")
        }
        for setting in settings where setting.file != named && keys.contains(setting.key) {
            throw CommandError(.failed, "\(setting.refusal(toWriteIn: named)); nothing was changed")
        }
    }
}
