public import Texts

/// The answer of `GetHealth`: doctor's verdicts on the daemon's own knowledge.
public struct HealthReply: ReplyDocument, Equatable {
    public static var described: String { "checks: []HealthCheck" }
    /// The checks in the order of importance.
    public let checks: [HealthCheck]

    package init(checks: [HealthCheck]) { self.checks = checks }
}

/// One thing that was checked.
public struct HealthCheck: Codable, Sendable, Equatable {
    /// The verdict on one thing.
    public enum Verdict: String, Codable, Sendable, CaseIterable {
        /// It is as it should be, or cannot be checked here.
        case ok
        /// The adhan is called, but it may fail or differ from people's expectation.
        case warning
        /// An adhan was not called, will not be called, or comes at a wrong time.
        case problem
    }

    /// The name in `adhanctl doctor --json`: `clock`, `devices`.
    public let name: String
    /// The outcome.
    public let verdict: Verdict
    /// Sentences for a person.
    public let message: String
    /// The command that repairs it.
    @Nullable public var fix: String?
    /// The affected output; omitted otherwise.
    public var output: String?

    package init(name: String, verdict: Verdict, message: String, fix: String? = nil, output: String? = nil) {
        self.output = output
        self.name = name
        self.verdict = verdict
        self.message = message
        self.fix = fix
    }
}

/// The answer of `GetDevices`: the devices of this machine that may be heard, the likeliest first.
public struct DevicesReply: ReplyDocument, Equatable {
    public static var described: String { "devices: []CheckedDevice" }
    /// The devices, each with the outcome of opening it; adhand opens none while it plays or is about to.
    public let devices: [SoundFacts.Device]

    package init(devices: [SoundFacts.Device]) { self.devices = devices }
}

/// `TestDevice`
public struct TestDeviceParameters: Codable, Sendable, Equatable {
    /// The device's ALSA name: `default`, `plughw:CARD=Device`.
    public var device: String
    /// The volume in percent.
    public var volume: Int

    /// Makes the parameters; a volume outside 0 to 100 is refused.
    public init(device: String, volume: Int) {
        (self.device, self.volume) = (device, volume)
    }
}
