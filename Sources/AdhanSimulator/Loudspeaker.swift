import Announcements
import Daemon
import PrayerEngine
import Protocol

/// One output from the daemon's point of view: orders that start by themselves, delayed reports, and one fault
/// for each order.
struct Loudspeaker {
    struct Order {
        let token: Int
        let id: AnnouncementID
        let order: OutputOrder
        let heardAt: Double?
        let patience: Double
        let fault: OutputScenario.Fault?
        /// Seconds of the whole sound.
        let whole: Double
        /// Seconds until its device is open; infinite if it never opens.
        var opensAt: Double
        var askedAt: Double?
        /// The instant at which another output began the sound, if one did.
        var clock: Double?
        /// The start of its device, the beginning of its sound, and the position in the sound at which it began.
        var startedAt: Double?
        var heardFrom = 0.0
        var position = 0.0
        var words: [(at: Double, event: Word)] = []
        var isDone = false

        /// The start of its device; for a resumed order, the start according to its clock.
        var reportedStart: Double? {
            startedAt.map { order.positionSeconds > 0 ? $0 - (position - order.positionSeconds) : $0 }
        }
    }

    enum Word {
        case cued, began, lost, found
        case ended(JobResult.End, seconds: Double)
    }

    let name: String
    private(set) var orders: [Order] = []

    init(name: String) { self.name = name }

    /// Whether nothing is prepared or sounds, as far as it answers.
    var isFree: Bool { orders.allSatisfy { $0.isDone } }

    mutating func cue(
        _ order: OutputOrder, of job: JobOrder, _ id: AnnouncementID, fault: OutputScenario.Fault?,
        whole: Double, at now: Double
    ) {
        var new = Order(
            token: job.token, id: id, order: order, heardAt: job.heardAt?.unixSeconds,
            patience: job.patienceSeconds, fault: fault, whole: min(whole, order.limitSeconds ?? whole),
            opensAt: now + 0.05)
        let isGoingOn = order.positionSeconds > 0
        switch fault {
        case .failsAtCue: new.words = [(now + 0.05, .ended(.failed(reason: "no such device"), seconds: 0))]
        case .hangs: new.opensAt = .infinity
        // Nothing waits for the beginning of a resumed order: its device may come much later.
        case .opensLate:
            new.opensAt = max(now, (new.heardAt ?? now)) + (isGoingOn && job.token.isMultiple(of: 2) ? 30 : 4)
        default: new.words = [(now + 0.05, .cued)]
        }
        if case .failsAtCue = fault { new.opensAt = .infinity }
        if case .opensLate = fault { new.words = [(new.opensAt, .cued)] }
        orders.append(new)
    }

    mutating func ask(_ token: Int, at now: Double) {
        guard let index = orders.firstIndex(where: { $0.token == token }) else { return }
        orders[index].askedAt = orders[index].askedAt ?? now
    }

    mutating func setClock(_ token: Int, _ beganAt: Double) {
        guard let index = orders.firstIndex(where: { $0.token == token }) else { return }
        orders[index].clock = beganAt
    }

    mutating func stop(_ token: Int, within limit: Double, at now: Double) {
        guard let index = orders.firstIndex(where: { $0.token == token }), !orders[index].isDone else {
            return
        }
        let order = orders[index]
        // A device that hangs accepts no command.
        if order.fault == .hangs || order.fault == .hangsMidway && order.startedAt != nil {
            orders[index].isDone = true
            return
        }
        guard let startedAt = order.startedAt else {
            orders[index].words = [(now, .ended(.stopped, seconds: 0))]
            orders[index].opensAt = .infinity
            return
        }
        let heard = max(0, now - startedAt - order.order.prerollSeconds)
        // The end is no later than that of the sound, or of a fade in progress.
        let end = min(now + min(limit, order.order.fadeOutSeconds), order.words.last?.at ?? .infinity)
        orders[index].words = [(end, .ended(.stopped, seconds: heard))]
    }

    /// The sound that an output had begun when it hung.
    func hung(_ token: Int) -> AnnouncementID? {
        orders.first { $0.token == token && $0.fault == .hangsMidway && $0.startedAt != nil && !$0.isDone }?
            .id
    }

    /// Whether something has begun here and will report its end, unless its successor hangs.
    func goesOn(_ id: AnnouncementID) -> Bool {
        orders.contains { $0.id == id && $0.fault != .hangsMidway && $0.startedAt != nil && !$0.isDone }
            && !orders.contains { $0.id != id && $0.fault == .hangs }
    }

