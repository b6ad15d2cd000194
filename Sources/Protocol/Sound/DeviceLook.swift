/// The outcome of trying devices without a sound.
public struct DeviceLook: Sendable, Equatable {
    /// The devices that were tried, in this order.
    public let devices: [String]
    /// The device that would be used; `nil` where none opens.
    public let device: String?
    /// Sentences: the problems of all devices, or of the working one's mixer.
    public let problems: [String]

    public init(devices: [String], device: String?, problems: [String]) {
        self.devices = devices
        self.device = device
        self.problems = problems
    }
}
