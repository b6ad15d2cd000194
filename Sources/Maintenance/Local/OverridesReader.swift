import CommandKit
import Console
package import ControlClient
import Glibc
import Host
import PrayerEngine
import Protocol
import Settings
import Texts
package import Times

/// Reads a mosque's overrides from the state directory or, if this user may not read it, from the daemon.
package struct OverridesReader {
    let state: StatePlace
    let daemon: ControlClient

    package init(
        state: StatePlace, daemon: ControlClient
    ) {
        self.state = state
        self.daemon = daemon
    }

    /// Seconds to wait for the daemon.
    private static let patienceSeconds = 2.0
    /// The table alone; refused if neither the directory nor the daemon provides it.
    func table() throws(CommandError) -> PublishedTimetable {
        do throws(TimetableFile.ReadError) {
            return try state.timetable()
        } catch {
            switch error {
            case .mistakes(let error):
                guard let first = error.mistakes.first else {
                    throw CommandError(.invalidInput, error.message)
                }
                throw CommandError(first)
            case .file(let error):
                guard error.isForbidden, let reported = try? fromDaemon() else {
                    throw CommandError(error)
                }
                return reported.table
            case .vanished, .cut: throw CommandError(.invalidInput, error.message)
            }
        }
    }

    /// All overrides that can be read. An unreadable one is reported, and the computation replaces it.
    package func all() -> MosqueOverrides {
        do throws(TimetableFile.ReadError) {
            return try state.decided()
        } catch {
            if case .file(let error) = error, error.isForbidden {
                do throws(CommandError) { return try fromDaemon() } catch {
                    return computed(error.cause ?? error.message)
                }
            }
            // The daemon keeps using its last good table.
            guard isDaemons, let reported = try? fromDaemon() else { return computed(error.message) }
            StandardError.write(
                "adhanctl: the table on disk could not be read; these are the times that adhand has: \(error.message)"
            )
            return reported
        }
    }

    /// Whether the directory is that of the daemon that answers.
    private var isDaemons: Bool {
        let status = try? daemon.ask(
            .getStatus, patienceSeconds: Self.patienceSeconds
        ).status
        return status?.stateDirectory.map { Directories.areSame($0, state.directory) } ?? false
    }

    private func computed(_ why: String) -> MosqueOverrides {
        StandardError.write("adhanctl: computed; the table could not be read: \(why)")
        return MosqueOverrides()
    }

    private func fromDaemon() throws(CommandError) -> MosqueOverrides {
        var decided = MosqueOverrides()
        let csv = try ask(.getTimetable).table
        do throws(TimetableErrors) {
            decided.table = try PublishedTimetable(csv: Array(csv.utf8), file: "what adhand tells")
        } catch {
            throw CommandError(.failed, error.message)
        }
        decided.exceptions = try ask(.getExceptions).decided
        decided.pins = try ask(.getHijriPins).commanded
        if let off = try ask(.getStatus).status.switchedOff {
            let names = Set(off.filter(\.isOff).map(\.prayer))
            decided.toggles = Toggles(
                Dictionary(uniqueKeysWithValues: Prayer.allCases.map { ($0, !names.contains($0.rawValue)) }))
        }
        for skip in try ask(.getSkips).skips {
            guard let prayer = Prayer(rawValue: skip.prayer), let date = CivilDate(skip.date) else {
                continue
            }
            decided.toggles.skips.insert(prayer, on: date)
        }
        return decided
    }

    private func ask<Answer>(
        _ method: MethodSignature<NoParameters, Answer>
    ) throws(CommandError) -> Answer {
        try daemon.ask(method, patienceSeconds: Self.patienceSeconds)
    }
}

extension FileError {
    fileprivate var isForbidden: Bool { code == EACCES || code == EPERM }
}
