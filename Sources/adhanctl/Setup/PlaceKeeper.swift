import AdhanCore
import ArgumentParser
import ControlClient
import Host
import PrayerEngine

/// What becomes of a timetable and of times set by hand when the place changes, as a command line says it.
struct PlaceDecision {
    /// `nil`: nothing is said.
    var timetable: Keeping?
    /// Another one in its place.
    var file: String?
    var exceptions: Keeping?

    init() {}

    /// - Parameter timetable: `keep`, `remove` or a file; a file of such a name is written `./keep`.
    init(timetable: String?, exceptions: String?) throws(CommandError) {
        if let timetable {
            self.timetable = Keeping(rawValue: timetable)
            if self.timetable == nil { file = timetable }
        }
        guard let exceptions else { return }
        guard let keeping = Keeping(rawValue: exceptions) else {
            throw .usage("--exceptions must be keep or remove, not \"\(exceptions)\"")
        }
        self.exceptions = keeping
    }
}

/// The timetable and the times set by hand of the adhand that reads a configuration.
struct PlaceKeeper {
    private let daemon: ControlClient
    /// Where they lie.
    let place: StatePlace
    /// Whether the adhand of that place reads this file; one that reads another has another place.
    private let isRead: Bool
    private var isRunning: Bool { place.status != nil }

    init(of target: SetupTarget, _ daemon: ControlClient) {
        self.daemon = daemon
        place = StatePlace(daemon)
        guard let read = place.status?.configuration else {
            isRead = target.isUsual
            return
        }
        isRead =
            read == target.named || read == target.path
            || read.hasPrefix("embedded default") && read.contains(target.named)
    }

    func belongings() -> PlaceBelongings {
        guard isRead else { return PlaceBelongings() }
        let decided = DecidedReader(state: place, daemon: daemon).all()
        return PlaceBelongings(table: decided.table, exceptions: decided.exceptions)
    }

    /// Refused before anything is written: only adhand itself forgets what was set by hand.
    func check(_ exceptions: Keeping?, _ belongings: PlaceBelongings) throws(CommandError) {
        guard exceptions == .remove, !belongings.exceptions.isEmpty, !isRunning else { return }
        throw CommandError(
            .unreachable,
            "adhand does not run, and only it can remove what was set by hand; start it, or give --exceptions keep; "
                + "nothing was changed")
    }

    /// Carries out what was decided, after the place was written and before adhand reads it. Returns sentences about it.
    func carryOut(
        timetable: Keeping?, replacedBy table: PublishedTable?, exceptions: Keeping?,
        _ belongings: PlaceBelongings, at site: Site
    ) throws(CommandError) -> [String] {
        guard isRead else { return [] }
        var said: [String] = []
        if let table {
            try TimetableStore.open(in: place).change {
                $0 = PublishedTable()
                $0.merge(table)
            }
            said.append("The timetable of before is replaced; \"adhanctl timetable undo\" brings it back.")
        } else if timetable == .remove, !belongings.table.isEmpty {
            _ = try TimetableStore.open(in: place).clear()
            said.append("The timetable is removed; \"adhanctl timetable undo\" brings it back.")
        } else if timetable == .keep, !belongings.table.isEmpty {
            try TimetableStore.open(in: place).change { $0.adopt(.init(site)) }
            said.append("The timetable stays in force here.")
        }
        guard exceptions == .remove else { return said }
        for exception in belongings.exceptions.all {
            _ = try daemon.ask(
                "RemoveException",
                ExceptionNameParameters(
                    date: exception.date.description, prayer: exception.prayer.rawValue),
                for: SaidReply.self)
        }
        if !belongings.exceptions.isEmpty { said.append("What was set by hand is removed.") }
        return said
    }
}

extension SetupTarget {
    /// Whether it is the file that adhand reads by itself.
    var isUsual: Bool {
        if case .file(let usual) = Paths(Paths.Options(), in: .process).configuration {
            return Directories.areSame(usual, path)
        }
        return path == Paths.systemConfiguration || path == Paths.userConfiguration(.process)
    }
}
