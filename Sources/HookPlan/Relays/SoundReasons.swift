import PrayerEngine
import Protocol
import Texts

/// The reasons for an amplifier to be on: calls that are near, cued or playing. Each reason expires, because the news of its
/// end may be lost.
struct SoundReasons: Sendable, Equatable {
    /// The seconds for which a sound counts without confirmation from adhand.
    static let silenceSeconds = 150.0
    /// The seconds after its instant for which a call without any event counts as near.
    static let lateSeconds = 60.0
    /// The seconds after which nothing counts while adhand is unreachable: if it returns within 20 s it resumes its sound.
    static let awaySeconds = 30.0

    private struct Sound: Sendable, Equatable {
        let kind: OccasionDocument.Kind?
        var isSounding: Bool
        let since: Double
        var until: Double
    }

    private struct Near: Sendable, Equatable {
        let id: String
        let kind: OccasionDocument.Kind
        let at: Instant
    }

    private var sounds: [String: Sound] = [:]
    private var near: [Near] = []
    /// Calls that have ended, so that an older agenda does not restore them.
    private var over: [String] = []
    /// The time since when a call counts as near, for each lead, by the monotonic clock.
    private var nearSince: [String: Double] = [:]
    private static let mostOver = 50

    // MARK: Facts

    mutating func note(_ entry: LogEntry, at now: HookMoment) {
        guard let id = entry.id, let kind = Notice.Kind(rawValue: entry.event) else { return }
        switch kind {
        case .prayerCued:
            let wait = entry.scheduled.flatMap { InstantText.parse($0) }.map { $0 - now.clock } ?? 0
            // A cue comes 45 s before the call at most.
            add(id, isSounding: false, until: now.uptime + min(max(wait, 0), 60) + Self.lateSeconds, now)
        // An announcement with the sound "silent" is reached, and has no end.
        case .prayerStarted where entry.reason == Outcome.silent.rawValue,
            .reminderStarted where entry.reason == Outcome.silent.rawValue:
            end(id)
        case .prayerStarted, .reminderStarted, .testStarted:
            add(id, isSounding: true, until: now.uptime + Self.silenceSeconds, now)
        // Without a cause, a recording was replaced by the signal, and the call continues.
        case .prayerFailed where entry.cause == nil: break
        case .prayerFinished, .prayerInterrupted, .prayerFailed, .prayerMissed, .prayerMuted, .prayerSkipped,
            .prayerReleased, .testFinished:
            end(id)
        default: break
        }
    }

    private mutating func add(_ id: String, isSounding: Bool, until: Double, _ now: HookMoment) {
        over.removeAll { $0 == id }
        sounds[id] = Sound(kind: Self.kind(id), isSounding: isSounding, since: now.uptime, until: until)
    }

    private mutating func end(_ id: String) {
        sounds[id] = nil
        guard !over.contains(id) else { return }
        over.append(id)
        if over.count > Self.mostOver { over.removeFirst() }
    }

    /// Applies adhand's answer to the request made at `askedAt`.
    mutating func note(
        _ playback: StatusDocument.Playback, _ agenda: [OccasionDocument], askedAt: Double, at now: HookMoment
    ) {
        near = agenda.compactMap { occasion in
            // Muted, skipped, disabled and silent announcements are no reason; past ones have reasons of their own.
            guard occasion.enabled, occasion.outputs?.silencedBy == nil,
                occasion.state == Outcome.upcoming.rawValue,
                occasion.sounds.contains(where: { $0 != "silent" }), let at = InstantText.parse(occasion.at)
            else { return nil }
            return Near(id: occasion.id, kind: occasion.kind, at: at)
        }
        // A call that is planned again for later has not ended.
        over.removeAll { id in near.contains { $0.id == id && $0.at - now.clock > Self.lateSeconds } }
        if playback.state == .idle {
            sounds = sounds.filter { !$1.isSounding || $1.since >= askedAt }
        } else if let id = playback.id {
            if playback.state == .cued {
                if sounds[id] == nil {
                    add(id, isSounding: false, until: now.uptime + Self.silenceSeconds, now)
                }
            } else {
                add(id, isSounding: true, until: now.uptime + Self.silenceSeconds, now)
            }
        }
    }

    /// Drops all reasons, because adhand has been unreachable for too long.
    mutating func forget() { (sounds, near, nearSince) = ([:], [], [:]) }

    // MARK: Questions

    /// Whether something is playing that needs adhand's confirmation.
    var hasSound: Bool { sounds.values.contains { $0.isSounding } }

    /// Ends reasons that have lasted too long.
    mutating func expire(at now: HookMoment, leads: [Double]) {
        sounds = sounds.filter { $1.until > now.uptime }
        var held: [String: Double] = [:]
        for lead in Set(leads) {
            for call in near where Self.isNear(call, lead: lead, at: now) {
                held["\(lead) \(call.id)"] = nearSince["\(lead) \(call.id)"] ?? now.uptime
            }
        }
        nearSince = held
    }

    /// Whether there is a reason for a relay. Call it after ``expire(at:leads:)``.
    func isReason(for relay: RelaySettings, at now: HookMoment) -> Bool {
        if sounds.values.contains(where: { relay.accepts($0.kind) }) { return true }
        return near.contains { call in
            guard relay.accepts(call.kind), !over.contains(call.id),
                Self.isNear(call, lead: relay.leadSeconds, at: now),
                let since = nearSince["\(relay.leadSeconds) \(call.id)"]
            else { return false }
            // Use the monotonic clock, because the wall clock may be set meanwhile.
            return now.uptime - since < relay.leadSeconds + Self.lateSeconds
        }
    }

    /// The seconds until a reason begins or ends by itself.
    func waitSeconds(for relay: RelaySettings, at now: HookMoment) -> [Double] {
        var waits = sounds.values.map { $0.until - now.uptime }
        for call in near where relay.accepts(call.kind) {
            waits.append(call.at - relay.leadSeconds - now.clock)
            waits.append(call.at + Self.lateSeconds - now.clock)
            if let since = nearSince["\(relay.leadSeconds) \(call.id)"] {
                waits.append(since + relay.leadSeconds + Self.lateSeconds - now.uptime)
            }
        }
        return waits.filter { $0 > 0 }
    }

    private static func isNear(_ call: Near, lead: Double, at now: HookMoment) -> Bool {
        now.clock >= call.at - lead && now.clock < call.at + lateSeconds
    }

    private static func kind(_ text: String) -> OccasionDocument.Kind? {
        switch AnnouncementID(text)?.kind {
        case .adhan, .simulated: .adhan
        case .iqama: .iqama
        case .khutba: .khutba
        case .reminder, .iqamaReminder: .reminder
        case .wake: .wake
        case .imsak: .imsak
        case .takbirat: .takbirat
        case .call: .call
        case .test, nil: nil
        }
    }
}
