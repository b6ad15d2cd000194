/// The outcome of trying devices without a sound.
package struct DeviceTrial: Sendable, Equatable {
    /// The devices that were tried, in this order.
    package let devices: [String]
    /// The device that would be used; `nil` where none opens.
    package let device: String?
    /// Sentences: the problems of all devices, or of the working one's mixer.
    package let problems: [String]

    package init(devices: [String], device: String?, problems: [String]) {
        self.devices = devices
        self.device = device
        self.problems = problems
    }
}
