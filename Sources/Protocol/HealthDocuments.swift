public import Texts

/// The answer of `GetHealth`: doctor's verdicts on what the daemon itself knows.
public struct HealthReply: ReplyDocument, Equatable {
    public static var described: String { "checks: []HealthCheck" }
    /// In the order of importance.
    public let checks: [HealthCheck]

    package init(checks: [HealthCheck]) { self.checks = checks }
}

/// One thing that was looked at.
public struct HealthCheck: Codable, Sendable, Equatable {
    /// How well a thing is.
    public enum Verdict: String, Codable, Sendable, CaseIterable {
        /// As it should be, or nothing that can be checked here.
        case ok
        /// The adhan is called, but it may fail or differ from people's expectation.
        case warning
        /// An adhan was not called, will not be called, or comes at a wrong time.
        case problem
    }

    /// As `adhanctl doctor --json` names it: `clock`, `devices`.
    public let name: String
    /// The outcome.
    public let verdict: Verdict
    /// Sentences for a person.
    public let message: String
    /// The command that mends it.
    @Nullable public var fix: String?
    /// The output that it is about; left out of everything else.
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
    /// A device's name as ALSA has it: `default`, `plughw:CARD=Device`.
    public var device: String
    /// Percent.
    public var volume: Int

    /// Makes the parameters; a volume outside 0 to 100 is refused.
    public init(device: String, volume: Int) {
        (self.device, self.volume) = (device, volume)
    }
}
