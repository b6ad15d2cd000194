import PrayerEngine
import Settings
import Texts

@testable import HookPlan
@testable import Protocol

/// A day of one call after another, and adhand's words for it.
struct HookWorld {
    static let start = Instant(unixSeconds: 1_795_516_800)

    var uptime = 1000.0
    /// How far the clock is set from where it began.
    var stepped = 0.0
    var state = HookState()
    var effects: [HookEffect] = []
    /// Programs that were begun.
    var runs: [HookRun] = []
    /// The real state of relays, by drive.
    var isOn: [RelayDrive: Bool] = [:]
    var pending: [(number: Int, drive: RelayDrive, isOn: Bool)] = []
    var asks = 0
    var presses: [ButtonAction] = []
    /// Drives that were given back.
    var released: [RelayDrive] = []

    var now: HookMoment { .init(uptime: uptime, clock: Self.start + (uptime - 1000 + stepped)) }

    static func relay(
        _ name: String = "a", lead: Double = 10, linger: Double = 60, kinds: [OccasionDocument.Kind] = []
    ) -> RelaySettings {
        var relay = RelaySettings()
        (relay.name, relay.on, relay.off) = (name, ["/on", name], ["/off", name])
        (relay.leadSeconds, relay.lingerSeconds, relay.kinds) = (lead, linger, kinds)
        return relay
    }

    static func line(_ name: String = "a", _ line: Int = 17, isActiveLow: Bool = false, linger: Double = 60)
        -> RelaySettings
    {
        var relay = RelaySettings()
        (relay.name, relay.chip, relay.line, relay.isActiveLow) = (name, "/dev/gpiochip0", line, isActiveLow)
        relay.lingerSeconds = linger
        return relay
    }

    static func hook(_ name: String, _ on: [HookEvent], lead: Double = 600) -> HookSettings {
        var hook = HookSettings()
        (hook.name, hook.on, hook.command, hook.leadSeconds) = (name, on, ["/bin/\(name)"], lead)
        return hook
    }

    static func config(_ hooks: [HookSettings] = [], _ relays: [RelaySettings] = []) -> HookConfig {
        var config = HookConfig()
        (config.hooks, config.relays) = (hooks, relays)
        return config
    }

    /// - Parameter isAnswered: whether commands of relays end at once.
    mutating func handle(_ input: HookInput, isAnswered: Bool = true) {
        let new = state.handle(input, at: now)
        effects += new
        for effect in new {
            switch effect {
            case .run(let run): runs.append(run)
            case .switchRelay(let number, _, let drive, let isOn): pending.append((number, drive, isOn))
            case .ask: asks += 1
            case .press(_, let action): presses.append(action)
            case .release(let drive): released.append(drive)
            case .report: break
            }
        }
        if isAnswered { endCommands() }
    }

    mutating func endCommands(failing: Bool = false) {
        while let next = pending.first {
            pending.removeFirst()
            if !failing { isOn[next.drive] = next.isOn }
            handle(
                .switched(relay: next.number, isOn: next.isOn, failure: failing ? "no" : nil),
                isAnswered: false)
            if failing { return }
        }
    }

    /// Lets time pass as the program does: no look is later than it was asked for.
    mutating func pass(_ seconds: Double) {
        let end = uptime + seconds
        while uptime < end {
            uptime = min(end, uptime + state.waitSeconds(at: now))
            handle(.woken)
        }
    }

    /// Answers the question.
    mutating func answer(
        _ agenda: [OccasionDocument], _ playback: StatusDocument.Playback = .init(state: .idle)
    ) {
        handle(.answered(Self.status(playback, at: now.clock), agenda))
    }

    static func text(_ instant: Instant) -> String {
        InstantText.rfc3339(instant, in: .utc, milliseconds: true)
    }

    static func occasion(
        _ id: String, _ kind: OccasionDocument.Kind = .adhan, in seconds: Double, state: String = "upcoming",
        enabled: Bool = true, sounds: [String] = ["standard"]
    ) -> OccasionDocument {
        OccasionDocument(
            id: id, kind: kind, prayer: "asr", slot: 1, at: text(start + seconds), source: .computed,
            sounds: sounds, enabled: enabled, state: state)
    }

    func entry(
        _ kind: Notice.Kind, _ id: String? = "asr_20261124", due: Double? = nil, cause: EndCause? = nil,
        reason: String? = nil
    ) -> LogEntry {
        var fields = Notice.Fields()
        fields.id = id
        fields.prayer = id == nil ? nil : .asr
        fields.scheduled = due.map { Self.start + $0 }
        fields.cause = cause
        fields.reason = reason
        return LogEntry(Notice(kind, .info, at: now.clock, "x", fields), in: .utc)
    }

    static func status(_ playback: StatusDocument.Playback, at clock: Instant) -> StatusDocument {
        StatusDocument(
            version: "0.1.0", now: text(clock), startedAt: text(start),
            configuration: "/etc/adhand/adhand.toml",
            location: .init(name: "Trial", latitude: 1, longitude: 1, timezone: "UTC", approximate: false),
            calculation: .init(method: "isna", asr: "standard", highLatitude: "angle"),
            clock: .init(synchronized: true, trusted: true), mute: .init(active: false), next: nil,
            prayers: [
                .init(
                    id: "asr_20261124", prayer: "asr", at: text(start + 600), enabled: true,
                    sound: ["standard"],
                    volume: 80, state: .upcoming)
            ], playback: playback,
            audio: .init(devices: ["default"], healthy: true, lastError: nil, checkedAt: nil),
            timers: [])
    }
}
