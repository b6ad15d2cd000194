public import Texts

/// The part of an announcement that will sound on an output.
public struct OutputPlan: Codable, Sendable, Equatable {
    /// The output's name in `[[output]]`; `main` where the configuration names none.
    public let name: String
    /// Percent of perceived loudness, windows included; 0 is silence.
    public let volume: Int
    /// The name of the quiet window that decided the volume; omitted where none did.
    public var quiet: String?

    package init(name: String, volume: Int, quiet: String? = nil) {
        (self.name, self.volume, self.quiet) = (name, volume, quiet)
    }
}

extension OutputPlan {
    /// `20 % (nap)`, `silent (night-law)`; `nil` where no window decided the volume.
    package var words: String? {
        quiet.map { volume == 0 ? "silent (\($0))" : "\(volume) % (\($0))" }
    }
}

extension [OutputPlan] {
    /// The quiet window that silences it everywhere; `nil` where it is heard somewhere, or is silent without a window.
    package var silencedBy: String? {
        allSatisfy { $0.volume == 0 } ? first { $0.quiet != nil }?.quiet : nil
    }

    /// Whether it is silent without a window or mute: the filters of all outputs exclude it, or each has volume 0.
    package var isUnplayed: Bool {
        let isUnnamed = count == 1 && self[0].name == OutputState.unnamed
        return !isUnnamed && allSatisfy { $0.volume == 0 && $0.quiet == nil }
    }

    /// `volume 80 on hall, 20 % on bedroom (nap), silent on horn (night-law)`; `nil` for a single output without a window.
    package var words: String? {
        guard count > 1 || first.map({ $0.name != OutputState.unnamed }) ?? true else { return first?.words }
        guard !isEmpty else { return "no output plays it" }
        return map { plan in
            let volume = plan.volume == 0 ? "silent" : "\(plan.volume) %"
            return "\(volume) on \(plan.name)" + (plan.quiet.map { " (\($0))" } ?? "")
        }.joined(separator: ", ")
    }
}

/// The present state of an output: a block of `status`, and `outputs --json`.
public struct OutputState: Codable, Sendable, Equatable {
    /// The present activity of an output.
    public enum State: String, Codable, Sendable, CaseIterable {
        case idle, cued, playing, stopping
        /// It did not answer in time, and has reported nothing since.
        case stuck
    }

    /// The output's name in `[[output]]`; `main` where the configuration names none.
    public let name: String
    /// Its devices, the preferred one first.
    public let devices: [String]
    /// Whether one of `devices` opened at its last use or trial. False before the first.
    public let healthy: Bool
    /// Whether an announcement that is not heard here counts as not heard everywhere.
    public let required: Bool
    /// Its present activity.
    public let state: State
    /// The device that was used or tried last.
    @Nullable public var device: String?
    /// Why its last use or trial failed; `null` where it did not, or where there was none.
    @Nullable public var lastError: String?
    /// RFC 3339: when a device of it was last used or tried; `null` before the first time.
    @Nullable public var checkedAt: String?
    /// The window or mute that silences an adhan here now.
    @Nullable public var quiet: String?
    /// RFC 3339: when that silence ends; `null` where nothing silences it, or not within a year.
    @Nullable public var quietUntil: String?

    package init(name: String, devices: [String], healthy: Bool, required: Bool, state: State) {
        (self.name, self.devices, self.healthy, self.required, self.state) = (
            name, devices, healthy, required, state
        )
    }

    /// The name of the only output where none is configured.
    package static let unnamed = "main"
    /// The value of `quiet` where this output alone is muted.
    package static let mute = "mute"

    /// Whether its last use or trial failed.
    public var hasFailed: Bool { !healthy && (checkedAt != nil || lastError != nil) || state == .stuck }
}

/// The outcome of an announcement on one output, with the proof.
public struct OutputProof: Codable, Sendable, Equatable {
    /// The outcome of an announcement on one output.
    public enum Ending: String, Codable, Sendable, CaseIterable {
        case played, failed, interrupted, quiet
    }

    /// The output's name in `[[output]]`; `main` where the configuration names none.
    public let name: String
    /// The outcome here.
    public let outcome: Ending
    /// Percent of perceived loudness.
    public let volume: Int
    /// The name of the quiet window that decided the volume, or `mute`; omitted where none did.
    public var quiet: String?
    /// RFC 3339 in milliseconds: when it began to sound here; `null` where it did not.
    @Nullable public var started: String?
    /// Milliseconds from the announcement's instant to ``started``, to a tenth; `null` where it did not begin.
    @Nullable public var latenessMs: Double?
    /// The device that was used; `null` where none was opened.
    @Nullable public var device: String?
    /// Frames a second on that device; `null` where it was not opened.
    @Nullable public var rate: Int?
    /// Frames that were read from the recordings for this output.
    public var framesDecoded = 0
    /// Frames that the device took and played.
    public var framesPlayed = 0
    /// How many times the device ran empty.
    public var dropouts = 0
    /// Decibels that were added to the recording, to a tenth: its own gain and the volume's; `null` where no device was opened.
    @Nullable public var gainDb: Double?
    /// Why it was not heard here to its end, a sentence; `null` where it was, or where a window silenced it.
    @Nullable public var reason: String?

    package init(name: String, outcome: Ending, volume: Int, quiet: String? = nil) {
        (self.name, self.outcome, self.volume, self.quiet) = (name, outcome, volume, quiet)
    }
}

/// `outputs --json`
public struct OutputsReply: ReplyDocument, Equatable {
    public static var described: String { "outputs: []OutputState" }
    /// The outputs in the order of the configuration.
    public let outputs: [OutputState]

    package init(outputs: [OutputState]) {
        self.outputs = outputs
    }
}

/// The parameters of `MuteOutput`. A duration or a time is required: the mute of one output ends by itself.
public struct MuteOutputParameters: Codable, Sendable, Equatable {
    /// The output's name in `[[output]]`.
    public var output: String
    /// The duration: `2h`.
    public var duration: String?
    /// The end: `14:00`, or a prayer: `isha`.
    public var until: String?

    /// Makes the parameters; both or neither of the two ends are refused.
    public init(output: String, duration: String? = nil, until: String? = nil) {
        (self.output, self.duration, self.until) = (output, duration, until)
    }
}

/// `UnmuteOutput`
public struct OutputParameters: Codable, Sendable, Equatable {
    /// The output's name in `[[output]]`.
    public var output: String

    /// Makes the parameters.
    public init(output: String) {
        self.output = output
    }
}

extension StatusDocument {
    /// The outputs that the configuration names; `nil` where it names none.
    package var namedOutputs: [OutputState]? {
        audio.outputs.flatMap { outputs in
            let isUnnamed = outputs.count == 1 && outputs[0].name == OutputState.unnamed
            return isUnnamed && outputs[0].quiet != OutputState.mute ? nil : outputs
        }
    }
}

extension [OutputProof] {
    /// The outputs whose names matter: a single unnamed output is left out.
    package var named: Self { count == 1 && self[0].name == OutputState.unnamed ? [] : self }
}
