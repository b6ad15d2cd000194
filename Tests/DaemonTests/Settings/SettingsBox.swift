import Announcements
import BoxSupport
import Daemon
import PrayerEngine
import Protocol
import Testing
import Times

@testable import Settings
@testable import Texts

/// A daemon whose configuration is a text, with a disk for its settings, that may die after any effect.
struct SettingsBox {
    var files = "[control]\nloudest = 90\npinned = [\"adhan.isha.volume\"]\n"
    var disk = SettingsLayer()
    var diskProblem: String?
    var soundProblems: [InputsProblem] = []
    var unknownDevices: [String] = []
    var problemsBefore: Set<InputsProblem> = []
    var isUntried = false
    /// How many more effects it lives for.
    var effectsToLive = Int.max
    private(set) var state: DaemonState
    private(set) var replies: [RequestID: Reply] = [:]
    private(set) var notices: [Notice] = []
    private var serial: UInt64 = 0
    private let now = Instant(unixSeconds: 1_795_500_000)

    init(_ files: String? = nil, disk: SettingsLayer = SettingsLayer(), loss: SettingsLoss? = nil) throws {
        if let files { self.files = files }
        self.disk = disk
        let inputs = try Self.inputs(self.files, disk)
        state = DaemonState(
            inputs: inputs, saved: nil, recorded: [], settings: disk, settingsLoss: loss, now: now)
        handle(.clockHealth(ClockHealth(synchronized: true)))
        handle(.started)
    }

    static func inputs(
        _ files: String, _ layer: SettingsLayer, soundProblems: [InputsProblem] = []
    ) throws -> DaemonInputs {
        let layered = try LayeredConfig([ConfigSource(file: "a.toml", text: Array(files.utf8))], layer)
        let plain = try Box.inputs(layered.effective.config)
        return DaemonInputs(
            config: layered.effective.config, configuration: "a.toml", site: plain.site, user: 900,
            controlGroup: 901, soundProblems: soundProblems, layered: layered)
    }

    mutating func handle(_ event: Event) {
        var pending = [event]
        while !pending.isEmpty, effectsToLive > 0 {
            for effect in state.handle(pending.removeFirst(), at: now) {
                guard effectsToLive > 0 else { return }
                effectsToLive -= 1
                switch effect {
                case .trySettings(let trial):
                    guard
                        let inputs = try? Self.inputs(
                            files, trial.draft.layer, soundProblems: soundProblems)
                    else { continue }
                    var finding = SettingsFinding(
                        trial, inputs, unknownDevices: unknownDevices, problemsBefore: problemsBefore)
                    finding.isUntried = isUntried
                    pending.append(.settingsTried(finding))
                case .saveSettings(let layer):
                    if diskProblem == nil { disk = layer }
                    pending.append(.settingsSaved(problem: diskProblem))
                case .reply(let id, let reply): replies[id] = reply
                case .publish(let notice): notices.append(notice)
                default: break
                }
            }
        }
    }

    @discardableResult
    mutating func ask(
        _ request: ControlRequest, user: UInt32 = 900, name: String = "adhan-remote",
        claim: CallerClaim = CallerClaim()
    ) -> Reply? {
        serial += 1
        let id = RequestID(serial: serial)
        handle(.request(id, request, from: Peer(user: user, groups: [], name: name, claim: claim)))
        return replies[id]
    }

    @discardableResult
    mutating func set(
        _ key: String, _ value: String?, claim: CallerClaim = CallerClaim(), dryRun: Bool? = nil
    ) -> Reply? {
        ask(
            .setSettings(SettingsParameters(changes: [.init(key: key, value: value)], dryRun: dryRun)),
            claim: claim)
    }
}
