import ArgumentParser
import CommandKit
import Console
import ControlClient
import Glibc
import Host
import PrayerEngine
import Protocol
import Settings
import Texts
import Times

/// Reads a mosque's overrides: from the state directory, or from the daemon where that is closed.
struct OverridesReader {
    let state: StatePlace
    let daemon: ControlClient

    /// Seconds that the daemon has to answer.
    private static let patienceSeconds = 2.0

    /// The table alone; refused where neither the directory nor the daemon tells it.
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
                guard error.isForbidden, let told = try? fromDaemon() else {
                    throw CommandError(sounds: error)
                }
                return told.table
            case .vanished, .cut: throw CommandError(.invalidInput, error.message)
            }
        }
    }

    /// All overrides that can be read. An unreadable one is reported, and the computation replaces it.
    func all() -> MosqueOverrides {
        do throws(TimetableFile.ReadError) {
            return try state.decided()
        } catch {
            if case .file(let error) = error, error.isForbidden {
                do throws(CommandError) { return try fromDaemon() } catch {
                    return computed(error.cause ?? error.message)
                }
            }
            // The daemon keeps using its last good table.
            guard isDaemons, let told = try? fromDaemon() else { return computed(error.message) }
            StandardError.write(
                "adhanctl: the table on disk could not be read; these are the times that adhand has: \(error.message)"
            )
            return told
        }
    }

    /// Whether the directory is that of the daemon that answers.
    private var isDaemons: Bool {
        let status = try? daemon.ask(
            "GetStatus", for: StatusReply.self, patienceSeconds: Self.patienceSeconds
        ).status
        return status?.stateDirectory.map { Directories.areSame($0, state.directory) } ?? false
    }

    private func computed(_ why: String) -> MosqueOverrides {
        StandardError.write("adhanctl: computed; the table could not be read: \(why)")
        return MosqueOverrides()
    }

    private func fromDaemon() throws(CommandError) -> MosqueOverrides {
        var decided = MosqueOverrides()
        let csv = try ask("GetTimetable", TimetableReply.self).table
        do throws(TimetableErrors) {
            decided.table = try PublishedTimetable(csv: Array(csv.utf8), file: "what adhand tells")
        } catch {
            throw CommandError(.failed, error.message)
        }
        decided.exceptions = try ask("GetExceptions", ExceptionsReply.self).decided
        decided.pins = try ask("GetHijriPins", HijriPinsReply.self).commanded
        if let off = try ask("GetStatus", StatusReply.self).status.switchedOff {
            let names = Set(off.filter(\.isOff).map(\.prayer))
            decided.toggles = Toggles(
                Dictionary(uniqueKeysWithValues: Prayer.allCases.map { ($0, !names.contains($0.rawValue)) }))
        }
        for skip in try ask("GetSkips", SkipsReply.self).skips {
            guard let prayer = Prayer(rawValue: skip.prayer), let date = CivilDate(skip.date) else {
                continue
            }
            decided.toggles.skips.insert(prayer, on: date)
        }
        return decided
    }

    private func ask<Document: ReplyDocument>(
        _ method: String, _ type: Document.Type
    ) throws(CommandError) -> Document {
        try daemon.ask(method, for: type, patienceSeconds: Self.patienceSeconds)
    }
}

extension FileError {
    fileprivate var isForbidden: Bool { code == EACCES || code == EPERM }
}

/// Where a mosque's decisions are, for commands that have a configuration among their options already.
struct StateOption: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The state directory with the timetable.", valueName: "directory"),
        completion: .directory)
    var stateDir: String?
}

extension CalculationArguments {
    /// The times at the configured place: by its timetable and its exceptions, unless options ask for a calculation.
    func decidedSite(_ state: StateOption, _ daemon: ControlClient) throws(CommandError) -> Site {
        let place = statePlace(state.stateDir, daemon)
        let site = try configuration(place).site(options, city: city)
        if let far = ZoneText.farFromZones(site.calculation, at: site.place) {
            StandardError.write("adhanctl: \(far)")
        }
        return decided(place, daemon).map(site.applying) ?? site
    }

    /// The daemon that answers says where its configuration and its state are. `nil` for a configuration of another one.
    func statePlace(_ directory: String? = nil, _ daemon: ControlClient) -> StatePlace? {
        let place = StatePlace(named: directory, daemon)
        guard directory == nil, let config else { return place }
        let usual = Paths(Paths.Options(), in: .process).configuration
        let own: String? = if case .file(let path) = usual { path } else { nil }
        guard let read = place.status == nil ? own : place.configuration, Directories.areSame(read, config)
        else { return nil }
        return place
    }

    /// `nil` where options ask for a calculation, or for a configuration whose state is not known.
    func decided(_ place: StatePlace?, _ daemon: ControlClient) -> MosqueOverrides? {
        guard city == nil, options == CalculationOptions(), let place else { return nil }
        return OverridesReader(state: place, daemon: daemon).all()
    }

    /// The times that adhand itself says, where it answers and no option asks for others; `nil` where it does not.
    func daemonTimes(
        _ selection: DateSelection, _ state: StateOption, _ daemon: ControlClient
    ) throws(CommandError) -> TimesDocument? {
        guard isEmpty, state.stateDir == nil,
            let status = try? daemon.ask("GetStatus", for: StatusReply.self, patienceSeconds: 2).status,
            let today = CivilDate(status.now.prefix(10))
        else { return nil }
        let dates: [CivilDate]
        do throws(OptionError) { dates = try selection.days(today: today) } catch {
            throw CommandError(error)
        }
        guard let first = dates.first else { return nil }
        var parts: [TimesDocument] = []
        for offset in stride(from: 0, to: dates.count, by: Self.mostDays) {
            let asked = TimesParameters(
                date: first.adding(days: offset).description, days: min(Self.mostDays, dates.count - offset))
            parts.append(try daemon.ask("GetTimes", asked, for: TimesReply.self).times)
        }
        return TimesDocument(parts)
    }

    /// Days that adhand says at a time.
    private static let mostDays = 35
}