    mutating func die() { orders = [] }

    /// Adjusts the times, because this world uses the wall clock, and devices do not.
    mutating func clockWasSet(by seconds: Double) {
        for index in orders.indices {
            orders[index].opensAt += seconds
            orders[index].askedAt = orders[index].askedAt.map { $0 + seconds }
            orders[index].heardFrom += seconds
            orders[index].startedAt = orders[index].startedAt.map { $0 + seconds }
            orders[index].clock = orders[index].clock.map { $0 + seconds }
            for word in orders[index].words.indices { orders[index].words[word].at += seconds }
        }
    }

    /// Stops the devices while the machine sleeps.
    mutating func slept(for seconds: Double, until now: Double) {
        for index in orders.indices {
            if orders[index].opensAt > now - seconds { orders[index].opensAt += seconds }
            orders[index].startedAt = orders[index].startedAt.map { $0 + seconds }
            for word in orders[index].words.indices { orders[index].words[word].at += seconds }
        }
    }

    /// The time at which an order starts its device.
    private func start(of order: Order, now: Double) -> Double? {
        guard order.startedAt == nil, order.opensAt < .infinity, !order.isDone else { return nil }
        // Once another output plays the sound, the time of that one counts, by a clock that cannot be set.
        if let clock = order.clock {
            let own = clock + order.order.positionSeconds - order.order.leadSeconds
            return max(own, order.opensAt, now)
        }
        if let heardAt = order.heardAt, order.askedAt == nil {
            let own = max(heardAt - order.order.leadSeconds, order.opensAt)
            // After that time the daemon decides.
            if own <= heardAt - order.order.leadSeconds + 0.5, now <= own + 0.5 { return max(own, now) }
        }
        return order.askedAt != nil || order.clock != nil ? max(order.opensAt, now) : nil
    }

    func nextEvent(after now: Double) -> Double {
        orders.reduce(.infinity) { next, order in
            min(next, order.words.first?.at ?? .infinity, start(of: order, now: now) ?? .infinity)
        }
    }

    /// The order whose device starts now, if there is one.
    mutating func startDue(at now: Double) -> Order? {
        guard
            let index = orders.firstIndex(where: { order in
                start(of: order, now: now).map { $0 <= now } ?? false
            })
        else { return nil }
        for other in orders.indices
        where other != index && orders[other].startedAt != nil && !orders[other].isDone {
            let heard = max(0, now - (orders[other].startedAt ?? now))
            if orders[other].fault != .hangsMidway {
                orders[other].words = [(now + 0.03, .ended(.stopped, seconds: heard))]
            }
        }
        let lead = orders[index].order.leadSeconds
        orders[index].startedAt = now
        orders[index].heardFrom = now + lead
        orders[index].position = orders[index].order.positionSeconds
        if let clock = orders[index].clock, now + lead - clock - orders[index].position > 0.25 {
            orders[index].position = now + lead - clock
        } else if orders[index].position > 0, let asked = orders[index].askedAt, now - asked > 1 {
            orders[index].position += now - asked
        }
        let order = orders[index]
        let left = order.whole - order.position
        guard left > 0.05 else {
            orders[index].words = [(now, .ended(.failed(reason: "the sound is over"), seconds: 0))]
            return nil
        }
        let (began, end) = ((at: now + 0.002, event: Word.began), now + order.order.prerollSeconds + left)
        let words: [(at: Double, event: Word)] =
            switch order.fault {
            case .failsMidway:
                [began, (now + left / 2, .ended(.failed(reason: "it broke"), seconds: left / 2))]
            case .hangsMidway: [began]
            case .answersLate: [began, (end + 6, .ended(.completed, seconds: left))]
            case .lostAndFound:
                [
                    began, (now + left / 2, .lost), (now + left / 2 + 0.02, .found),
                    (end, .ended(.completed, seconds: left)),
                ]
            case .failsAtCue, .hangs, .opensLate, nil: [began, (end, .ended(.completed, seconds: left))]
            }
        // A report that is under way comes first.
        orders[index].words += words
        return orders[index]
    }

    /// A report that is due now, with its order.
    mutating func word(at now: Double) -> (order: Order, word: Word)? {
        guard let index = orders.firstIndex(where: { ($0.words.first?.at ?? .infinity) <= now }) else {
            return nil
        }
        let word = orders[index].words.removeFirst().event
        if case .ended = word { orders[index].isDone = true }
        let order = orders[index]
        if case .ended = word { orders.remove(at: index) }
        return (order, word)
    }
}
