import BridgePlan
import PrayerEngine
import Protocol
import Texts

/// Makes every decision of adhan-hooks. Each input is handled in the same way: record it, then bring programs and relays in line.
package struct HookState: Sendable, Equatable {
    /// The seconds between two requests for the status: without events, and while something plays.
    static let (askSeconds, soundAskSeconds) = (3600.0, 60.0)
    /// The seconds to wait after an event, and after a request without an answer.
    static let (settleSeconds, retrySeconds) = (0.1, 5.0)
    /// The most seconds by which the clock may advance between two checks; instants within a larger jump were skipped, and do
    /// not count.
    static let leapSeconds = 120.0
    /// The longest wait in seconds, because the clock may be set without notice.
    static let longestWaitSeconds = 60.0

    private(set) var config = HookConfig()
    private(set) var relays: [RelayState] = []
    private var nextRelay = 1
    private var buttons = ButtonBoard()
    private var queue = HookQueue()
    private var reasons = SoundReasons()
    private var isFollowed = false
    private var isStopped = false
    private var lostAt: Double?
    private var askAt = Double.infinity
    private var askedAt: Double?

    // Events.
    private var mapper = EventMapper()
    /// The calls between their `preroll` and their end, with their instants.
    private var cued: [String: String] = [:]
    /// The instants and events whose hooks have run.
    private var seen: [String] = []
    private var agenda: [OccasionDocument] = []
    private var volumes: [String: Int] = [:]
    private var lookedAt: Instant?
    private var zone = Zone.utc

    package init() {}

    package mutating func handle(_ input: HookInput, at now: HookMoment) -> [HookEffect] {
        guard !isStopped else { return [] }
        var effects: [HookEffect] = []
        switch input {
        case .configured(let config): configure(config)
        case .followed:
            (isFollowed, lostAt, askedAt, askAt) = (true, nil, nil, now.uptime)
        case .lost:
            if isFollowed { (isFollowed, lostAt, askedAt) = (false, now.uptime, nil) }
        case .event(let entry):
            reasons.note(entry, at: now)
            if let document = document(entry) { effects += add(document) }
            askAt = min(askAt, now.uptime + Self.settleSeconds)
        case .answered(let status, let agenda): note(status, agenda, at: now)
        case .unanswered: (askedAt, askAt) = (nil, now.uptime + Self.retrySeconds)
        case .ended(let run): queue.end(run)
        case .switched(let number, let isOn, let failure):
            effects += noteSwitch(number, isOn, failure, at: now)
        case .button(let source, let isDown, let at):
            effects += buttons.note(source, isDown: isDown, at: min(at, now.uptime))
        case .buttonGone(let source): buttons.forget(source)
        // Earlier presses have been handled, so a late check does not make a press look long.
        case .woken: effects += buttons.advance(to: now.uptime)
        case .stopping: return stop()
        }
        effects += reachInstants(now)
        effects += queue.begin().map { .run($0) }
        return effects + reconcile(now)
    }

    // MARK: Relays

    private mutating func configure(_ config: HookConfig) {
        self.config = config
        queue.keep(config.hooks)
        buttons.use(config.buttons)
        for index in relays.indices {
            let same = config.held.first { $0.drive == relays[index].settings.drive }
            relays[index].isLeaving = same == nil
            if let same { relays[index].settings = same }
        }
        for settings in config.held where !relays.contains(where: { $0.settings.drive == settings.drive }) {
            relays.append(RelayState(number: nextRelay, settings))
            nextRelay += 1
        }
    }

    private mutating func noteSwitch(_ number: Int, _ isOn: Bool, _ failure: String?, at now: HookMoment)
        -> [HookEffect]
    {
        guard let index = relays.firstIndex(where: { $0.number == number }) else { return [] }
        relays[index].end(isOn: isOn, failed: failure != nil, at: now.uptime)
        let settings = relays[index].settings
        return failure.map {
            [.report(.relayFailed(name: settings.name, settings.drive, isOn: isOn, reason: $0))]
        } ?? []
    }

    private mutating func reconcile(_ now: HookMoment) -> [HookEffect] {
        var effects: [HookEffect] = []
        if let lostAt, now.uptime - lostAt >= SoundReasons.awaySeconds {
            reasons.forget()
            (self.lostAt, agenda) = (nil, [])
        }
        reasons.expire(at: now, leads: config.held.map(\.leadSeconds))
        effects += relays.filter(\.isGivenUp).map {
            .report(.relayGivenUp(name: $0.settings.name, $0.settings.drive))
        }
        effects += relays.filter(\.isGone).map { .release($0.settings.drive) }
        relays.removeAll(where: \.isGone)
        for index in relays.indices {
            let hasReason = reasons.isReason(for: relays[index].settings, at: now)
            let drive = relays[index].settings.drive
            let isBlocked =
                !relays[index].isLeaving
                && relays.contains { $0.isLeaving && $0.settings.drive.excludes(drive) }
            if let effect = relays[index].decide(
                hasReason: hasReason, isBlocked: isBlocked, at: now.uptime)
            {
                effects.append(effect)
            }
        }
        if isFollowed, askedAt == nil, now.uptime >= askAt {
            (askedAt, askAt) = (now.uptime, .infinity)
            effects.append(.ask)
        }
        return effects
    }

    /// Stops: starts no more programs, and switches everything off, even relays that are being switched.
    private mutating func stop() -> [HookEffect] {
        isStopped = true
        queue.forget()
        return relays.map {
            .switchRelay(number: $0.number, name: $0.settings.name, $0.settings.drive, isOn: false)
        }
    }

    // MARK: Events

    private mutating func note(
        _ status: StatusDocument, _ agenda: [OccasionDocument], at now: HookMoment
    ) {
        // Ignore an answer to a request from before the connection was lost.
        guard let asked = askedAt, isFollowed else { return }
        reasons.note(status.playback, agenda, askedAt: asked, at: now)
        self.agenda = agenda
        zone = BoxSnapshot(status: status, agenda: [], history: []).zone
        volumes = Dictionary(status.prayers.map { ($0.prayer, $0.volume) }, uniquingKeysWith: { a, _ in a })
        askedAt = nil
        let pause = reasons.hasSound ? Self.soundAskSeconds : Self.askSeconds
        askAt = min(askAt, now.uptime + pause)
    }

    private mutating func document(_ entry: LogEntry) -> HookDocument? {
        switch Notice.Kind(rawValue: entry.event) {
        case .muteChanged: return own(.muteChanged, entry)
        case .configReloaded: return own(.configApplied, entry)
        case .prayerCued:
            // A restarted adhand cues again the announcements that it had cued.
            if let id = entry.id, let due = entry.scheduled {
                guard cued[id] != due else { return nil }
                if cued.count > 20 { cued = [:] }
                cued[id] = due
            }
        case .prayerFailed where entry.cause == nil: break
        case .prayerFinished, .prayerInterrupted, .prayerFailed, .prayerMissed, .prayerMuted, .prayerSkipped,
            .prayerReleased:
            if let id = entry.id { cued[id] = nil }
        default: break
        }
        let event = mapper.event(entry, volume: entry.prayer.flatMap { volumes[$0] })
        return event.flatMap { HookDocument($0) }
    }

    private mutating func own(_ event: HookEvent, _ entry: LogEntry) -> HookDocument? {
        note("\(event.rawValue) \(entry.at)") ? HookDocument(event, at: entry.at) : nil
    }

    private mutating func add(_ document: HookDocument) -> [HookEffect] {
        config.hooks.filter { $0.accepts(document.event_type, prayer: document.prayer) }
            .compactMap { queue.add(document, for: $0).map { .report($0) } }
    }

    /// Handles the agenda's instants since the last check.
    private mutating func reachInstants(_ now: HookMoment) -> [HookEffect] {
        defer { lookedAt = now.clock }
        guard let last = lookedAt, now.clock > last, now.clock - last < Self.leapSeconds else { return [] }
        var effects: [HookEffect] = []
        for (hook, event, occasion, at) in instants where at > last && at <= now.clock {
            guard note("\(hook.name) \(event.rawValue) \(occasion.id)") else { continue }
            var document = HookDocument(
                event, at: InstantText.rfc3339(now.clock, in: zone, milliseconds: true),
                prayer: occasion.prayer)
            (document.id, document.due, document.volume) = (
                occasion.id, occasion.at, occasion.prayer.flatMap { volumes[$0] }
            )
            document.leadMs = InstantText.parse(occasion.at).map { (($0 - now.clock) * 1000).rounded() }
            effects += queue.add(document, for: hook).map { [.report($0)] } ?? []
        }
        return effects
    }

    private var instants: [(HookSettings, HookEvent, OccasionDocument, Instant)] {
        config.hooks.flatMap { hook in
            agenda.compactMap { occasion in
                guard let due = InstantText.parse(occasion.at) else { return nil }
                switch occasion.kind {
                case .adhan where occasion.enabled && hook.accepts(.upcoming, prayer: occasion.prayer):
                    return (hook, .upcoming, occasion, due - hook.leadSeconds)
                case .iqama where hook.accepts(.iqama, prayer: occasion.prayer):
                    return (hook, .iqama, occasion, due)
                default: return nil
                }
            }
        }
    }

    private mutating func note(_ word: String) -> Bool {
        guard !seen.contains(word) else { return false }
        seen.append(word)
        if seen.count > 200 { seen.removeFirst() }
        return true
    }

    // MARK: Waiting

    /// The seconds until something has to be done without an input.
    package func waitSeconds(at now: HookMoment) -> Double {
        var waits = [Self.longestWaitSeconds]
        if isFollowed, askedAt == nil { waits.append(askAt - now.uptime) }
        if let lostAt { waits.append(lostAt + SoundReasons.awaySeconds - now.uptime) }
        if let wait = buttons.waitSeconds(at: now.uptime) { waits.append(wait) }
        for relay in relays {
            if let wait = relay.waitSeconds(at: now.uptime) { waits.append(wait) }
            waits += reasons.waitSeconds(for: relay.settings, at: now)
        }
        waits += instants.map { $0.3 - now.clock }.filter { $0 > 0 }
        // Limit the rate, unnoticeably, so that a mistake here cannot cause a busy loop.
        return max(0.02, waits.min() ?? Self.longestWaitSeconds)
    }
}
