import Announcements
import PrayerEngine
import Protocol

/// A period of one box's life, with all faults in it. It follows from its seed; removing faults from it leaves the others
/// unchanged, so that a failing one can be reduced.
package struct Scenario: Sendable {
    package let seed: UInt64
    package let days: Int
    let site: Int
    let configuration: Int
    /// The correct time at the beginning, in Unix seconds.
    let epoch: Double
    /// The state of a wrong clock; `nil` if the clock is right at the first start.
    let clockless: Clockless?
    /// Whether the kernel reports a synchronised clock at the beginning; a box without a network has none.
    let synchronized: Bool
    package var faults: [Fault]

    package struct Fault: Sendable {
        /// Seconds of true time after the beginning.
        let at: Double
        /// Seconds from the instant of the next announcement, for which the fault then waits, because faults matter most there.
        let aim: Double?
        let kind: Kind
    }

    /// A box without a battery clock after a power failure.
    struct Clockless: Sendable {
        /// Unix seconds that its clock shows at the start.
        let shows: Double
        /// Seconds until the network sets it.
        let correctedAfterSeconds: Double
    }

    enum Kind: Sendable {
        /// A person sets the wall clock.
        case step(Double)
        /// The wall clock is corrected, and stays right from now on.
        case corrected
        /// The wall clock runs wrong from now on, by this many seconds a second.
        case drift(Double)
        case suspend(Double)
        /// The program dies after this many more effects, and is back after a time.
        case crash(afterEffects: Int, awaySeconds: Double)
        /// The whole machine loses power after this many more effects, and is back after a time.
        case powerLoss(afterEffects: Int, awaySeconds: Double, clockless: Clockless?)
        /// The machine starts with an unsynchronised clock that is ahead, for some seconds, and then has a right one.
        case clockAhead(by: Double, lasts: Double, awaySeconds: Double)
        /// The end of that state: the machine starts with a right clock.
        case clockRight(awaySeconds: Double)
        /// SIGTERM, and a start after a time.
        case terminate(awaySeconds: Double)
        /// The disk refuses writes for a time.
        case diskFails(Double)
        /// The program dies, and the state file is ruined before it is back.
        case stateRuined(awaySeconds: Double)
        /// The program dies, and only this fraction of the state file is left.
        case stateTorn(kept: Double, awaySeconds: Double)
        /// The power fails before the last line of the history has reached the disk.
        case historyTorn(awaySeconds: Double)
        /// The last caller does not wait for the answer.
        case hangUp
        case device(DeviceFault)
        case reload(configuration: Int)
        case reloadRejected
        case zone(site: Int)
        case ask(ControlRequest)
        case synchronized(Bool)
        /// The findings of the next preflight.
        case preflight(PreflightFinding)
    }

    enum PreflightFinding: Sendable, CaseIterable {
        case well, soundMissing, noDevice
        /// Another sound played meanwhile.
        case deviceBusy
        /// The device gives no answer.
        case silent
    }

    /// The conditions that the next sound meets.
    enum DeviceFault: Sendable, CaseIterable {
        case fails, failsAtCue, substitutes, soundMissing, dropsOut, lostAndFound, lost, isSlow, endsEarly
        case isMuted, isMutedAtFirst
    }
}

extension Scenario.Kind {
    /// The name in the statistics of injected faults.
    var name: String {
        switch self {
        case .step(let seconds): abs(seconds) < 3600 ? "clock step below 1 h" : "clock step up to 10 years"
        case .corrected: "clock set right"
        case .drift: "clock drift"
        case .suspend: "suspend"
        case .crash: "crash"
        case .powerLoss(_, _, let clockless): clockless == nil ? "power loss" : "power loss without clock"
        case .clockAhead: "start by a clock that is ahead"
        case .clockRight: "start by a right clock again"
        case .terminate: "termination"
        case .diskFails: "disk failure"
        case .stateRuined: "lost state"
        case .stateTorn: "torn state"
        case .historyTorn: "torn history"
        case .hangUp: "client gone"
        case .device: "device fault"
        case .reload: "reload"
        case .reloadRejected: "broken configuration"
        case .zone: "zone change"
        case .ask(.mute(let asked)): asked.name
        case .ask(.unmute): "unmute"
        case .ask(.enablePrayers), .ask(.disablePrayers): "toggle"
        case .ask(.trigger): "trigger"
        case .ask(.testPlay), .ask(.playSound): "test"
        case .ask(.stop): "stop"
        case .ask(.reload): "reload on request"
        case .ask(.applyEnvelope): "envelope"
        case .ask: "reading"
        case .synchronized: "synchronisation"
        case .preflight: "preflight result"
        }
    }
}

extension MuteParameters {
    fileprivate var name: String {
        if next == true { return "mute, the next" }
        if duration != nil { return "mute for a duration" }
        guard let until else { return "mute until unmuted" }
        return until.contains(":") ? "mute until a time" : "mute until a prayer"
    }
}
