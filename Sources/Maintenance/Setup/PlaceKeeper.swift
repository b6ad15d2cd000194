import CommandKit
package import Console
package import ControlClient
import Host
import PrayerEngine
import Protocol
import Settings
import Texts
import Times

/// The decision about a timetable and exceptions when the place changes, from the command line.
package struct PlaceDecision {
    /// The choice for the timetable; `nil` if none was given.
    package var timetable: KeepOrRemove?
    /// The file of a timetable that replaces it.
    package var file: String?
    package var exceptions: KeepOrRemove?

    init() {}

    package var isAny: Bool { timetable != nil || file != nil || exceptions != nil }

    /// - Parameter timetable: `keep`, `remove` or a file; a file with such a name is written `./keep`.
    package init(timetable: String?, exceptions: String?) throws(CommandError) {
        if let timetable {
            self.timetable = KeepOrRemove(rawValue: timetable)
            if self.timetable == nil { file = timetable }
        }
        guard let exceptions else { return }
        guard let keeping = KeepOrRemove(rawValue: exceptions) else {
            throw .usage("--exceptions must be keep or remove, not \"\(exceptions)\"")
        }
        self.exceptions = keeping
    }
}

/// The timetable and the exceptions of the adhand that reads a configuration.
package struct PlaceKeeper {
    private let daemon: ControlClient
    /// The state that the decisions concern.
    let place: StatePlace
    /// Whether the adhand with this state reads this file; an adhand that reads another file has another place.
    private let isRead: Bool
    private var isRunning: Bool { place.status != nil }

    package init(of target: SetupTarget, _ daemon: ControlClient) {
        self.daemon = daemon
        place = StatePlace(daemon)
        isRead = place.status.map(target.isRead) ?? target.isUsual
    }

    package func belongings() -> PlaceBelongings {
        guard isRead else { return PlaceBelongings() }
        let decided = OverridesReader(state: place, daemon: daemon).all()
        return PlaceBelongings(table: decided.table, exceptions: decided.exceptions)
    }

    /// Refuses before anything is written, because only adhand itself can remove exceptions.
    func check(_ exceptions: KeepOrRemove?, _ belongings: PlaceBelongings) throws(CommandError) {
        guard exceptions == .remove, !belongings.exceptions.isEmpty, !isRunning else { return }
        throw CommandError(
            .unreachable,
            "adhand does not run, and only it can remove what was set by hand; start it, or give --exceptions keep; "
                + "nothing was changed")
    }

    /// Whether the decisions do not concern the adhand that answers, or would start here.
    func isElsewhere(_ decision: PlaceDecision) -> Bool { !isRead && decision.isAny }

    /// Carries out the decisions together with the change of the configuration: all or nothing. adhand reads it later.
    /// - Parameters:
    ///   - save: writes the configuration with a record of the removed items; returns whether `--undo` can restore them.
    ///   - putBack: undoes that.
    /// - Returns: sentences about the outcome for the timetable and the exceptions.
    func carryOut(
        _ decision: CarriedDecision, _ belongings: PlaceBelongings, at site: Site,
        save: (ChangeRecord) throws(CommandError) -> Bool, putBack: () -> Void
    ) throws(CommandError) -> [String] {
        guard isRead || decision.table != nil else {
            _ = try save(ChangeRecord())
            return []
        }
        var sentences: [String] = []
        var record = ChangeRecord(
            removed: decision.exceptions == .remove ? belongings.exceptions : DayExceptions())
        let snapshot: TimetableStore.Snapshot?
        (snapshot, record.timetable) = try changeTimetable(decision, belongings, site, &sentences)
        let isKept: Bool
        do throws(CommandError) {
            isKept = try save(record)
        } catch {
            restore(snapshot)
            throw error
        }
        guard decision.exceptions == .remove else { return sentences }
        guard !belongings.exceptions.isEmpty else {
            return sentences + ["Nothing was set by hand that could be removed."]
        }
        do throws(CommandError) {
            try remove(belongings.exceptions.all)
        } catch {
            putBack()
            restore(snapshot)
            throw CommandError(error.status, "\(error.message); nothing was changed")
        }
        let removed = belongings.exceptions.all.map { $0.sentence(hasSlots: false) }.joined(separator: "; ")
        let again = ExceptionsReply(belongings.exceptions).exceptions.map {
            ChangeRecord.command(for: ExceptionParameters($0))
        }
        let way =
            isKept
            ? "\"adhanctl set --undo\" brings it back with the place"
            : "to set it again, type: \(again.joined(separator: "; "))"
        return sentences + ["What was set by hand is removed (\(removed)); \(way)."]
    }

    /// Changes the timetable; returns the earlier one if it was changed, and whether anything was removed.
    private func changeTimetable(
        _ decision: CarriedDecision, _ belongings: PlaceBelongings, _ site: Site, _ sentences: inout [String]
    ) throws(CommandError) -> (TimetableStore.Snapshot?, ChangeRecord.Timetable?) {
        if let table = decision.table {
            let store = try TimetableStore.open(in: place)
            let snapshot = store.snapshot()
            try store.change {
                if !decision.addsTable { $0 = PublishedTimetable() }
                $0.merge(table)
            }
            if decision.addsTable { return (snapshot, nil) }
            guard !belongings.table.isEmpty else {
                sentences.append("The timetable is in force here.")
                return (snapshot, nil)
            }
            sentences.append(
                "The timetable of before is replaced; \"adhanctl timetable undo\" brings it back.")
            return (snapshot, .replaced)
        }
        guard let keeping = decision.timetable else { return (nil, nil) }
        guard !belongings.table.isEmpty else {
            if keeping == .remove { sentences.append("There was no timetable to remove.") }
            return (nil, nil)
        }
        let store = try TimetableStore.open(in: place)
        let snapshot = store.snapshot()
        switch keeping {
        case .remove:
            _ = try store.clear()
            sentences.append("The timetable is removed; \"adhanctl timetable undo\" brings it back.")
            return (snapshot, .removed)
        case .keep:
            try store.amend { $0.adopt(.init(keptAt: site)) }
            sentences.append("The timetable stays in force here.")
            return (snapshot, nil)
        }
    }

    private func restore(_ snapshot: TimetableStore.Snapshot?) {
        guard let snapshot, let store = try? TimetableStore.open(in: place) else { return }
        store.restore(snapshot)
    }

    /// Removes all exceptions, or none.
    private func remove(_ exceptions: [DayException]) throws(CommandError) {
        var gone: [DayException] = []
        for exception in exceptions {
            do throws(CommandError) {
                _ = try daemon.ask(
                    .removeException,
                    ExceptionNameParameters(
                        date: exception.date.description, prayer: exception.prayer.rawValue))
                gone.append(exception)
            } catch {
                for entry in ExceptionsReply(DayExceptions(gone)).exceptions {
                    try? set(ExceptionParameters(entry))
                }
                throw error
            }
        }
    }

    private func set(_ exception: ExceptionParameters) throws(CommandError) {
        _ = try daemon.ask(.setException, exception)
    }

    /// Restores the coming exceptions that an undone change had removed, after adhand has read the earlier place.
    /// Returns sentences about the outcome.
    func bringBack(_ record: ChangeRecord?, from today: CivilDate) -> [String] {
        guard let record else { return [] }
        var sentences: [String] = []
        if let timetable = record.timetable {
            sentences.append(
                "The timetable that was \(timetable.rawValue) is not back: \"adhanctl timetable undo\" brings it back."
            )
        }
        let coming = (record.exceptions?.exceptions ?? []).filter { entry in
            CivilDate(entry.date).map { today <= $0 } ?? false
        }
        let failed = coming.map(ExceptionParameters.init).filter { exception in
            guard isRead, isRunning else { return true }
            return (try? set(exception)) == nil
        }
        let back = coming.count - failed.count
        if back > 0 {
            sentences.append("\(CountText.of(back, "time")) set by hand \(back == 1 ? "is" : "are") back.")
        }
        if !failed.isEmpty {
            sentences.append(
                "Not back is what was set by hand; type: "
                    + failed.map(ChangeRecord.command).joined(separator: "; ") + ".")
        }
        return sentences
    }
}

/// A person's decision, with the content of the timetable that it names.
struct CarriedDecision {
    var timetable: KeepOrRemove?
    var table: PublishedTimetable?
    /// Whether the table is added to the present ones instead of replacing them.
    var addsTable = false
    var exceptions: KeepOrRemove?
}

extension SetupTarget {
    /// Whether an adhand with this status reads this file.
    func isRead(by status: StatusDocument) -> Bool {
        status.reads(named) || status.configurationFile == path
    }

    /// Whether this is the file at a path.
    func isFile(_ other: String) -> Bool { named == other || path == other }

    /// Whether this is the file that adhand reads by default.
    var isUsual: Bool {
        if case .file(let usual) = Paths(Paths.Options(), in: .process).configuration {
            return Directories.areSame(usual, path)
        }
        return path == Paths.systemConfiguration || path == Paths.userConfiguration(.process)
    }
}
