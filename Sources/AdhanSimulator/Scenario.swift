import AdhanCore
import PrayerEngine

/// A stretch of one box's life, and everything that goes wrong in it. It follows from its seed; taking faults away from
/// it leaves the others as they are, which is how a failing one is made small.
package struct Scenario: Sendable {
    package let seed: UInt64
    package let days: Int
    let site: Int
    let configuration: Int
    /// What a right clock shows at the beginning, in Unix seconds.
    let epoch: Double
    /// `nil`: the clock is right at the first start of all.
    let clockless: Clockless?
    package var faults: [Fault]

    package struct Fault: Sendable {
        /// Seconds of true time after the beginning.
        let at: Double
        /// Seconds from the instant of the next announcement, which is then waited for: where things are delicate.
        let aim: Double?
        let kind: Kind
    }

    /// A box without a clock battery after its power was gone.
    struct Clockless: Sendable {
        /// Unix seconds that its clock shows at the start.
        let shows: Double
        /// Seconds until the network sets it.
        let correctedAfter: Double
    }

    enum Kind: Sendable {
        /// The wall clock is set.
        case step(Double)
        /// The wall clock is set right and kept right from now on.
        case corrected
        /// The wall clock runs wrong from now on, by this many seconds a second.
        case drift(Double)
        case suspend(Double)
        /// The program dies after this many effects of the next event that has any, and is back after a time.
        case crash(afterEffects: Int, away: Double)
        case powerLoss(away: Double, clockless: Clockless?)
        /// SIGTERM, and a start after a time.
        case terminate(away: Double)
        /// The disk refuses writes for a time.
        case diskFails(Double)
        /// The program dies, and somebody or something ruins the state file before it is back.
        case stateRuined(away: Double)
        case device(DeviceFault)
        case reload(configuration: Int)
        case reloadRejected
        case zone(site: Int)
        case ask(ControlRequest)
        case synchronized(Bool)
        /// What the next rehearsal finds.
        case preflight(problem: Bool)
    }

    /// What the next sound meets.
    enum DeviceFault: Sendable, CaseIterable {
        case fails, failsAtCue, substitutes, soundMissing, dropsOut, lostAndFound, lost, isSlow
    }
}

extension Scenario.Kind {
    /// For the figures: how many of each were injected.
    var name: String {
        switch self {
        case .step(let seconds): abs(seconds) < 3600 ? "clock step" : "clock leap"
        case .corrected: "clock set right"
        case .drift: "clock drift"
        case .suspend: "suspend"
        case .crash: "crash"
        case .powerLoss(_, let clockless): clockless == nil ? "power loss" : "power loss without clock"
        case .terminate: "termination"
        case .diskFails: "disk failure"
        case .stateRuined: "ruined state"
        case .device: "device fault"
        case .reload: "reload"
        case .reloadRejected: "broken configuration"
        case .zone: "zone change"
        case .ask(.mute): "mute"
        case .ask(.unmute): "unmute"
        case .ask(.enablePrayers), .ask(.disablePrayers): "toggle"
        case .ask(.trigger): "trigger"
        case .ask(.testPlay), .ask(.playSound): "test"
        case .ask(.stop): "stop"
        case .ask: "reading"
        case .synchronized: "synchronisation"
        case .preflight: "rehearsal result"
        }
    }
}
