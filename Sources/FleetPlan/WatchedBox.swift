package import Envelope
package import PrayerEngine
package import Texts

/// One instant by two clocks: the wall clock, by which adhans are due, and the monotonic clock in seconds.
package struct Timestamp: Sendable, Equatable {
    package var wall: Instant
    package var uptime: Double

    package init(wall: Instant, uptime: Double) { (self.wall, self.uptime) = (wall, uptime) }
}

/// One box according to its reports.
package struct WatchedBox: Sendable {
    /// An adhan in its plan.
    struct Entry: Sendable, Equatable {
        enum Fate: Sendable, Equatable {
            /// The box has not reported on it yet.
            case waiting
            case playing
            /// The box has reported an outcome of any kind.
            case answered
            /// The box was online and did not report it.
            case silent
            /// The box was away, which was already reported.
            case covered
        }

        let id: String
        let prayer: Prayer
        let due: Instant
        var fate = Fate.waiting
        var isCounted = false
    }

    struct OpenProblem: Sendable, Equatable {
        var problem: ReceivedReport.Problem
        /// The beginning by the monotonic clock.
        var since: Double
    }

    let name: String
    /// Its last report about itself; `nil` before the first.
    package internal(set) var status: ReceivedReport.Status?
    /// The last sign of life within this connection with the broker, by the monotonic clock.
    var lastSign: Double?
    /// The last sign of life by the wall clock, or a claim of the box in a retained report.
    package internal(set) var lastSeen: Instant?
    /// The time since which it has been online without a break.
    var onlineSince: Double?
    /// The time at which it went away, if that was observed.
    var goneAt: Double?
    /// The time at which its silence was detected.
    var silentAt: Double?
    /// The time at which it was found dead, if its loss was not observed.
    var foundDeadAt: Double?
    /// Whether it was online when the connection with the broker was lost.
    var wasThere = false

    var entries: [Entry] = []
    /// The end of the newest plan; `nil` before the first.
    var until: Instant?
    /// The newest report of each prayer.
    package internal(set) var latest: [Prayer: ReceivedReport.Adhan] = [:]
    /// The instant of the newest adhan that was heard.
    package internal(set) var lastHeard: Instant?
    var problems: [OpenProblem] = []
    package internal(set) var applied: [FleetKind: ReceivedReport.Applied] = [:]

    /// The numbers that are in force or on trial. A refused change is neither.
    package var numbers: [FleetKind: Int] {
        applied.filter { $0.value.state != .refused }.mapValues(\.seq)
    }

    var hardware: (value: String, at: Double)?
    var clonedUntil: Double?
    /// The span in which it was away and that was already reported: adhans that it missed then are not news.
    var covered: (from: Instant, to: Instant?)?
    /// Adhans that it missed in an earlier span of this kind.
    var excused: [String] = []

    package internal(set) var expected = 0
    package internal(set) var heard = 0

    /// The number of reports in the current minute, so that a flood from one box does not affect others.
    var flood = (minute: 0, count: 0)

    init(_ name: String) { self.name = name }

    // MARK: Limits

    static let mostReportsAMinute = 600
    /// The most adhans without an outcome that are carried over to a new plan.
    static let mostCarried = 16
    /// Reports of adhans older than this are ignored.
    static let oldestOutcomeSeconds = 7 * 86_400.0

    /// - Returns: whether the box may send one more report within this minute.
    mutating func admits(at uptime: Double) -> Bool {
        let minute = Int(uptime / 60)
        if flood.minute != minute { flood = (minute, 0) }
        flood.count += 1
        return flood.count <= Self.mostReportsAMinute
    }

    // MARK: Reports

    mutating func receive(_ report: ReceivedReport, isRetained: Bool, from start: Instant, at now: Timestamp)
    {
        var isSign = !isRetained
        switch report {
        case .status(let status):
            // The broker sends the will once it finds the box's line dead.
            if !isRetained, !status.isOnline, self.status?.isOnline == true { wasThere = true }
            apply(status, at: now)
            // A will comes from the broker, and a farewell is no sign of life.
            if !status.isOnline { isSign = false }
            if isRetained { claim(status.at, now) }
        case .plan(let plan):
            apply(plan)
            if isRetained { claim(plan.made, now) }
        case .adhan(let adhan):
            apply(adhan, from: start, now)
            if isRetained { claim(adhan.at, now) }
        case .backlog(let adhans): for adhan in adhans { apply(adhan, from: start, now) }
        case .problems(let open): apply(open, at: now)
        case .applied(let report): applied[report.kind] = report
        case .beat: break
        case .cleared(let topic):
            isSign = false
            clear(topic)
        }
        guard isSign else { return }
        (lastSign, lastSeen) = (now.uptime, now.wall)
    }

    /// Uses the instant of a retained report as a claim that the box was online then. An instant in the future is ignored.
    private mutating func claim(_ at: Instant?, _ now: Timestamp) {
        guard let at, at <= now.wall, lastSign == nil else { return }
        lastSeen = max(lastSeen ?? at, at)
    }

    private mutating func apply(_ new: ReceivedReport.Status, at now: Timestamp) {
        if let value = new.hardware, new.isOnline {
            if let hardware, hardware.value != value,
                now.uptime - hardware.at < FleetWatch.cloneMemorySeconds
            {
                clonedUntil = now.uptime + FleetWatch.cloneMemorySeconds
            }
            hardware = (value, now.uptime)
        }
        status = new
    }

    /// Replaces the plan. Adhans that were due when the new plan was made are not in it, and are carried over until they have
    /// an outcome.
    private mutating func apply(_ plan: ReceivedReport.Plan) {
        let known = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let news = Set(plan.entries.map(\.id))
        let carried = entries.filter { $0.due <= plan.made && !news.contains($0.id) && !$0.isOver }
        entries =
            carried.suffix(Self.mostCarried)
            + plan.entries.map { entry in
                var new = Entry(id: entry.id, prayer: entry.prayer, due: entry.due)
                // An adhan that was moved to another instant counts as another one.
                if let old = known[entry.id], abs(old.due - entry.due) < 60 {
                    (new.fate, new.isCounted) = (old.fate, old.isCounted)
                } else if let report = latest[entry.prayer], report.id == entry.id {
                    new.fate = report.state == .playing ? .playing : .answered
                }
                return new
            }
        until = plan.until
    }

    private mutating func apply(_ adhan: ReceivedReport.Adhan, from start: Instant, _ now: Timestamp) {
        guard now.wall - adhan.due < Self.oldestOutcomeSeconds, adhan.due - now.wall < 120 else { return }
        if let index = entries.firstIndex(where: { $0.id == adhan.id }) {
            let isEnd = adhan.state != .playing
            // The adhan failed at first, but was heard in the end.
            if adhan.isHeard, entries[index].fate == .silent, entries[index].isCounted { heard += 1 }
            if isEnd || entries[index].fate != .answered {
                entries[index].fate = isEnd ? .answered : .playing
            }
            if isEnd, !entries[index].isCounted, !adhan.isWanted, entries[index].due >= start {
                expected += 1
                heard += adhan.isHeard ? 1 : 0
            }
            if isEnd { entries[index].isCounted = true }
        }
        if adhan.isHeard { lastHeard = max(lastHeard ?? adhan.due, adhan.due) }
        let known = latest[adhan.prayer]
        if known.map({ $0.due < adhan.due || $0.id == adhan.id && !($0.isHeard && adhan.state == .playing) })
            ?? true
        {
            latest[adhan.prayer] = adhan
        }
    }

    private mutating func apply(_ open: [ReceivedReport.Problem], at now: Timestamp) {
        if open.contains(where: { $0.alert == "clone" }) {
            clonedUntil = max(clonedUntil ?? 0, now.uptime + FleetWatch.cloneWordSeconds)
        }
        problems = open.map { problem in
            if let known = problems.first(where: { $0.problem.alert == problem.alert }) {
                return OpenProblem(problem: problem, since: known.since)
            }
            // The beginning is the one that the box reports, so that a restart of the watcher does not reset it.
            let age = problem.since.map { max(0, now.wall - $0) } ?? 0
            return OpenProblem(problem: problem, since: now.uptime - age)
        }
    }

    private mutating func clear(_ topic: ReportTopic) {
        switch topic {
        case .status: status = nil
        case .plan: (entries, until) = ([], nil)
        case .adhan(let prayer): latest[prayer] = nil
        case .problems: problems = []
        case .applied(let kind): applied[kind] = nil
        case .backlog, .beat: break
        }
    }

    /// Whether the broker retains no message of it any more.
    var isGoneForGood: Bool { status == nil && until == nil && latest.isEmpty }
}

extension WatchedBox.Entry {
    /// Whether its outcome is final.
    var isOver: Bool { fate == .answered || fate == .covered }
}
