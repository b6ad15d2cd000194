import CommandKit
import Console
package import ControlClient
import Host
import Protocol
import Settings
import Times

/// The parts of a configuration that were lost since adhand read it. A change written over the remaining text would make the loss
/// look intended, and after the next reading the box would call by another place.
package struct LostParts {
    private let target: SetupTarget
    private let place: StatePlace

    package init(of target: SetupTarget, _ daemon: ControlClient) {
        self.target = target
        place = StatePlace(daemon)
    }

    /// Call it while the configuration is locked.
    /// - Parameter replacesFile: whether the file is about to be replaced as a whole.
    /// - Returns: whether the file is known to be whole: adhand read this text last, or the last command wrote it.
    @discardableResult
    package func refuse(replacesFile: Bool = false) throws(CommandError) -> Bool {
        let mark = target.lastRecord().map { ConfigurationMark(written: $0.written) }
        let isAsLeft = try target.textNow().map { mark?.isOf($0) == true } ?? false
        guard let loss = try findLoss(replacesFile, mark) else { return isAsLeft || isKept }
        let isSystem = target.named == Paths.systemConfiguration
        let reload = "\"\(isSystem ? "sudo " : "")\(UnusableConfiguration.fix)\""
        let start = place.status == nil ? "start adhand and run" : "run"
        let backup =
            FileAccess.of(target.backup) == .missing
            ? "" : " (\"\(target.backup)\" is what it was before the last command)"
        throw CommandError(
            .failed,
            "\(loss); nothing was changed; put back what it said\(backup), or \(start) \(reload) to go on without it"
        )
    }

    /// Whether adhand kept the content of this file, so that a loss would be detected.
    private var isKept: Bool {
        guard let kept = try? KeptConfiguration.read(in: place.directory) else { return false }
        return target.isFile(kept.configuration)
    }

    private func findLoss(_ replacesFile: Bool, _ mark: ConfigurationMark?) throws(CommandError) -> String? {
        let kept: KeptConfiguration?
        do throws(FileError) {
            kept = try KeptConfiguration.read(in: place.directory)
        } catch {
            return known
        }
        guard let kept, target.isFile(kept.configuration) else { return nil }
        let losses = try ConfigurationLoss.all(
            since: kept, in: sources(kept.configuration), of: kept.configuration,
            lookedFor: [kept.configuration], mark: mark)
        return ConfigurationLoss.error(losses.filter { !replacesFile || $0.file != kept.configuration })?
            .summary
    }

    /// The daemon's answer, if this user may not read the kept files.
    private var known: String? {
        guard let status = place.status, let problem = status.configurationProblem, problem.cause == .lost,
            target.isRead(by: status)
        else { return nil }
        return problem.message
    }

    /// The present files, named as in the reading in which they were in force.
    private func sources(_ name: String) throws(CommandError) -> [ConfigSource] {
        let main = try target.textNow().map { ConfigSource(file: name, text: $0) }
        let beside = try target.dropIns().map { source in
            ConfigSource(file: name + source.file.dropFirst(target.named.count), text: source.text)
        }
        return [main].compactMap(\.self) + beside
    }
}
