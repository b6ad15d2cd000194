package import Envelope
package import PrayerEngine
package import Texts

/// A moment by two clocks: the one that says when an adhan is due, and the one that nobody sets, in seconds.
package struct Moment: Sendable, Equatable {
    package var wall: Instant
    package var uptime: Double

    package init(wall: Instant, uptime: Double) { (self.wall, self.uptime) = (wall, uptime) }
}

/// One box as its reports have it.
package struct WatchedBox: Sendable {
    /// An adhan of its plan.
    struct Entry: Sendable, Equatable {
        enum Fate: Sendable, Equatable {
            /// It has reported nothing yet.
            case waiting
            case playing
            /// It has an outcome, whatever that is.
            case answered
            /// The box was online, and nothing came.
            case silent
            /// The box was away, and somebody knows it.
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
        /// By the clock that nobody sets.
        var since: Double
    }

    let name: String
    /// Its last report about itself; `nil` before.
    package internal(set) var status: ReceivedReport.Status?
    /// The last sign of life of this connection with the broker, by the clock that nobody sets.
    var lastSign: Double?
    /// The same by the clock on the wall, or a claim of the box in a retained report.
    package internal(set) var lastSeen: Instant?
    /// Since when it is online without a break.
    var onlineSince: Double?
    /// When it went away, as far as that was watched.
    var goneAt: Double?
    /// When its silence was found.
    var silentAt: Double?
    /// When it was found dead, of one that nobody saw go.
    var foundDeadAt: Double?
    /// Whether it was there when the connection with the broker was lost.
    var wasThere = false

    var entries: [Entry] = []
    /// The end of the plan that came last; `nil` before there is one.
    var until: Instant?
    /// The newest report of each prayer.
    package internal(set) var latest: [Prayer: ReceivedReport.Adhan] = [:]
    /// The instant of the newest adhan that was heard.
    package internal(set) var lastHeard: Instant?
    var problems: [OpenProblem] = []
    package internal(set) var applied: [FleetKind: ReceivedReport.Applied] = [:]

    /// The numbers that it has in force, or tries. It does not have a change that it refused.
    package var numbers: [FleetKind: Int] {
        applied.filter { $0.value.state != .refused }.mapValues(\.seq)
    }

    var hardware: (value: String, at: Double)?
    var clonedUntil: Double?
    /// While it was away and somebody knew it: what it missed then is no news.
    var covered: (from: Instant, to: Instant?)?
    /// Adhans that it missed in an earlier such time.
    var excused: [String] = []

    package internal(set) var expected = 0
    package internal(set) var heard = 0

    /// Reports of the present minute, so that a flood of one box costs the others nothing.
    var flood = (minute: 0, count: 0)

    init(_ name: String) { self.name = name }

    // MARK: Limits

    static let mostReportsAMinute = 600
    /// Adhans that a plan no longer has, and that are not settled.
    static let mostCarried = 16
    /// Reports of adhans that are older count for nothing.
    static let oldestOutcomeSeconds = 7 * 86_400.0

    /// - Returns: whether the box has room for one more report within this minute.
    mutating func admits(at uptime: Double) -> Bool {
        let minute = Int(uptime / 60)
        if flood.minute != minute { flood = (minute, 0) }
        flood.count += 1
        return flood.count <= Self.mostReportsAMinute
    }

    // MARK: Reports

    mutating func take(_ report: ReceivedReport, isRetained: Bool, from start: Instant, at now: Moment) {
        var isSign = !isRetained
        switch report {
        case .status(let status):
            // The broker's word that its line is dead.
            if !isRetained, !status.isOnline, self.status?.isOnline == true { wasThere = true }
            take(status, at: now)
            // A will is the broker's word, and a goodbye is no sign of life.
            if !status.isOnline { isSign = false }
            if isRetained { claim(status.at, now) }
        case .plan(let plan):
            take(plan)
            if isRetained { claim(plan.made, now) }
        case .adhan(let adhan):
            take(adhan, from: start, now)
            if isRetained { claim(adhan.at, now) }
        case .backlog(let adhans): for adhan in adhans { take(adhan, from: start, now) }
        case .problems(let open): take(open, at: now)
        case .applied(let report): applied[report.kind] = report
        case .beat: break
        case .cleared(let topic):
            isSign = false
            clear(topic)
        }
        guard isSign else { return }
        (lastSign, lastSeen) = (now.uptime, now.wall)
    }

    /// A retained report says that the box was there when it made it. It cannot have been later than now.
    private mutating func claim(_ at: Instant?, _ now: Moment) {
        guard let at, at <= now.wall, lastSign == nil else { return }
        lastSeen = max(lastSeen ?? at, at)
    }

    private mutating func take(_ new: ReceivedReport.Status, at now: Moment) {
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

    /// A new plan takes the place of the old one. What was due when it was made is not in it, and is still to be settled.
    private mutating func take(_ plan: ReceivedReport.Plan) {
        let known = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let news = Set(plan.entries.map(\.id))
        let carried = entries.filter { $0.due <= plan.made && !news.contains($0.id) && !$0.isOver }
        entries =
            carried.suffix(Self.mostCarried)
            + plan.entries.map { entry in
                var new = Entry(id: entry.id, prayer: entry.prayer, due: entry.due)
                // Moved to another instant, it is another adhan.
                if let old = known[entry.id], abs(old.due - entry.due) < 60 {
                    (new.fate, new.isCounted) = (old.fate, old.isCounted)
                } else if let report = latest[entry.prayer], report.id == entry.id {
                    new.fate = report.state == .playing ? .playing : .answered
                }
                return new
            }
        until = plan.until
    }

    private mutating func take(_ adhan: ReceivedReport.Adhan, from start: Instant, _ now: Moment) {
        guard now.wall - adhan.due < Self.oldestOutcomeSeconds, adhan.due - now.wall < 120 else { return }
        if let index = entries.firstIndex(where: { $0.id == adhan.id }) {
            let isEnd = adhan.state != .playing
            // It was called in vain at first, and was heard in the end.
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

    private mutating func take(_ open: [ReceivedReport.Problem], at now: Moment) {
        if open.contains(where: { $0.alert == "clone" }) {
            clonedUntil = max(clonedUntil ?? 0, now.uptime + FleetWatch.cloneWordSeconds)
        }
        problems = open.map { problem in
            if let known = problems.first(where: { $0.problem.alert == problem.alert }) {
                return OpenProblem(problem: problem, since: known.since)
            }
            // As the box says, so that a restart of the watcher does not begin to count again.
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

    /// Whether nothing is left of it at the broker.
    var isGoneForGood: Bool { status == nil && until == nil && latest.isEmpty }
}

extension WatchedBox.Entry {
    /// Whether nothing more is to be found out about it.
    var isOver: Bool { fate == .answered || fate == .covered }
}
