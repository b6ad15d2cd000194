package import PrayerEngine
import Protocol
import Texts

/// The open alerts: each problem has one begin and one end, and reminders while it lasts.
/// Facts and instants in, messages out. `uptime` is a monotonic clock, in seconds; the wall clock only dates messages.
package struct AlertBook: Sendable, Equatable {
    package let box: String
    package var name: String
    package var settings: AlertSettings

    /// The alerts whose begin was sent, by kind. Those about simulated prayers are separate.
    package private(set) var open: [Slot: OpenAlert] = [:]
    private var pending: [Slot: Pending] = [:]
    /// Adhans whose outcome is known, newest last.
    private(set) var seen: [String] = []
    /// When this box's bridge began its work: earlier outcomes are not news. `nil` until adhand has answered once.
    private(set) var startedAt: Instant?
    /// The first assessment by the monotonic clock, because the wall clock may have been wrong then.
    private var begunUptime: Double?
    /// The last adhan that was heard, as text for the sentence: `Fajr 05:28`.
    private(set) var lastHeard: String?

    /// The most recently assigned keys, newest last: a key must not be assigned twice after the clock is set back.
    private(set) var keys: [String] = []

    static let mostSeen = 300
    /// The most outcomes that are read from the history: fewer than are remembered, so no forgotten one becomes news again.
    package static let mostLookedAt = 200
    private static let mostKeys = 60

    package struct Slot: Hashable, Sendable {
        package let kind: AlertKind
        package let isTest: Bool
    }

    package struct OpenAlert: Sendable, Equatable {
        package let key: String
        package let since: Instant?
        package internal(set) var count: Int
        /// The time of its last message by the wall clock.
        package internal(set) var lastMessageAt: Instant
        /// The time of its last message by the monotonic clock.
        var lastMessageUptime: Double
        package internal(set) var text: String
        package internal(set) var id: String?
        package internal(set) var prayer: String?
        package internal(set) var reason: String?
    }

    private struct Pending: Equatable {
        let condition: AlertCondition
        let sinceUptime: Double
    }

    package init(box: String, name: String, settings: AlertSettings = AlertSettings()) {
        (self.box, self.name, self.settings) = (box, name, settings)
    }

    mutating func restore(
        _ open: [Slot: OpenAlert], seen: [String], keys: [String], startedAt: Instant?, _ lastHeard: String?
    ) {
        self.keys = keys.suffix(Self.mostKeys)
        (self.open, self.seen, self.startedAt, self.lastHeard) = (
            open, seen.suffix(Self.mostSeen), startedAt, lastHeard
        )
    }

    /// Restores open alerts from queued messages: a crash can come after the queue is saved and before the alerts are.
    /// - Returns: whether anything was restored, which has to be saved before a message leaves the queue.
    package mutating func restore(queued messages: [AlertMessage], at now: Instant, uptime: Double) -> Bool {
        let before = self
        for message in messages {
            let slot = Slot(kind: message.alert, isTest: message.test)
            switch message.phase {
            case .begin where !keys.contains(message.key):
                keys = (keys + [message.key]).suffix(Self.mostKeys)
                if let id = message.id, !seen.contains(id) { seen.append(id) }
                guard open[slot] == nil else { continue }
                open[slot] = OpenAlert(
                    key: message.key, since: message.since.flatMap { InstantText.parse($0) },
                    count: message.count, lastMessageAt: InstantText.parse(message.at) ?? now,
                    lastMessageUptime: uptime,
                    text: message.text, id: message.id, prayer: message.prayer, reason: message.reason)
            case .end where open[slot]?.key == message.key: open[slot] = nil
            default: break
            }
        }
        return self != before
    }

    /// Whether a problem is open, apart from trials.
    package var isWrong: Bool { open.keys.contains { !$0.isTest && $0.kind.severity == .problem } }

    // MARK: Looking

    /// Updates the alerts. The history is read before the status, so that the status contains what the history lacks.
    /// - Returns: the messages to send, in order.
    package mutating func update(_ facts: AlertFacts, at now: Instant, uptime: Double) -> [AlertMessage] {
        var messages: [AlertMessage] = []
        if startedAt == nil { begin(facts, now, uptime) }
        if facts.isAdhandKnown { learn(facts, &messages, now, uptime) }
        for kind in AlertKind.allCases {
            let condition = facts.conditions.first { $0.kind == kind && !$0.isTest }
            // While adhand is unknown, such an alert neither begins nor ends, unless the bridge itself reports it.
            guard !kind.isAdhands || facts.isAdhandKnown || condition != nil else { continue }
            settleState(Slot(kind: kind, isTest: false), condition, facts.zone, &messages, now, uptime)
        }
        remind(facts.zone, &messages, now, uptime)
        return messages
    }

    /// Seconds until an alert or a reminder is due without any event; `nil` if none is.
    package func waitSeconds(at uptime: Double) -> Double? {
        let begins = pending.map { $1.sinceUptime + settings.afterSeconds($0.kind) - uptime }
        let reminders =
            settings.repeatSeconds > 0
            ? open.filter { !$0.key.isTest }.map { $1.lastMessageUptime + settings.repeatSeconds - uptime }
            : []
        return (begins + reminders).min().map { max(0, $0) }
    }

    /// Records everything from before the first assessment as known, even if adhand did not answer then.
    private mutating func begin(_ facts: AlertFacts, _ now: Instant, _ uptime: Double) {
        let begun = begunUptime ?? uptime
        begunUptime = begun
        guard facts.isAdhandKnown else { return }
        let started = now - (uptime - begun)
        let old = facts.outcomes.filter { $0.at < started }
        startedAt = started
        seen = old.map(\.id).suffix(Self.mostSeen)
        note(heard: old, facts.zone)
    }

    /// Processes new outcomes in order: failures and successes since the last assessment.
    private mutating func learn(
        _ facts: AlertFacts, _ messages: inout [AlertMessage], _ now: Instant, _ uptime: Double
    ) {
        for outcome in facts.outcomes.suffix(Self.mostLookedAt) where !seen.contains(outcome.id) {
            seen.append(outcome.id)
            if seen.count > Self.mostSeen { seen.removeFirst(seen.count - Self.mostSeen) }
            let slots = [AlertKind.missed, .failed].map { Slot(kind: $0, isTest: outcome.isTest) }
            switch outcome.outcome {
            case .played, .partial:
                // An adhan that is heard also ends the alert of a failed trial.
                let trials = [AlertKind.missed, .failed].map { Slot(kind: $0, isTest: true) }
                for slot in outcome.isTest ? trials : slots + trials {
                    let extent = outcome.outcome == .partial ? ", but not everywhere" : ""
                    end(
                        slot, "\(Self.title(outcome, facts.zone)) was heard\(extent)", facts.zone, &messages,
                        now)
                }
                note(heard: [outcome], facts.zone)
            case .missed, .failed:
                let slot = slots[outcome.outcome == .missed ? 0 : 1]
                guard let known = open[slot] else {
                    // An alert with a waiting time begins once the status has reported its problem for long enough.
                    guard settings.afterSeconds(slot.kind) <= 0 || slot.isTest else { continue }
                    begin(slot, lost(outcome, facts.zone), facts.zone, &messages, now, uptime)
                    continue
                }
                // The status reported this adhan before the history did.
                if known.since.map({ abs($0 - outcome.at) < 1 }) ?? false {
                    open[slot]?.id = outcome.id
                    open[slot]?.prayer = outcome.prayer
                } else {
                    open[slot]?.count += 1
                }
            default: break
            }
        }
    }

    private mutating func note(heard outcomes: [AdhanOutcome], _ zone: Zone) {
        if let last = outcomes.last(where: { $0.outcome.isHeardSomewhere && !$0.isTest }) {
            lastHeard = Self.title(last, zone)
        }
    }

    private func lost(_ outcome: AdhanOutcome, _ zone: Zone) -> AlertCondition {
        let kind = outcome.outcome == .missed ? AlertKind.missed : .failed
        let what = kind == .missed ? "was not called" : "was not heard"
        let why = outcome.reason.map { ": \($0)" } ?? ""
        let last = lastHeard.map { " Last heard: \($0)." } ?? ""
        return AlertCondition(
            kind, since: outcome.at, text: "\(Self.title(outcome, zone)) \(what)\(why).\(last)",
            id: outcome.id,
            prayer: outcome.prayer, reason: outcome.reason, isTest: outcome.isTest)
    }

    /// The title of an outcome, such as `Dhuhr 12:03`.
    private static func title(_ outcome: AdhanOutcome, _ zone: Zone) -> String {
        let name = Prayer(rawValue: outcome.prayer)?.title ?? outcome.prayer
        return "\(name) \(InstantText.minute(outcome.at, in: zone))"
    }

    private mutating func settleState(
        _ slot: Slot, _ condition: AlertCondition?, _ zone: Zone, _ messages: inout [AlertMessage],
        _ now: Instant,
        _ uptime: Double
    ) {
        guard let condition else {
            pending[slot] = nil
            return end(slot, nil, zone, &messages, now)
        }
        if open[slot] != nil {
            open[slot]?.text = condition.text
            return
        }
        let waiting = pending[slot] ?? Pending(condition: condition, sinceUptime: uptime)
        guard uptime - waiting.sinceUptime >= settings.afterSeconds(slot.kind) else {
            pending[slot] = waiting
            return
        }
        pending[slot] = nil
        begin(slot, condition, zone, &messages, now, uptime)
    }

    // MARK: Telling

    private mutating func begin(
        _ slot: Slot, _ condition: AlertCondition, _ zone: Zone, _ messages: inout [AlertMessage],
        _ now: Instant,
        _ uptime: Double
    ) {
        let since = condition.since
        let key = newKey(slot, Int((since ?? now).unixSeconds))
        open[slot] = OpenAlert(
            key: key, since: since, count: 1, lastMessageAt: now, lastMessageUptime: uptime,
            text: condition.text,
            id: condition.id,
            prayer: condition.prayer, reason: condition.reason)
        messages.append(message(slot, .begin, zone, now))
    }

    private mutating func newKey(_ slot: Slot, _ seconds: Int) -> String {
        func key(_ seconds: Int) -> String { "\(slot.isTest ? "test-" : "")\(slot.kind.rawValue)-\(seconds)" }
        var free = seconds
        while keys.contains(key(free)) { free += 1 }
        keys = (keys + [key(free)]).suffix(Self.mostKeys)
        return key(free)
    }

    private mutating func end(
        _ slot: Slot, _ why: String?, _ zone: Zone, _ messages: inout [AlertMessage], _ now: Instant
    ) {
        guard open[slot] != nil else { return }
        var last = message(slot, .end, zone, now)
        if let why { last = last.withText(why + ".") } else { last = last.withText("Over: \(last.text)") }
        messages.append(last)
        open[slot] = nil
    }

    private mutating func remind(
        _ zone: Zone, _ messages: inout [AlertMessage], _ now: Instant, _ uptime: Double
    ) {
        guard settings.repeatSeconds > 0 else { return }
        for slot in open.keys.filter({ !$0.isTest }).sorted(by: { $0.kind.rawValue < $1.kind.rawValue }) {
            guard let alert = open[slot], uptime - alert.lastMessageUptime >= settings.repeatSeconds else {
                continue
            }
            open[slot]?.lastMessageAt = now
            open[slot]?.lastMessageUptime = uptime
            messages.append(message(slot, .reminder, zone, now))
        }
    }

    private func message(_ slot: Slot, _ phase: AlertMessage.Phase, _ zone: Zone, _ now: Instant)
        -> AlertMessage
    {
        let alert = open[slot]
        func text(_ instant: Instant) -> String { InstantText.rfc3339(instant, in: zone, milliseconds: true) }
        return AlertMessage(
            key: alert?.key ?? "", box: box, name: name, alert: slot.kind, phase: phase,
            since: alert?.since.map(text), at: text(now), id: alert?.id, prayer: alert?.prayer,
            reason: alert?.reason,
            count: alert?.count ?? 1, test: slot.isTest, text: PlainText.visible(alert?.text ?? ""))
    }
}

extension AlertMessage {
    fileprivate func withText(_ text: String) -> AlertMessage {
        AlertMessage(
            key: key, box: box, name: name, alert: alert, phase: phase, since: since, at: at, id: id,
            prayer: prayer,
            reason: reason, count: count, test: test, text: PlainText.visible(text))
    }

    /// The message of `adhan-bridge test`.
    package static func trial(box: String, name: String, at now: Instant, zone: Zone) -> AlertMessage {
        let at = InstantText.rfc3339(now, in: zone, milliseconds: true)
        return AlertMessage(
            key: "test-\(Int(now.unixSeconds))", box: box, name: name, alert: .daemon, phase: .begin,
            since: nil, at: at,
            test: true,
            text:
                "This is a test. Messages about the adhan of \"\(PlainText.visible(name))\" arrive here. Nothing is wrong."
        )
    }
}
