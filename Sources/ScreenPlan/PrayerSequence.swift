import PrayerEngine
import Protocol
import Texts

/// The scenes of one congregation in sequence: they never overlap, whatever the times are.
struct PrayerSequence: Sendable, Equatable {
    let congregation: Congregation
    private(set) var spans: [Span] = []
    /// The instant at which the prayer is over and its card may show tomorrow's.
    private(set) var over: Instant

    /// Seconds before the iqama: a dua that would leave less is omitted.
    static let leastSecondsBeforeIqama = 60.0

    init(
        _ congregation: Congregation, _ lengths: DisplaySettings.Scenes, _ facts: DisplayFacts, _ zone: Zone
    ) {
        self.congregation = congregation
        over = congregation.beginning
        let title = congregation.prayer.title
        func clock(_ instant: Instant) -> String { InstantText.minute(instant, in: zone) }

        // The event for which people come is announced first.
        let first = congregation.adhan ?? congregation.khutba
        if let first {
            let what = first.kind == .adhan ? "adhan" : "khutba"
            add(
                .approaching, first.at - lengths.approachingSeconds, first.at, target: first.at,
                "the \(what) of \(title) is at \(clock(first.at))")
            over = first.at
        }

        if let adhan = congregation.adhan {
            let call = Self.call(adhan, lengths, facts)
            add(
                .adhan, adhan.at, call.end, target: adhan.at, "\(call.reason) \(title) at \(clock(adhan.at))",
                isUnheard: call.isUnheard)
            over = call.end
        }

        // An iqama waits for its adhan to end, and so does a khutba.
        let khutba = congregation.khutba.map { max($0.at, over) }
        let iqama = congregation.iqama.map { max($0.at, over) }
        let gathering = [khutba, iqama].compactMap(\.self).min()
        if congregation.adhan != nil {
            let end = over + lengths.duaSeconds
            if gathering.map({ $0 - end >= Self.leastSecondsBeforeIqama }) ?? true {
                add(.dua, over, end, "the adhan of \(title) is over")
                over = max(over, end)
            }
        }

        if let khutba {
            let end = iqama.map { max($0, khutba) } ?? khutba + lengths.khutbaSeconds
            add(.khutba, khutba, end, target: congregation.khutba?.at, "the khutba began at \(clock(khutba))")
            over = max(over, end)
        } else if let iqama {
            let from = congregation.adhan == nil ? iqama - lengths.approachingSeconds : over
            add(.toIqama, from, iqama, target: iqama, "the iqama of \(title) is at \(clock(iqama))")
            over = iqama
        }

        let stood = iqama.map { max($0, over) }
        if let stood {
            add(.iqama, stood, stood + lengths.iqamaSeconds, target: stood, "the iqama of \(title) is now")
            over = stood + lengths.iqamaSeconds
        }
        pray(lengths, since: stood, title: title, clock: clock)
    }

    /// Adds the prayer itself, which people pray with or without an iqama.
    private mutating func pray(
        _ lengths: DisplaySettings.Scenes, since stood: Instant?, title: String, clock: (Instant) -> String
    ) {
        let began = stood ?? over
        let length = lengths.length(of: congregation.prayer)
        guard length > 0 else { return }
        // The length counts from the iqama, not from where overlaps were resolved.
        let end = max(over, began + length)
        if lengths.prayerStyle != .board {
            add(
                .prayer, over, end, target: stood, "\(title) is prayed since \(clock(began))",
                keepsBoard: !lengths.hidesBoard(isGathering: congregation.isGathering))
        }
        over = end
        add(.adhkar, over, over + lengths.adhkarSeconds, "\(title) has been prayed")
    }

    private mutating func add(
        _ kind: Scene.Kind, _ from: Instant, _ until: Instant, target: Instant? = nil, _ reason: String,
        isUnheard: Bool = false, keepsBoard: Bool = false
    ) {
        guard from < until else { return }
        spans.append(
            Span(
                from: from, until: until, kind: kind, prayer: congregation.prayer, slot: congregation.slot,
                target: target, reason: reason, isUnheard: isUnheard, keepsBoard: keepsBoard))
    }

    /// The end of the call, and the reason to show.
    private static func call(
        _ adhan: Occasion, _ lengths: DisplaySettings.Scenes, _ facts: DisplayFacts
    ) -> (end: Instant, reason: String, isUnheard: Bool) {
        let usual = adhan.at + (adhan.prayer.flatMap { facts.usualLengthSeconds[$0] } ?? lengths.adhanSeconds)
        guard let call = facts.calls[adhan.id] else { return (usual, "the adhan calls to", false) }
        switch call.outcome {
        case .playing: return (max(call.end ?? usual, adhan.at), "the adhan calls to", false)
        case .played, .partial, .interrupted:
            return (max(call.end ?? usual, adhan.at), "the adhan called to", false)
        case .failed, .missed: return (usual, "the sound failed; it is time for", true)
        case .muted, .disabled, .silent, .quiet, .skipped:
            return (usual, "without sound, it is time for", false)
        case .upcoming: return (usual, "the adhan calls to", false)
        }
    }
}

/// The hours in which a screen is only a dim clock.
enum NightScene {
    static func spans(
        _ schedule: Schedule, _ sequences: [PrayerSequence], _ lengths: DisplaySettings.Scenes
    ) -> [Span] {
        guard lengths.night else { return [] }
        let fajrs = sequences.filter { $0.congregation.prayer == .fajr }.map(\.congregation.beginning)
        return sequences.filter { $0.congregation.prayer == .isha }.compactMap { isha in
            let began = isha.congregation.beginning
            guard let fajr = fajrs.first(where: { began < $0 }) else { return nil }
            // Tarawih keeps people longer, and those who eat before fajr wake earlier.
            let tonight = schedule.occasions.filter { began < $0.at && $0.at < fajr }
            let last = ([began] + tonight.filter { $0.kind == .tarawih }.map(\.at)).max() ?? began
            let wakes = tonight.filter { [.wake, .imsak, .qiyam].contains($0.kind) }.map(\.at)
            let morning = ([fajr - lengths.nightBeforeFajrSeconds] + wakes).min() ?? fajr
            let evening = max(last + lengths.nightAfterIshaSeconds, isha.over)
            guard evening < morning else { return nil }
            let clock = InstantText.minute(morning, in: schedule.zone)
            return Span(
                from: evening, until: morning, kind: .night, target: morning,
                reason: "it is night until \(clock)")
        }
    }
}
