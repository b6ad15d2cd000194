import CommandKit
package import ControlClient
import Host
import PrayerEngine
package import Protocol
import Texts
import Times

/// The latest events: adhand's since its start, and older ones from the journal of the system's adhand.
package struct RecentLog {
    let daemon: ControlClient

    package init(
        daemon: ControlClient
    ) {
        self.daemon = daemon
    }

    /// The most lines of the journal that are searched.
    private static let mostLines = 1000

    private var isSystem: Bool { daemon.socket == Paths.systemSocket }

    /// The newest `count` events, the oldest first. If adhand does not answer, only the journal's, and `silence` gives the
    /// reason.
    package func read(_ count: Int) throws(CommandError) -> (entries: [LogEntry], silence: CommandError?) {
        let remembered: [LogEntry]
        do throws(CommandError) {
            remembered = try daemon.ask(.getLog, LogParameters(limit: count)).entries
        } catch  where error.status == .unreachable && isSystem {
            let journaled = journal(count, before: nil)
            guard !journaled.isEmpty else { throw error }
            return (journaled, error)
        } catch {
            throw error
        }
        guard isSystem, remembered.count < count else { return (remembered, nil) }
        return (journal(count - remembered.count, before: remembered.first?.at) + remembered, nil)
    }

    /// adhand's entries later than `entry`: after a restart, all of them.
    package func since(_ entry: LogEntry?) throws(CommandError) -> [LogEntry] {
        let all = try daemon.ask(.getLog, LogParameters(limit: LogReply.capacity))
            .entries
        guard let last = entry.flatMap({ InstantText.parse($0.at) }) else { return all }
        return all.filter { InstantText.parse($0.at).map { $0 >= last } ?? true }
    }

    private func journal(_ count: Int, before end: String?) -> [LogEntry] {
        var arguments = [
            "-u", "adhand", "-o", "json", "-n", "\(Self.mostLines)", "--no-pager", "-q",
            "--output-fields=" + LogEntry.journalFields.joined(separator: ","),
        ]
        let limit = end.flatMap(InstantText.parse)
        if let limit { arguments.append("--until=@\(Int(limit.unixSeconds))") }
        let text = SystemTool.output("journalctl", arguments) ?? ""
        let entries = LogEntry.entries(journal: text, in: zone).filter { entry in
            guard let limit, let at = InstantText.parse(entry.at) else { return true }
            return at < limit
        }
        return Array(entries.suffix(max(0, count)))
    }

    /// The zone in which times are shown.
    private var zone: Zone {
        if let site = try? LocalConfiguration().site() { return site.zone }
        return (try? ZoneFiles(in: .process).systemZone()) ?? .utc
    }
}
