public import Texts

/// The part of an announcement that will sound on an output.
public struct OutputPlan: Codable, Sendable, Equatable {
    public let name: String
    /// Percent of perceived loudness, windows considered; 0 is silence.
    public let volume: Int
    /// The name of the quiet window that made the volume; left out where none did.
    public var quiet: String?

    package init(name: String, volume: Int, quiet: String? = nil) {
        (self.name, self.volume, self.quiet) = (name, volume, quiet)
    }
}

extension OutputPlan {
    /// `20 % (nap)`, `silent (night-law)`; `nil` where no window made the volume.
    package var words: String? {
        quiet.map { volume == 0 ? "silent (\($0))" : "\(volume) % (\($0))" }
    }
}

extension [OutputPlan] {
    /// The window that silences it everywhere; `nil` where something will be heard.
    package var silencedBy: String? {
        allSatisfy { $0.volume == 0 } ? first { $0.quiet != nil }?.quiet : nil
    }

    /// Whether it is silent although no window or mute says so: no named output's filters let it through, or each has volume 0.
    package var isUnplayed: Bool {
        let isUnnamed = count == 1 && self[0].name == OutputState.unnamed
        return !isUnnamed && allSatisfy { $0.volume == 0 && $0.quiet == nil }
    }

    /// `volume 80 on hall, 20 % on bedroom (nap), silent on horn (night-law)`; `nil` of one output that no window touches.
    package var words: String? {
        guard count > 1 || first.map({ $0.name != OutputState.unnamed }) ?? true else { return first?.words }
        guard !isEmpty else { return "no output plays it" }
        return map { plan in
            let volume = plan.volume == 0 ? "silent" : "\(plan.volume) %"
            return "\(volume) on \(plan.name)" + (plan.quiet.map { " (\($0))" } ?? "")
        }.joined(separator: ", ")
    }
}

/// An output as it stands: a block of `status`, and `outputs --json`.
public struct OutputState: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable, CaseIterable {
        case idle, cued, playing, stopping
        /// It did not answer when it should have, and has said nothing since.
        case stuck
    }

    public let name: String
    public let devices: [String]
    /// Whether one of `devices` opened at its last use or trial. False before the first.
    public let healthy: Bool
    /// Whether an announcement that is not heard here counts as not heard everywhere.
    public let required: Bool
    public let state: State
    /// The device that was used or tried last.
    @Nullable public var device: String?
    @Nullable public var lastError: String?
    @Nullable public var checkedAt: String?
    /// The window or mute that silences an adhan here now, and when it ends.
    @Nullable public var quiet: String?
    @Nullable public var quietUntil: String?

    package init(name: String, devices: [String], healthy: Bool, required: Bool, state: State) {
        (self.name, self.devices, self.healthy, self.required, self.state) = (
            name, devices, healthy, required, state
        )
    }

    /// The name of the only output where nobody gave it one.
    package static let unnamed = "main"
    /// The name of `quiet` where somebody muted this output alone.
    package static let mute = "mute"

    /// Whether somebody looked, and it was not well.
    public var hasFailed: Bool { !healthy && (checkedAt != nil || lastError != nil) || state == .stuck }
}

/// The outcome of an announcement on one output, with the proof.
public struct OutputProof: Codable, Sendable, Equatable {
    public enum Ending: String, Codable, Sendable, CaseIterable {
        case played, failed, interrupted, quiet
    }

    public let name: String
    public let outcome: Ending
    /// Percent of perceived loudness.
    public let volume: Int
    /// The name of the quiet window that made the volume, or `mute`; left out where none did.
    public var quiet: String?
    @Nullable public var started: String?
    @Nullable public var latenessMs: Double?
    @Nullable public var device: String?
    @Nullable public var rate: Int?
    public var framesDecoded = 0
    public var framesPlayed = 0
    public var dropouts = 0
    @Nullable public var gainDb: Double?
    @Nullable public var reason: String?

    package init(name: String, outcome: Ending, volume: Int, quiet: String? = nil) {
        (self.name, self.outcome, self.volume, self.quiet) = (name, outcome, volume, quiet)
    }
}

/// `outputs --json`
public struct OutputsReply: ReplyDocument, Equatable {
    public static var described: String { "outputs: []OutputState" }
    public let outputs: [OutputState]

    public init(outputs: [OutputState]) {
        self.outputs = outputs
    }
}

public struct MuteOutputParameters: Codable, Sendable, Equatable {
    public var output: String
    /// `2h`
    public var duration: String?
    /// `14:00`, or a prayer: `isha`.
    public var until: String?

    public init(output: String, duration: String? = nil, until: String? = nil) {
        (self.output, self.duration, self.until) = (output, duration, until)
    }
}

public struct OutputParameters: Codable, Sendable, Equatable {
    public var output: String

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
    /// Those worth a name: one output alone has none.
    package var named: Self { count == 1 && self[0].name == OutputState.unnamed ? [] : self }
}
