import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile

/// The last steps of a run, in words; costs nothing while it is off.
struct Trace {
    let on: Bool
    private(set) var lines: [String] = []
    private static let capacity = 400

    init(on: Bool) {
        self.on = on
    }

    mutating func note(_ now: Instant, _ sentence: () -> String) {
        guard on else { return }
        if lines.count >= 2 * Self.capacity { lines.removeFirst(Self.capacity) }
        lines.append("\(now.unixSeconds): \(sentence())")
    }
}

extension Trace {
    static func words(_ event: Event) -> String {
        switch event {
        case .playback(let token, let output, let report): "playback of \(token) on \(output): \(report)"
        case .request(_, let request, _): "request: \(request)"
        case .inputsLoaded(_, let change, _): "world loaded: \(change)"
        case .settingsTried(let finding): "settings tried: \(finding.trial.draft.keys.sorted())"
        default: "\(event)"
        }
    }

    /// An effect in a few words; timers and the state only as far as they matter to a reader.
    static func words(_ effect: Effect) -> String {
        switch effect {
        case .arm(let timers):
            "arm \(timers.prefix(3).map { "\($0.name) at \($0.at.unixSeconds)" }) of \(timers.count)"
        case .save(let state):
            "save, mute \(state.mute.map { "\($0.scope) until \($0.until?.unixSeconds ?? .infinity)" } ?? "none"), underway "
                + "\(state.underway.map(\.id)), last handled \(state.handled.inOrder.suffix(2).map { "\($0.id) \($0.outcome)" })"
        case .record(let entries):
            "record \(entries.map { "\($0.id) \($0.outcome): \($0.reason ?? "")" }.joined(separator: ", "))"
        case .publish(let notice): "\(notice.kind.rawValue): \(notice.message)"
        case .keepAwake(_, let devices): "keep awake \(devices.joined(separator: ", "))"
        case .cue(let order): "cue \(order.token) from \(order.outputs[0].positionSeconds)"
        case .reply(_, .refused(let error)): "refused: \(error.sentence)"
        case .reply: "reply"
        case .trySettings(let trial): "try settings \(trial.draft.keys.sorted())"
        case .saveSettings(let layer): "save settings, change \(layer.change)"
        default: "\(effect)"
        }
    }
}
